import { basename } from 'node:path';
import type { Command } from 'commander';

/** How the command line is started, with this path of its script: an installed package has a link named `assay-admin`. */
export const programAt = (script = ''): string =>
  basename(script) === 'assay-admin' ? 'assay-admin' : 'npm run cli --';

export const PROGRAM = programAt(process.argv[1]);

/** Adds an example to the help of a command. */
export const withExample = (command: Command, example: string): Command =>
  command.addHelpText('after', `\nExample:\n  ${PROGRAM} ${example}`);
