import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import type { Role } from '../../../kernel/role';
import { JobsService } from '../../../modules/jobs';
import { runInDomain } from '../../cli/run-in-domain';
import { type Demo, writeDemo } from '../demo-file';
import { type DemoFinding, demoFindings } from './demo-findings';
import { DemoSession, type DemoTeam } from './demo-session';
import { examplesOf } from './examples';
import { type DemoTenant, seedPartner, seedTenant } from './seed-people';
import { seedRecords } from './seed-records';
import { seedTarget } from './seed-target';

type People = Readonly<Record<Role, string>>;

const NORTHWIND_PEOPLE: People = {
  owner: 'Ada Ito',
  admin: 'Mara Lindqvist',
  member: 'Jonas Weber',
  viewer: 'Priya Nair',
};

const CONTOSO_PEOPLE: People = {
  owner: 'Elena Rossi',
  admin: 'Samuel Okafor',
  member: 'Chloé Martin',
  viewer: 'David Kim',
};

type DemoOrganization = Demo['organizations'][number];

/**
 * Creates the demo data and writes `demo.json`: first with the users, whose keys then work, and again with everything. `npm start`
 * runs this in a child process.
 */
async function seed(file: string, baseUrl: string, targetUrl: string): Promise<void> {
  const demo = await runInDomain(async (app): Promise<Demo> => {
    const northwindUsers = await seedTenant(app, 'Northwind Traders', 'northwind.example', NORTHWIND_PEOPLE);
    const contosoUsers = await seedTenant(app, 'Contoso', 'contoso.example', CONTOSO_PEOPLE);
    const { person, tenant } = await seedPartner(app, 'Fabrikam Partners', 'fabrikam.example', 'Fabrikam Customer');
    const { userId: _id, ...partner } = person;
    const withUsers: Demo = {
      base_url: baseUrl,
      demo_target_url: null,
      organizations: [northwindUsers, contosoUsers].map(withoutRecords),
      integrator: { ...partner, organization_ids: [tenant.id] },
    };
    writeDemo(file, { ...withUsers, records: 'pending' });
    process.send?.({ type: 'ready' });
    const northwind = await seedOrganization(app, northwindUsers, 'northwind.example', demoFindings.northwind);
    const contoso = await seedOrganization(app, contosoUsers, 'contoso.example', demoFindings.contoso);
    const created = { ...withUsers, organizations: [northwind.organization, await withReports(contoso)] };
    if (targetUrl !== '') return withJob(northwind.team, await seedTarget(app, created, targetUrl), targetUrl);
    const [, ...others] = created.organizations;
    return { ...created, organizations: [await withReport(northwind), ...others] };
  });
  writeDemo(file, { ...demo, examples: examplesOf(demo) });
}

interface SeededOrganization {
  readonly team: DemoTeam;
  readonly organization: DemoOrganization & { readonly event_slug: string };
}

function withoutRecords({ id, name, users }: DemoTenant): DemoOrganization {
  const shown = users.map(({ userId: _id, ...user }) => user);
  return { id, name, event_slug: null, asset_ids: [], finding_ids: [], report_id: null, users: shown };
}

async function seedOrganization(
  app: INestApplicationContext,
  tenant: DemoTenant,
  domain: string,
  findings: readonly DemoFinding[],
): Promise<SeededOrganization> {
  const team = await DemoSession.signInTeam(app, tenant.users);
  const records = await seedRecords(team, tenant.id, domain, findings);
  return { team, organization: { ...withoutRecords(tenant), ...records } };
}

const withReport = async ({ team, organization }: SeededOrganization): Promise<DemoOrganization> => ({
  ...organization,
  report_id: await team.member.orderReport(organization.event_slug, 'pdf'),
});

/** No finding of it has a CVE, so that the VEX document fails with a reason. */
async function withReports(seeded: SeededOrganization): Promise<DemoOrganization> {
  await seeded.team.member.orderReport(seeded.organization.event_slug, 'vex');
  return withReport(seeded);
}

/** Launches a job on the demo target in the event, as a pipeline would. `seed-results.ts` continues when it has finished. */
async function withJob({ member }: DemoTeam, demo: Demo, url: string): Promise<Demo> {
  const [first, ...others] = demo.organizations;
  if (first === undefined) throw new Error('The demo data has no organization.');
  const order = { url, beaconId: null, eventSlug: first.event_slug };
  const job_uuid = await member.run('job.launch', 'job', () =>
    member.app.get(JobsService).launch(member.caller, order),
  );
  return { ...demo, results: 'pending', organizations: [{ ...first, job_uuid }, ...others] };
}

const { DEMO_FILE, BASE_URL, DEMO_TARGET_URL } = process.env;
if (DEMO_FILE === undefined || BASE_URL === undefined) throw new Error('DEMO_FILE and BASE_URL must be set');
void seed(DEMO_FILE, BASE_URL, DEMO_TARGET_URL ?? '');
