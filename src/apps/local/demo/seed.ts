import 'reflect-metadata';
import { chmodSync, writeFileSync } from 'node:fs';
import { runInDomain } from '../../cli/run-in-domain';
import type { Demo } from '../demo-file';
import { seedPartner, seedTenant } from './seed-people';

/** Makes the demo data, and writes down what a person needs to use them. Run by `npm start` in a process of its own. */
async function seed(file: string, baseUrl: string): Promise<void> {
  const demo = await runInDomain(async (app): Promise<Demo> => {
    const northwind = await seedTenant(app, 'Northwind Traders', 'northwind.example');
    const contoso = await seedTenant(app, 'Contoso', 'contoso.example');
    const { person, tenant } = await seedPartner(app, 'Fabrikam Partners', 'fabrikam.example', 'Fabrikam Customer');
    const organizations = [northwind, contoso].map(({ id, name, users }) => ({
      id,
      name,
      event_slug: null,
      finding_ids: [],
      asset_ids: [],
      report_id: null,
      users: users.map(({ email, password, role, api_key, api_secret }) => ({
        email,
        password,
        role,
        api_key,
        api_secret,
      })),
    }));
    const { email, password, api_key, api_secret } = person;
    return {
      base_url: baseUrl,
      organizations,
      integrator: { email, password, api_key, api_secret, organization_ids: [tenant.id] },
    };
  });
  writeFileSync(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

const { DEMO_FILE, BASE_URL } = process.env;
if (DEMO_FILE === undefined || BASE_URL === undefined) throw new Error('DEMO_FILE and BASE_URL are needed');
void seed(DEMO_FILE, BASE_URL);
