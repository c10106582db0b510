import { Command, CommanderError } from 'commander';
import { DomainError } from '../../kernel/domain-error';
import { ConfigError } from '../../platform/config/load-config';
import { packageVersion } from '../../kernel/package-version';
import { addEvidenceCommands } from './evidence-commands';
import { addIdentityCommands } from './identity-commands';
import { addServiceCommands } from './service-commands';

function program(): Command {
  const command = new Command('assay')
    .description('The command line for operators of Assay. Uses the same configuration as the service.')
    .version(packageVersion)
    .showHelpAfterError('(run with --help for usage)')
    .exitOverride();
  addServiceCommands(command);
  addIdentityCommands(command);
  addEvidenceCommands(command);
  command.addHelpText(
    'after',
    `
Examples:
  npm run cli -- migrate
  npm run cli -- create-organization "Northwind Traders"
  npm run cli -- create-user owner@example.com --organization 1 --role owner --password-stdin < password.txt
  npm run cli -- create-key owner@example.com --label CI --scopes ci --expires 2027-01-31
  npm run cli -- create-integrator "Fabrikam Partners" --machine-events --email partner@example.com
`,
  );
  return command;
}

/** The error message. The stack of an unexpected error is shown only with LOG_LEVEL=debug. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DomainError) return error.message;
  if (error instanceof Error)
    return process.env['LOG_LEVEL'] === 'debug' ? (error.stack ?? error.message) : error.message;
  return String(error);
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
