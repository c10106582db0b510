import { type Command, InvalidArgumentError, Option } from 'commander';
import { invalid } from '../../kernel/domain-error';
import { roles } from '../../kernel/role';
import { type KeyScope, KEY_SCOPES } from '../../platform/api/caller';
import { instantOf } from '../../platform/http/instant';
import { text, wholeNumber } from './arguments';
import { withExample } from './command-example';
import type { IntegratorOptions, KeyOptions, MemberOptions, UserOptions } from './identity-actions';

/** The actions on the database, which is checked before the modules are loaded. */
async function load() {
  const { reachableConfig } = await import('./reachable-config.js');
  const config = await reachableConfig();
  return (await import('./identity-actions.js')).identityActions(config);
}

export function addIdentityCommands(program: Command): void {
  withExample(program.command('create-integrator'), 'create-integrator "Fabrikam Partners" --email partner@example.com')
    .description('Create an integrator: a partner that creates organizations and acts as owner in each of them.')
    .argument('<name>', 'the name of the partner', text)
    .option('--machine-events', 'include machine events in the subscription', false)
    .option('--organizations-limit <number>', 'the maximum number of organizations (default: 10,000)', wholeNumber)
    .option('--email <address>', 'also create its first user, with an API key whose secret is shown only once', email)
    .action(async (name: string, options: IntegratorOptions) => (await load()).createIntegrator(name, options));

  withExample(program.command('create-organization'), 'create-organization "Northwind Traders"')
    .description('Create an organization without an integrator.')
    .argument('<name>', 'the name of the organization', text)
    .option('--assets-limit <number>', 'the maximum number of assets (default: no limit)', wholeNumber)
    .action(async (name: string, options: { assetsLimit?: number }) =>
      (await load()).createOrganization(name, options),
    );

  withExample(program.command('create-user'), 'create-user olga@example.com --organization 1 --role owner')
    .description('Create a user with a role in an organization, or a user of an integrator.')
    .argument('<email>', 'the e-mail address of the user', email)
    .option('--organization <id>', 'the id of the organization', wholeNumber)
    .addOption(new Option('--role <role>', 'the role in that organization').choices(roles).default('member'))
    .option('--integrator <id>', 'the id of the integrator', wholeNumber)
    .option('--name <name>', 'the name of the user, as reports show it', text)
    .option('--password-stdin', 'read a password for the portal from standard input')
    .action(async (address: string, options: UserOptions) => {
      if ((options.organization === undefined) === (options.integrator === undefined)) {
        throw invalid('Name either --organization or --integrator.');
      }
      await (await load()).createUser(address, options);
    });

  withExample(program.command('create-setup-link'), 'create-setup-link')
    .description(
      'Create the link with which the first owner sets up an installation without users. Works once, for a day.',
    )
    .action(async () => (await load()).createSetupLink());

  withExample(program.command('reset-second-factors').alias('reset-totp'), 'reset-second-factors olga@example.com')
    .description(
      'Turn off the authenticator app of a user who has lost the phone and the recovery codes, and remove the passkeys.',
    )
    .argument('<email>', 'the e-mail address of the user', email)
    .action(async (address: string) => (await load()).resetSecondFactors(address));

  withExample(program.command('prove-address'), 'prove-address olga@example.com')
    .description(
      'State that an e-mail address belongs to the person who uses it, after you have made sure. Ends all that was made for the user before: keys, sessions, authenticator app and password.',
    )
    .argument('<email>', 'the e-mail address of the user', email)
    .option('--keep', 'end nothing, because nobody but the person has set up the user', false)
    .action(async (address: string, options: { keep: boolean }) => (await load()).proveAddress(address, options));

  withExample(program.command('add-member'), 'add-member olga@example.com --organization 2 --role admin')
    .description('Give an existing user a role in another organization.')
    .argument('<email>', 'the e-mail address of the user', email)
    .requiredOption('--organization <id>', 'the id of the organization', wholeNumber)
    .addOption(new Option('--role <role>', 'the role in that organization').choices(roles).default('member'))
    .action(async (address: string, options: MemberOptions) => (await load()).addMember(address, options));

  withExample(program.command('set-password'), 'set-password olga@example.com < password.txt')
    .description(
      "Set a user's password for the portal. It is read from standard input, because other users can see arguments.",
    )
    .argument('<email>', 'the e-mail address of the user', email)
    .action(async (address: string) => (await load()).setPassword(address));

  withExample(program.command('erase-user'), 'erase-user olga@example.com')
    .description('Erase a user: address, name, password, roles, keys and sessions. This cannot be undone.')
    .argument('<email>', 'the e-mail address of the user', email)
    .action(async (address: string) => (await load()).eraseUser(address));

  withExample(program.command('create-key'), 'create-key olga@example.com --label CI --scopes ci --expires 2027-01-31')
    .description('Create an API key for a user. The secret is shown only once.')
    .argument('<email>', 'the e-mail address of the user that the key acts as', email)
    .option('--label <label>', 'the purpose of the key', text, 'command line')
    .option('--scopes <list>', `comma-separated: ${KEY_SCOPES.join(', ')}`, scopes, ['write'])
    .option('--organization <id>', 'limit the key to one organization', wholeNumber)
    .option('--expires <date>', 'the last day of the key, as an ISO 8601 date', date)
    .action(async (address: string, options: KeyOptions) => (await load()).createKey(address, options));

  withExample(program.command('revoke-key'), 'revoke-key ak_3fvKGnKcP2zj9GPjmEiT')
    .description('Revoke an API key, and all keys that it created. Every process refuses them within five seconds.')
    .argument('<access-key>', 'the key (ak_…), not its secret', text)
    .action(async (accessKey: string) => (await load()).revokeKey(accessKey));
}

function email(value: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(value) || value.length > 254)
    throw new InvalidArgumentError('It must be an e-mail address.');
  return value;
}

function scopes(value: string): KeyScope[] {
  const named = value.split(',').map((scope) => scope.trim());
  const known = named.filter((scope): scope is KeyScope => (KEY_SCOPES as readonly string[]).includes(scope));
  if (known.length !== named.length) throw new InvalidArgumentError(`Possible scopes: ${KEY_SCOPES.join(', ')}.`);
  return [...new Set(known)];
}

function date(value: string): Date {
  const instant = instantOf(value, 'upper');
  if (instant === undefined) throw new InvalidArgumentError('It must be an ISO 8601 date, such as 2027-01-31.');
  return instant;
}
