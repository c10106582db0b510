import type { Answer } from './client';
import { query } from './database';
import type { Factories, Person, Tenant } from './factories';

export interface TwoAdmins {
  readonly tenant: Tenant;
  readonly first: Person;
  readonly second: Person;
}

export const prove = (userId: number) =>
  query('INSERT INTO address_proofs (user_id) VALUES ($1) ON CONFLICT DO NOTHING', [userId]);

export async function provedAdmin(tenant: Tenant, role: 'admin' | 'owner' = 'admin'): Promise<Person> {
  const admin = await tenant.as(role);
  await prove(admin.userId);
  return admin;
}

export const approvalsOf = (tenant: Tenant, rest = ''): string => `/v1/organizations/${tenant.id}/approvals/${rest}`;

/** The pending proposals, newest first. */
export async function pendingOf({ tenant, second }: TwoAdmins): Promise<Answer['body'][]> {
  return (await second.client.get(approvalsOf(tenant, '?status=pending'))).body.approvals;
}

/** Confirms the only pending proposal, as the second admin. */
export async function confirmOnly(fixture: TwoAdmins): Promise<Answer['body']> {
  const pending = await pendingOf(fixture);
  expect(pending).toHaveLength(1);
  const answer = await fixture.second.client.post(approvalsOf(fixture.tenant, `${pending[0].id}/confirm`));
  expect([answer.status, answer.body.description]).toEqual([200, undefined]);
  return answer.body;
}

export const settingOf = (tenant: Tenant): string => `/v1/organizations/${tenant.id}/settings/second-approval`;

/** An organization that requires a second approval, with two admins. */
export async function twoAdmins(make: Factories, options: { integratorId?: number } = {}): Promise<TwoAdmins> {
  const tenant = await make.organization(options);
  const fixture = { tenant, first: await provedAdmin(tenant), second: await provedAdmin(tenant) };
  expect((await fixture.first.client.put(settingOf(tenant), { second_approval: true })).status).toBe(409);
  expect((await confirmOnly(fixture)).changes).toMatchObject([{ error: null }]);
  return fixture;
}
