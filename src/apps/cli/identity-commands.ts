import { readFileSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { invalid } from '../../kernel/domain-error';
import { type Role, roles } from '../../kernel/role';
import { type KeyScope, KEY_SCOPES } from '../../platform/api/caller';
import { instantOf } from '../../platform/http/instant';
import { IdentityService, type UserDraft } from '../../modules/identity';
import { IntegratorsService, OrganizationsService } from '../../modules/organizations';
import { asOperator, operatorScope, runInDomain } from './run-in-domain';

interface UserOptions {
  readonly name?: string;
  readonly organization?: number;
  readonly role: Role;
  readonly integrator?: number;
  readonly passwordStdin?: boolean;
}

interface KeyOptions {
  readonly label: string;
  readonly scopes: KeyScope[];
  readonly organization?: number;
  readonly expires?: Date;
}

export function addIdentityCommands(program: Command): void {
  program
    .command('create-integrator')
    .description('Create an integrator: a partner that creates organizations and acts as owner in each of them.')
    .argument('<name>', 'the name of the partner', text)
    .option('--machine-events', 'include machine events in the subscription', false)
    .option('--organizations-limit <number>', 'the maximum number of organizations (default: no limit)', wholeNumber)
    .option('--email <address>', 'also create its first user, with an API key whose secret is shown only once', email)
    .action((name: string, options: { machineEvents: boolean; organizationsLimit?: number; email?: string }) =>
      runInDomain(async (app) => {
        const integrator = await createIntegrator(app, name, options.machineEvents, options.organizationsLimit);
        print(`Integrator ${integrator} created.`);
        if (options.email === undefined) return;
        const user = await createUser(app, { email: options.email, integratorId: integrator });
        print(`User ${user} created.`);
        await showNewKey(app, user, { label: 'first key', scopes: ['write'] });
      }),
    );

  program
    .command('create-organization')
    .description('Create an organization without an integrator.')
    .argument('<name>', 'the name of the organization', text)
    .option('--assets-limit <number>', 'the maximum number of assets (default: no limit)', wholeNumber)
    .action((name: string, options: { assetsLimit?: number }) =>
      runInDomain(async (app) => {
        const id = await createOrganization(app, name, options.assetsLimit);
        print(`Organization ${id} created.`);
      }),
    );

  program
    .command('create-user')
    .description('Create a user with a role in an organization, or a user of an integrator.')
    .argument('<email>', 'the e-mail address of the user', email)
    .option('--organization <id>', 'the id of the organization', wholeNumber)
    .addOption(new Option('--role <role>', 'the role in that organization').choices(roles).default('member'))
    .option('--integrator <id>', 'the id of the integrator', wholeNumber)
    .option('--name <name>', 'the name of the user, as reports show it', text)
    .option('--password-stdin', 'read a password for the portal from standard input')
    .action((address: string, options: UserOptions) =>
      runInDomain(async (app) => {
        if ((options.organization === undefined) === (options.integrator === undefined)) {
          throw invalid('Name either --organization or --integrator.');
        }
        const id = await createUser(app, {
          email: address,
          name: options.name,
          password: options.passwordStdin ? passwordFromStdin() : undefined,
          integratorId: options.integrator,
          membership:
            options.organization === undefined
              ? undefined
              : { organizationId: options.organization, role: options.role },
        });
        print(`User ${id} created.`);
      }),
    );

  program
    .command('add-member')
    .description('Give an existing user a role in another organization.')
    .argument('<email>', 'the e-mail address of the user', email)
    .requiredOption('--organization <id>', 'the id of the organization', wholeNumber)
    .addOption(new Option('--role <role>', 'the role in that organization').choices(roles).default('member'))
    .action((address: string, options: { organization: number; role: Role }) =>
      runInDomain(async (app) => {
        const { id } = await app.get(IdentityService).getUser(address);
        await createMembership(app, id, options.organization, options.role);
        print(`User ${id} is ${options.role} of organization ${options.organization}.`);
      }),
    );

  program
    .command('set-password')
    .description(
      "Set a user's password for the portal. It is read from standard input, because other users can see arguments.",
    )
    .argument('<email>', 'the e-mail address of the user', email)
    .action((address: string) =>
      runInDomain(async (app) => {
        const identity = app.get(IdentityService);
        const { id } = await identity.getUser(address);
        const password = passwordFromStdin();
        await asOperator(app, { operation: 'user.password_change', resourceType: 'user', resourceId: String(id) }, () =>
          identity.changePassword(id, password),
        );
        print('Password set.');
      }),
    );

  program
    .command('create-key')
    .description('Create an API key for a user. The secret is shown only once.')
    .argument('<email>', 'the e-mail address of the user that the key acts as', email)
    .option('--label <label>', 'the purpose of the key', text, 'command line')
    .option('--scopes <list>', `comma-separated: ${KEY_SCOPES.join(', ')}`, scopes, ['write'])
    .option('--organization <id>', 'limit the key to one organization', wholeNumber)
    .option('--expires <date>', 'the last day of the key, as an ISO 8601 date', date)
    .action((address: string, options: KeyOptions) =>
      runInDomain(async (app) => {
        const { id } = await app.get(IdentityService).getUser(address);
        await showNewKey(app, id, options);
      }),
    );

  program
    .command('revoke-key')
    .description('Revoke an API key. Every process refuses it within five seconds.')
    .argument('<access-key>', 'the key (ak_…), not its secret', text)
    .action((accessKey: string) =>
      runInDomain(async (app) => {
        await asOperator(app, { operation: 'api_key.revoke', resourceType: 'api_key', resourceId: accessKey }, () =>
          app.get(IdentityService).revokeKey(accessKey),
        );
        print(`${accessKey} revoked.`);
      }),
    );
}

export function createIntegrator(
  app: INestApplicationContext,
  name: string,
  machineEvents: boolean,
  organizationsLimit?: number,
): Promise<number> {
  const draft = { name, machineEvents, organizationsLimit: organizationsLimit ?? null };
  return asOperator(app, { operation: 'integrator.create', resourceType: 'integrator' }, () =>
    app.get(IntegratorsService).create(draft),
  );
}

export function createOrganization(
  app: INestApplicationContext,
  name: string,
  assetsLimit?: number,
  integratorId: number | null = null,
): Promise<number> {
  return asOperator(app, { operation: 'organization.create', resourceType: 'organization' }, () =>
    app.get(OrganizationsService).create(integratorId, { name, assetsLimit: assetsLimit ?? null }),
  );
}

export async function createUser(app: INestApplicationContext, draft: UserDraft): Promise<number> {
  const organizationId = draft.membership?.organizationId;
  if (organizationId !== undefined) await app.get(OrganizationsService).get(operatorScope, organizationId);
  return asOperator(app, { operation: 'user.create', resourceType: 'user', organizationId: null }, () =>
    app.get(IdentityService).createUser(draft),
  );
}

export async function createMembership(
  app: INestApplicationContext,
  userId: number,
  organizationId: number,
  role: Role,
): Promise<void> {
  const { id } = await app.get(OrganizationsService).get(operatorScope, organizationId);
  await asOperator(
    app,
    { operation: 'membership.create', resourceType: 'membership', resourceId: String(userId) },
    () => app.get(IdentityService).createMembership(userId, id, role),
  );
}

export function createKey(app: INestApplicationContext, userId: number, { organization, ...options }: KeyOptions) {
  return asOperator(app, { operation: 'api_key.create', resourceType: 'api_key' }, () =>
    app.get(IdentityService).createKey({ userId, organizationId: organization, ...options }),
  );
}

async function showNewKey(app: INestApplicationContext, userId: number, options: KeyOptions): Promise<void> {
  const { accessKey, secret } = await createKey(app, userId, options);
  print(`API key (username):    ${accessKey}`);
  print(`API secret (password): ${secret}`);
  print('The secret is shown only once. Store it now.');
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function passwordFromStdin(): string {
  return readFileSync(0, 'utf8').replace(/\r?\n$/, '');
}

function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number > 2_147_483_647)
    throw new InvalidArgumentError('It must be a whole number from 0 to 2147483647.');
  return number;
}

function text(value: string): string {
  const trimmed = value.trim();
  if (trimmed === '' || trimmed.length > 200) throw new InvalidArgumentError('It must have 1 to 200 characters.');
  return trimmed;
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
