import 'reflect-metadata';
import { chmodSync, writeFileSync } from 'node:fs';
import { runInDomain } from '../../cli/run-in-domain';
import type { Demo } from '../demo-file';
import { seedPartner, seedTenant } from './seed-people';
import { seedRecords } from './seed-records';

const tenants = [
  ['Northwind Traders', 'northwind.example'],
  ['Contoso', 'contoso.example'],
] as const;

/** Makes the demo data, and writes down what a person needs to use them. Run by `npm start` in a process of its own. */
async function seed(file: string, baseUrl: string): Promise<void> {
  const demo = await runInDomain(async (app): Promise<Demo> => {
    const organizations: Demo['organizations'] = [];
    for (const [name, domain] of tenants) {
      const { id, users } = await seedTenant(app, name, domain);
      const [owner] = users;
      if (owner === undefined) throw new Error('a tenant has an owner');
      const records = await seedRecords(app, id, owner, domain);
      organizations.push({ id, name, ...records, users: users.map(({ userId: _id, ...shown }) => shown) });
    }
    const { person, tenant } = await seedPartner(app, 'Fabrikam Partners', 'fabrikam.example', 'Fabrikam Customer');
    const { userId: _id, ...integrator } = person;
    return { base_url: baseUrl, organizations, integrator: { ...integrator, organization_ids: [tenant.id] } };
  });
  writeFileSync(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

const { DEMO_FILE, BASE_URL } = process.env;
if (DEMO_FILE === undefined || BASE_URL === undefined) throw new Error('DEMO_FILE and BASE_URL are needed');
void seed(DEMO_FILE, BASE_URL);
