import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { WeakSite } from '../support/weak-site';

const site = new WeakSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
useWorker(engine);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(() => {
  site.mood = 'weak';
});

const draft = { title: 'Browsers may guess', severity: 'low' };
const builtIn = { id: 'missing-nosniff', location: site.url };

const written = `
id: no-nosniff
info: { name: No nosniff }
http:
  - path: ['{{BaseURL}}']
    matchers:
      - { type: word, part: header, words: [nosniff], negative: true }
`;

interface Scene {
  readonly client: Client;
  readonly assetId: number;
  readonly path: string;
}

async function event(value = site.url, type = 'url'): Promise<Scene> {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  const { id: assetId } = await make.asset(tenant.id, { value, type });
  const { slug } = await make.event(tenant.id);
  return { client, assetId, path: `/v1/events/${slug}/findings/` };
}

async function baselineTaken(id: number): Promise<void> {
  await eventually(async () =>
    expect(await query('SELECT 1 FROM finding_baselines WHERE finding_id = $1', [id])).toHaveLength(1),
  );
}

async function resultOf(client: Client, id: number): Promise<string> {
  const path = `/v1/findings/${id}/retest`;
  expect((await client.post(path)).status).toBe(202);
  await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
  return (await client.get(path)).body.result;
}

describe('a finding that is recorded with a check', () => {
  it.each([
    ['of ours', builtIn],
    ['in YAML', { http: written, location: site.url }],
  ])('%s is looked at, so that its first retest can show it fixed', async (_whose, check) => {
    const { client, assetId, path } = await event();
    const recorded = await client.post(path, { ...draft, asset_id: assetId, check });
    expect(recorded.status).toBe(201);
    await baselineTaken(recorded.body.id);
    site.mood = 'mended';
    expect(await resultOf(client, recorded.body.id)).toBe('fixed');
    expect((await client.get(`/v1/findings/${recorded.body.id}/`)).body.findings[0].status).toBe(5);
  });

  it('is known by its check and location, whatever its title', async () => {
    const { client, assetId, path } = await event();
    const { id } = (await client.post(path, { ...draft, asset_id: assetId, check: builtIn })).body;
    const again = await client.post(path, { ...draft, title: 'Another', asset_value: site.url, check: builtIn });
    expect([again.status, again.body.id]).toEqual([200, id]);
    await baselineTaken(id);
  });

  it('on what nobody may test is recorded, and nothing is sent', async () => {
    const { client, assetId, path } = await event('www.example.com', 'domain');
    const before = site.asked;
    const check = { id: 'missing-nosniff', location: 'https://www.example.com/' };
    const { id } = (await client.post(path, { ...draft, asset_id: assetId, check })).body;
    await eventually(async () => {
      const [entry] = await query<{ metadata: { reason: string } }>(
        `SELECT metadata FROM audit_logs WHERE operation = 'finding.baseline' AND resource_id = $1`,
        [String(id)],
      );
      expect(entry?.metadata.reason).toContain('is not verified');
    });
    expect(site.asked).toBe(before);
    expect((await client.post(`/v1/findings/${id}/retest`)).status).toBe(409);
  });

  it('must be on its asset', async () => {
    const { client, assetId, path } = await event('www.example.com', 'domain');
    const answer = await client.post(path, { ...draft, asset_id: assetId, check: builtIn });
    expect(answer.status).toBe(409);
    expect(answer.body.description).toContain("a check addresses its finding's asset alone");
  });

  it.each([
    ['missing-nosniff', 'check must be an object'],
    [{ ...builtIn, matcher: 1 }, 'matcher'],
    [{ ...builtIn, id: 'nonsense' }, 'nonsense'],
    [{ http: `${written}\nself-contained: true\n`, location: site.url }, 'self-contained is not supported'],
    [{ id: 'missing-nosniff' }, 'check.location'],
  ])('%j is refused by name', async (check, name) => {
    const { client, assetId, path } = await event();
    const answer = await client.post(path, { ...draft, asset_id: assetId, check });
    expect(answer.status).toBe(400);
    expect(answer.body.description).toContain(name);
  });
});
