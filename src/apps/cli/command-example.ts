import type { Command } from 'commander';

/** How the command line is started. */
export const PROGRAM = 'npm run cli --';

/** Adds an example to the help of a command. */
export const withExample = (command: Command, example: string): Command =>
  command.addHelpText('after', `\nExample:\n  ${PROGRAM} ${example}`);
