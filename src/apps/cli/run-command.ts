import { Command, CommanderError } from 'commander';
import { packageVersion } from '../../kernel/package-version';
import { PROGRAM } from './command-example';
import { addEvidenceCommands } from './evidence-commands';
import { addIdentityCommands } from './identity-commands';
import { addOperatorCommands } from './operator-commands';
import { addServiceCommands } from './service-commands';
import { addTemplateCommands } from './template-commands';

/** All commands. They import what they need when they run, so that the help and errors in arguments appear at once. */
export function program(): Command {
  const command = new Command(PROGRAM)
    .description(
      'The command line for operators of Assay. Uses the same configuration as the service. Without DATABASE_URL it uses ' +
        'the database of a running `npm start`.',
    )
    .version(packageVersion)
    .showHelpAfterError(`For the usage, run: ${PROGRAM} --help, or ${PROGRAM} <command> --help`)
    .exitOverride();
  addOperatorCommands(command);
  addServiceCommands(command);
  addIdentityCommands(command);
  addEvidenceCommands(command);
  addTemplateCommands(command);
  return command.addHelpText(
    'after',
    `\n\`${PROGRAM} <command> --help\` shows an example of each. See also docs/cli.md.`,
  );
}

/** The error message. The stack is shown only with LOG_LEVEL=debug. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env['LOG_LEVEL'] === 'debug' ? (error.stack ?? error.message) : error.message;
}

/** Runs one command and returns the exit code of the process. */
export async function runCommand(parameters: readonly string[]): Promise<number> {
  try {
    await program().parseAsync(parameters, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`${explain(error)}\n`);
    return 1;
  }
}
