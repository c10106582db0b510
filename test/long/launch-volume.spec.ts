import { Client as Postgres } from 'pg';
import { useApi } from '../support/api';
import { testDatabase } from '../support/database';
import { Factories, type Person } from '../support/factories';
import { planOf } from '../support/plans';
import { statementsOf } from '../support/statements';

const api = useApi();
const make = new Factories(api);

const ofOne = 200_000;
const others = 1_000;
const ofEach = 800;

let database: Postgres;
/** Of the organization with the most assets, half of them domains that are verified. */
let member: Person;
/** Acts in all of the others. */
let partner: Person;

beforeAll(async () => {
  const { id } = await make.organization();
  member = await make.member(id, 'member');
  const integrator = await make.integrator();
  partner = integrator;
  database = new Postgres({ connectionString: (await testDatabase()).ownerUrl });
  await database.connect();
  await database.query(
    `INSERT INTO organizations (name, folded_name, integrator_id)
     SELECT 'Customer ' || n, 'customer ' || n, $1 FROM generate_series(1, $2::int) n`,
    [integrator.integratorId, others],
  );
  await addAssets('id = $1', id, ofOne);
  await addAssets('integrator_id = $1', integrator.integratorId, ofEach);
  await database.query(
    `INSERT INTO domains (organization_id, value, registrable, verified, verification_token)
     SELECT organization_id, value, 'example.com', true, 'token' FROM assets WHERE organization_id = $1 AND type = 'domain'`,
    [id],
  );
  await database.query('VACUUM ANALYZE');
});

afterAll(() => database.end());

async function addAssets(whose: string, id: number, each: number): Promise<void> {
  await database.query(
    `INSERT INTO assets (organization_id, value, type)
     SELECT o.id,
       CASE n % 4 WHEN 0 THEN 'https://www.n' || n || '.example.com/app'
         WHEN 1 THEN host('10.0.0.0'::inet + n) ELSE 'n' || n || '.example.com' END,
       CASE n % 4 WHEN 0 THEN 'url' WHEN 1 THEN 'ip' ELSE 'domain' END
     FROM organizations o, generate_series(1, $2::int) n WHERE ${whose}`,
    [id, each],
  );
}

it.each([
  ['a name below one of 100,000 domains', 'https://a.b.n4002.example.com/', true],
  ['a page', 'https://www.n4000.example.com/', false],
  ['an address', 'http://10.0.4.1/', false],
  ['a name that nobody has', 'https://a.b.c.d.e.nowhere.example.org/', false],
])('%s is judged by indexes alone, among a million assets', async (what, url, valid) => {
  for (const [who, { client }] of [
    ['a member', member],
    ['an integrator', partner],
  ] as const) {
    const began = performance.now();
    const { status, body } = await client.post('/v1/jobs/check', { url });
    process.stdout.write(`${what}, asked by ${who}: ${(performance.now() - began).toFixed(1)} ms\n`);
    expect([status, body.valid]).toEqual([200, valid && who === 'a member']);
    const statements = await statementsOf(() => client.post('/v1/jobs/check', { url }));
    const asked = statements.filter(({ text }) => text.includes('FROM assets'));
    expect(asked).toHaveLength(1);
    for (const statement of asked) {
      const ways = (await planOf(database, statement)).filter((node) => node['Relation Name'] === 'assets');
      expect(ways.map((node) => node['Index Name'])).toEqual(ways.map(() => 'ix_assets_value_bytes'));
    }
  }
});
