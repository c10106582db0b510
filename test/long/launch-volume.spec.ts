import { Client as Postgres } from 'pg';
import { useApi } from '../support/api';
import { testDatabase } from '../support/database';
import { Factories, type Person } from '../support/factories';
import { planOf } from '../support/plans';
import { statementsOf } from '../support/statements';

const api = useApi();
const make = new Factories(api);

const assetsOfLargeOrganization = 200_000;
const otherOrganizations = 1_000;
const assetsOfEachOther = 800;

let database: Postgres;
/** A member of the organization with most assets, half of them verified domains. */
let member: Person;
/** The integrator of all other organizations. */
let integratorPerson: Person;

beforeAll(async () => {
  const { id } = await make.organization();
  member = await make.member(id, 'member');
  const integrator = await make.integrator();
  integratorPerson = integrator;
  database = new Postgres({ connectionString: (await testDatabase()).ownerUrl });
  await database.connect();
  await database.query(
    `INSERT INTO organizations (name, folded_name, integrator_id)
     SELECT 'Customer ' || n, 'customer ' || n, $1 FROM generate_series(1, $2::int) n`,
    [integrator.integratorId, otherOrganizations],
  );
  await addAssets('id = $1', id, assetsOfLargeOrganization);
  await addAssets('integrator_id = $1', integrator.integratorId, assetsOfEachOther);
  await database.query(
    `INSERT INTO domains (organization_id, value, registrable, verified, verification_token)
     SELECT organization_id, value, 'example.com', true, 'token' FROM assets WHERE organization_id = $1 AND type = 'domain'`,
    [id],
  );
  await database.query('VACUUM ANALYZE');
});

afterAll(() => database.end());

async function addAssets(organizationFilter: string, id: number, each: number): Promise<void> {
  await database.query(
    `INSERT INTO assets (organization_id, value, type)
     SELECT o.id,
       CASE n % 4 WHEN 0 THEN 'https://www.n' || n || '.example.com/app'
         WHEN 1 THEN host('10.0.0.0'::inet + n) ELSE 'n' || n || '.example.com' END,
       CASE n % 4 WHEN 0 THEN 'url' WHEN 1 THEN 'ip' ELSE 'domain' END
     FROM organizations o, generate_series(1, $2::int) n WHERE ${organizationFilter}`,
    [id, each],
  );
}

it.each([
  ['a name below one of 100,000 domains', 'https://a.b.n4002.example.com/', true],
  ['a URL', 'https://www.n4000.example.com/', false],
  ['an IP address', 'http://10.0.4.1/', false],
  ['a name without an asset', 'https://a.b.c.d.e.nowhere.example.org/', false],
])('the launch rule for %s reads assets only through indexes, among a million assets', async (what, url, valid) => {
  for (const [who, { client }] of [
    ['a member', member],
    ['an integrator', integratorPerson],
  ] as const) {
    const began = performance.now();
    const { status, body } = await client.post('/v1/jobs/check', { url });
    process.stdout.write(`${what}, checked by ${who}: ${(performance.now() - began).toFixed(1)} ms\n`);
    expect([status, body.valid]).toEqual([200, valid && who === 'a member']);
    const statements = await statementsOf(() => client.post('/v1/jobs/check', { url }));
    const assetStatements = statements.filter(({ text }) => text.includes('FROM assets'));
    // The assets that cover it, and for what may be tested those with its hosting.
    expect(assetStatements).toHaveLength(body.valid ? 2 : 1);
    for (const statement of assetStatements) {
      const nodes = (await planOf(database, statement)).filter((node) => node['Relation Name'] === 'assets');
      expect(nodes.map((node) => node['Index Name'])).toEqual(nodes.map(() => 'ix_assets_value_bytes'));
    }
  }
});
