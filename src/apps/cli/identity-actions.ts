import { text } from 'node:stream/consumers';
import type { INestApplicationContext, Type } from '@nestjs/common';
import type { Role } from '../../kernel/role';
import type { KeyScope } from '../../platform/api/caller';
import type { Config } from '../../platform/config/load-config';
import {
  IdentityModule,
  IdentityService,
  SecondFactorService,
  SetupService,
  type UserDraft,
} from '../../modules/identity';
import { IntegratorsService, OrganizationsModule, OrganizationsService } from '../../modules/organizations';
import { asOperator, operatorScope, runWithModules } from './run-in-domain';

export interface IntegratorOptions {
  readonly machineEvents: boolean;
  readonly organizationsLimit?: number;
  readonly email?: string;
}

export interface UserOptions {
  readonly name?: string;
  readonly organization?: number;
  readonly role: Role;
  readonly integrator?: number;
  readonly passwordStdin?: boolean;
}

export interface MemberOptions {
  readonly organization: number;
  readonly role: Role;
}

export interface KeyOptions {
  readonly label: string;
  readonly scopes: KeyScope[];
  readonly organization?: number;
  readonly expires?: Date;
}

const inIdentity = (config: Config, work: (app: INestApplicationContext) => Promise<void>, ...more: Type[]) =>
  runWithModules(config, work, [OrganizationsModule, IdentityModule, ...more]);

/** The commands for integrators, organizations, users and keys. Loaded when one runs, because Nest and TypeORM load slowly. */
export const identityActions = (config: Config) => ({
  createIntegrator: (name: string, options: IntegratorOptions): Promise<void> =>
    inIdentity(config, async (app) => {
      const integrator = await createIntegrator(app, name, options.machineEvents, options.organizationsLimit);
      print(`Integrator ${integrator} created.`);
      if (options.email === undefined) return;
      const user = await createUser(app, { email: options.email, integratorId: integrator });
      print(`User ${user} created.`);
      await showNewKey(app, user, { label: 'first key', scopes: ['write'] });
    }),

  createOrganization: (name: string, options: { assetsLimit?: number }): Promise<void> =>
    inIdentity(config, async (app) => {
      const id = await createOrganization(app, name, options.assetsLimit);
      print(`Organization ${id} created.`);
    }),

  createUser: (address: string, options: UserOptions): Promise<void> =>
    inIdentity(config, async (app) => {
      const id = await createUser(app, {
        email: address,
        name: options.name,
        password: options.passwordStdin ? await passwordFromStdin() : undefined,
        integratorId: options.integrator,
        membership:
          options.organization === undefined ? undefined : { organizationId: options.organization, role: options.role },
      });
      print(`User ${id} created.`);
    }),

  addMember: (address: string, options: MemberOptions): Promise<void> =>
    inIdentity(config, async (app) => {
      const { id } = await app.get(IdentityService).getUser(address);
      await createMembership(app, id, options.organization, options.role);
      if (!(await app.get(IdentityService).isAddressProved(id)))
        process.stderr.write(
          'The address of this user is not proved, so somebody else may have set up the user: see `prove-address --help`.\n',
        );
      print(`User ${id} is ${options.role} of organization ${options.organization}.`);
    }),

  setPassword: (address: string): Promise<void> =>
    inIdentity(config, async (app) => {
      const identity = app.get(IdentityService);
      const { id } = await identity.getUser(address);
      const password = await passwordFromStdin();
      const description = { operation: 'user.password_change', resourceType: 'user', resourceId: String(id) } as const;
      await asOperator(app, description, () => identity.changePassword(id, password));
      print('Password set. All sessions of the user were ended.');
    }),

  proveAddress: (address: string, { keep }: { keep: boolean }): Promise<void> =>
    inIdentity(config, async (app) => {
      const identity = app.get(IdentityService);
      const { id } = await identity.getUser(address);
      const description = { operation: 'user.prove_address', resourceType: 'user', resourceId: String(id) } as const;
      if (keep) {
        await asOperator(app, description, () => identity.stateAddress(id));
        print('The address is proved. Nothing was ended.');
        return;
      }
      const {
        keys,
        identities = [],
        sessions,
        hadSecondFactor,
      } = await asOperator(app, description, () => identity.proveAddress(id));
      print(
        `The address is proved. Ended: ${keys.length} API keys, ${sessions} sessions, ${identities.length} links to identity providers, the password${hadSecondFactor ? ' and the second factor' : ''}.`,
      );
      print(`Set a new password: npm run cli -- set-password ${address}`);
    }),

  createSetupLink: (): Promise<void> =>
    inIdentity(config, async (app) => {
      const { link, expires } = await asOperator(
        app,
        { operation: 'setup_link.create', resourceType: 'user', organizationId: null },
        () => app.get(SetupService).createLink(),
      );
      print(link);
      print(`It works once, until ${expires.toISOString()}. Anyone who has it becomes the owner.`);
      if (config.PORTAL_URL === undefined)
        process.stderr.write('PORTAL_URL is not set, so the link is for a browser on this machine.\n');
    }),

  resetSecondFactors: (address: string): Promise<void> =>
    inIdentity(config, async (app) => {
      const { id } = await app.get(IdentityService).getUser(address);
      const description = {
        operation: 'second_factor.remove',
        resourceType: 'second_factor',
        resourceId: String(id),
        organizationId: null,
      } as const;
      await asOperator(app, description, () => app.get(SecondFactorService).reset(id));
      print('The authenticator app and the passkeys were removed, and all sessions of the user were ended.');
    }),

  eraseUser: async (address: string): Promise<void> => {
    const { AcceptedChecksService } = await import('../../modules/assets/index.js');
    const { AccountsModule, AssetAccountsService } = await import('../../modules/accounts/index.js');
    const erase = async (app: INestApplicationContext): Promise<void> => {
      const identity = app.get(IdentityService);
      const { id } = await identity.getUser(address);
      await asOperator(
        app,
        { operation: 'user.erase', resourceType: 'user', resourceId: String(id), organizationId: null },
        async () => {
          await identity.eraseUser(id);
          await app.get(AcceptedChecksService).forgetPerson(id);
          await app.get(AssetAccountsService).forgetPerson(id);
        },
      );
      print(`User ${id} erased.`);
    };
    await inIdentity(config, erase, AccountsModule);
  },

  createKey: (address: string, options: KeyOptions): Promise<void> =>
    inIdentity(config, async (app) => {
      const { id } = await app.get(IdentityService).getUser(address);
      await showNewKey(app, id, options);
    }),

  revokeKey: (accessKey: string): Promise<void> =>
    inIdentity(config, async (app) => {
      await asOperator(app, { operation: 'api_key.revoke', resourceType: 'api_key', resourceId: accessKey }, () =>
        app.get(IdentityService).revokeKey(accessKey),
      );
      print(`${accessKey} revoked.`);
    }),
});

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

async function passwordFromStdin(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Type the password, then press Enter and Ctrl-D:\n');
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}
