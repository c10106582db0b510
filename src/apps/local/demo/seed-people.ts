import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { type Role, roles } from '../../../kernel/role';
import { IdentityService, type UserDraft } from '../../../modules/identity';
import { createIntegrator, createKey, createOrganization, createUser } from '../../cli/identity-actions';
import { undefinedIf } from './undefined-if';

export interface DemoPerson {
  readonly userId: number;
  readonly email: string;
  readonly password: string;
  readonly api_key: string;
  readonly api_secret: string;
}

export interface DemoTenant {
  readonly id: number;
  readonly name: string;
  readonly users: (DemoPerson & { role: Role })[];
}

export interface DemoPartner {
  readonly integratorId: number;
  readonly person: DemoPerson;
  readonly tenant: { id: number; name: string };
}

/** Creates a user with a password and a key with the scope `write`. */
async function createPerson(
  app: INestApplicationContext,
  name: string,
  email: string,
  place: Pick<UserDraft, 'integratorId' | 'membership'>,
): Promise<DemoPerson> {
  const password = randomBytes(12).toString('base64url');
  const userId = await createUser(app, { name, email, password, ...place });
  const { accessKey, secret } = await createKey(app, userId, { label: 'demo', scopes: ['write'] });
  return { userId, email, password, api_key: accessKey, api_secret: secret };
}

/** Creates an organization with one user for each role. */
export async function seedTenant(
  app: INestApplicationContext,
  name: string,
  domain: string,
  names: Readonly<Record<Role, string>>,
): Promise<DemoTenant> {
  const id = await createOrganization(app, name);
  const users: DemoTenant['users'] = [];
  for (const role of roles.toReversed()) {
    const membership = { organizationId: id, role };
    const person = await createPerson(app, names[role], await freeEmail(app, role, domain), { membership });
    users.push({ ...person, role });
  }
  return { id, name, users };
}

/** Creates an integrator with machine events in its subscription, and one organization of it. */
export async function seedPartner(
  app: INestApplicationContext,
  name: string,
  domain: string,
  tenantName: string,
): Promise<DemoPartner> {
  const integratorId = await createIntegrator(app, name, true);
  const person = await createPerson(app, 'Tomás Silva', await freeEmail(app, 'partner', domain), { integratorId });
  const id = await createOrganization(app, tenantName, undefined, integratorId);
  return { integratorId, person, tenant: { id, name: tenantName } };
}

/** An interrupted seeding leaves its users. The next one uses other addresses. */
async function freeEmail(app: INestApplicationContext, name: string, domain: string): Promise<string> {
  for (let number = 1; ; number++) {
    const email = `${name}${number === 1 ? '' : number}@${domain}`;
    if ((await undefinedIf('not_found', app.get(IdentityService).getUser(email))) === undefined) return email;
  }
}
