import type { Mutant } from '../mutant';

const authentication = 'test/e2e/authentication.spec.ts';
const tenancy = 'test/contract/tenancy.spec.ts';
const guard = 'src/platform/auth/basic-auth.guard.ts';
const keys = 'src/modules/identity/key-authenticator.ts';
const roleGuard = 'src/platform/auth/role.guard.ts';
const places = 'src/portal/http/places.ts';
const routes = 'test/contract/portal-routes.spec.ts';
const visible = 'src/platform/database/visible.ts';

/** Authentication, roles and tenancy. */
export const access: readonly Mutant[] = [
  {
    name: 'the auth guard accepts requests without valid credentials',
    file: guard,
    search: 'if (user) return user;',
    // Without a caller, which the role guard lets pass: unknown paths then return 404. `false` would break the request log.
    replace: 'return (user || undefined) as User;',
    spec: authentication,
    test: 'are required at',
  },
  {
    name: 'portal: a path shows a record of another organization of the same person',
    file: places,
    search: 'if (record.organizationId !== organizationId) throw',
    replace: 'if (record.organizationId === 0) throw',
    spec: routes,
    test: 'for a record of another organization of the same person',
  },
  {
    name: 'portal: the organization of a path without a record is not read',
    file: places,
    search: 'if (Object.keys(found).length === 0) await',
    replace: 'if (Object.keys(found).length < 0) await',
    spec: routes,
    test: 'are pages that do not exist',
  },
  {
    name: 'portal: what a path names is not read before its handler',
    file: 'src/portal/http/in-organization.ts',
    search: 'isInOrganization ? await this.places.read(caller, params) : undefined',
    replace: "isInOrganization ? { caller, organizationId: Number(params['organization']) } : undefined",
    spec: routes,
    test: 'are pages',
  },
  {
    name: 'portal: a stream goes on for a user who has lost the organization',
    file: 'src/portal/live/live-streams.ts',
    search: 'await this.places.read(signedIn.caller, request.params);',
    replace: '',
    spec: 'test/e2e/portal-live.spec.ts',
    test: 'ends when the session ends or its user loses the organization',
  },
  {
    name: 'the auth guard does not check the token of a beacon',
    file: guard,
    search: '? (credentials) => this.verifyBeacon(credentials)',
    replace: '? async ({ username }) => Number(username)',
    spec: 'test/e2e/beacons.spec.ts',
    test: 'requires the id and the token of the same beacon',
  },
  {
    name: 'the secret of a key is not compared',
    file: keys,
    search: 'if (!isValid || !this.isUsable(record))',
    replace: 'if (!this.isUsable(record))',
    spec: authentication,
    test: 'are refused with an identical response:',
  },
  {
    name: 'a revoked or expired key is accepted',
    file: keys,
    search: 'if (!isValid || !this.isUsable(record))',
    replace: 'if (!isValid)',
    spec: authentication,
    test: 'that has expired or is revoked is refused',
  },
  {
    name: 'a revoked key is accepted',
    file: keys,
    search: 'return revoked === null && !limitedToDeleted',
    replace: 'return !limitedToDeleted',
    spec: authentication,
    test: 'both refuse a key that one of them revoked',
  },
  {
    name: 'a cached key does not expire',
    file: keys,
    search: 'if (cached !== undefined && !this.hasEnded(cached.key))',
    replace: 'if (cached !== undefined)',
    spec: authentication,
    test: 'that expires while it is cached is refused from that moment on',
  },
  {
    name: 'credentials are cached by the access key without its secret',
    file: keys,
    search: '`${accessKey}:${secret}`',
    replace: '`${accessKey}${secret.slice(0, 0)}`',
    spec: authentication,
    test: 'is refused with a wrong secret although the right one is cached',
  },
  {
    name: 'the scope of a key is not checked',
    file: roleGuard,
    search: 'if (allowing.some((scope) => caller.key.scopes.includes(scope))) return undefined;',
    replace: 'return undefined;',
    spec: authentication,
    test: 'with scope',
  },
  {
    name: 'a key with the pipeline scope may do everything',
    file: roleGuard,
    search: `return operation.scope === 'ci' ? [...byMethod, 'ci'] : byMethod;`,
    replace: `return [...byMethod, 'ci'];`,
    spec: authentication,
    test: 'with scope',
  },
  {
    name: 'the role guard checks no role',
    file: roleGuard,
    search: 'return caller.hasRoleAnywhere(role as Role)',
    replace: 'return caller.hasRoleAnywhere(role as Role) || true',
    spec: 'test/contract/roles.spec.ts',
    test: 'refuses a caller who has the role in no organization',
  },
  {
    name: 'everyone may use the operations for integrators',
    file: roleGuard,
    search: '({ integrator }) => integrator !== null,',
    replace: '() => true,',
    spec: 'test/contract/roles.spec.ts',
    test: 'is allowed exactly the operations in the table',
  },
  {
    name: 'a key that is limited to one organization may use operations on all organizations',
    file: roleGuard,
    search: '({ key }) => key.organizationId === null,',
    replace: '() => true,',
    spec: 'test/e2e/organizations.spec.ts',
    test: 'is refused to a key limited to one organization, like all integrator-wide routes',
  },
  {
    name: 'a refusal of the role guard leaves no audit entry',
    file: roleGuard,
    search:
      'if (operation.audit) await this.unitOfWork.refuse(auditDescription(operation, request), caller.scope, refusal);',
    replace: '',
    spec: 'test/e2e/organizations.spec.ts',
    test: 'is refused to owners, recorded in their audit log',
  },
  {
    name: 'a scope is not limited to its organizations',
    file: visible,
    search: 'scope.organizationIds && sql`${o}.id = ANY(${scope.organizationIds}::int[])`,',
    replace: '',
    spec: tenancy,
    test: 'getFinding',
  },
  {
    name: 'a scope is not limited to its integrator',
    file: visible,
    search: 'scope.integratorId === undefined ? undefined : sql`${o}.integrator_id = ${scope.integratorId}`,',
    replace: '',
    spec: tenancy,
    test: 'getFinding',
  },
  {
    name: 'a deleted organization is still visible',
    file: visible,
    search: 'sql`${o}.deleted_at IS NULL`,',
    replace: '',
    spec: 'test/e2e/organizations.spec.ts',
    test: 'hides it everywhere at once; the worker purges its rows; its audit log stays readable to the integrator',
  },
  {
    name: 'an integrator’s key is not limited to its organization',
    file: 'src/platform/api/caller.ts',
    search: '? Scope.integrator(integrator.id, limitedTo)',
    replace: '? Scope.integrator(integrator.id)',
    spec: authentication,
    test: 'of an integrator, limited to one organization, sees only that organization',
  },
];
