import type { Role } from '../../kernel/role';
import { Caller, type CallerIntegrator } from './caller';

const key = { id: 1, accessKey: 'ak', label: 'x', scopes: ['write'], organizationId: null, expires: null } as const;

const callerOf = (organizationIds: readonly number[], integrator: CallerIntegrator | null = null): Caller =>
  new Caller({
    userId: 7,
    email: 'a@example.com',
    integrator,
    memberships: new Map(organizationIds.map((id): [number, Role] => [id, 'viewer'])),
    key,
  });

describe('the tenant of a caller', () => {
  it.each([
    ['its organization', callerOf([12]), 'organization 12'],
    ['the first of its organizations, in whatever order they are known', callerOf([30, 12, 25]), 'organization 12'],
    ['the user without an organization', callerOf([]), 'user 7'],
    ['its integrator', callerOf([], { id: 5, name: 'x', machineEvents: false }), 'integrator 5'],
  ])('is %s', (_name, caller, tenant) => {
    expect(caller.tenant).toBe(tenant);
  });
});
