import type { Role } from '../../kernel/role';
import { Caller, type CallerIntegrator } from './caller';

const key = { id: 1, accessKey: 'ak', label: 'x', scopes: ['write'], organizationId: null, expires: null } as const;

const callerOf = (organizationIds: readonly number[], integrator: CallerIntegrator | null = null): Caller =>
  new Caller({
    userId: 7,
    email: 'a@example.com',
    name: null,
    integrator,
    memberships: new Map(organizationIds.map((id): [number, Role] => [id, 'viewer'])),
    key,
  });

describe('the tenant of a caller', () => {
  it.each([
    ['the organization, for a user of one', callerOf([12]), 'organization 12'],
    ['the organization with the lowest id, for a user of several', callerOf([30, 12, 25]), 'organization 12'],
    ['the user, for a user without an organization', callerOf([]), 'user 7'],
    [
      'the integrator, for a user of an integrator',
      callerOf([], { id: 5, name: 'x', machineEvents: false }),
      'integrator 5',
    ],
  ])('is %s', (_name, caller, tenant) => {
    expect(caller.tenant).toBe(tenant);
  });
});
