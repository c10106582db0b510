import 'reflect-metadata';
import { runInDomain } from '../../cli/run-in-domain';
import { type Demo, writeDemo } from '../demo-file';
import { DemoSession } from './demo-session';
import { seedPartner, seedTenant } from './seed-people';
import { seedRecords } from './seed-records';
import { seedTarget } from './seed-target';

const tenants = [
  ['Northwind Traders', 'northwind.example'],
  ['Contoso', 'contoso.example'],
] as const;

/** Creates the demo data and writes `demo.json`. `npm start` runs this in a child process. */
async function seed(file: string, baseUrl: string, targetUrl: string): Promise<void> {
  const demo = await runInDomain(async (app): Promise<Demo> => {
    const organizations: Demo['organizations'] = [];
    for (const [name, domain] of tenants) {
      const { id, users } = await seedTenant(app, name, domain);
      const [owner] = users;
      if (owner === undefined) throw new Error('The seeded organization has no owner.');
      const records = await seedRecords(await DemoSession.signIn(app, owner), id, domain);
      organizations.push({ id, name, ...records, users: users.map(({ userId: _id, ...shown }) => shown) });
    }
    const { person, tenant } = await seedPartner(app, 'Fabrikam Partners', 'fabrikam.example', 'Fabrikam Customer');
    const { userId: _id, ...partner } = person;
    const integrator = { ...partner, organization_ids: [tenant.id] };
    const created = { base_url: baseUrl, demo_target_url: null, organizations, integrator };
    return targetUrl === '' ? created : seedTarget(app, created, targetUrl);
  });
  writeDemo(file, demo);
}

const { DEMO_FILE, BASE_URL, DEMO_TARGET_URL } = process.env;
if (DEMO_FILE === undefined || BASE_URL === undefined) throw new Error('DEMO_FILE and BASE_URL must be set');
void seed(DEMO_FILE, BASE_URL, DEMO_TARGET_URL ?? '');
