import { useApi, useWorker } from '../support/api';
import { sortedStatuses, repeat } from '../support/answers';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { lockRows, expectWaitingForLocks } from '../support/row-locks';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = {
  EGRESS_ALLOW: site.endpoint,
  ENGINE_PROBE_SPREAD_MS: '20',
  ENGINE_REQUESTS_PER_SECOND: '1000',
  // Enough connections and time for twenty transactions that wait for each other.
  DATABASE_POOL_SIZE: '40',
};
const api = useApi(engine);
useWorker(engine);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(() => {
  site.state = 'vulnerable';
});

const draft = { title: 'Browsers may guess', severity: 'low' };
const builtIn = { id: 'missing-nosniff', location: site.url };

const yamlCheckFor = (word: string): string => `
id: no-nosniff
info: { name: No nosniff }
http:
  - path: ['{{BaseURL}}']
    matchers:
      - { type: word, part: header, words: [${word}], negative: true }
`;

const yamlCheck = yamlCheckFor('nosniff');

interface Fixture {
  readonly client: Client;
  readonly tenant: Tenant;
  readonly slug: string;
  readonly assetId: number;
  readonly path: string;
}

/** A running event with one asset in its scope. */
async function createEvent(value = site.url, type = 'url'): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { id: assetId } = await make.asset(tenant.id, { value, type });
  const { slug } = await make.event(tenant.id, { status: 'running' });
  await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
  return { client, tenant, slug, assetId, path: `/v1/events/${slug}/findings/` };
}

/** The results of the initial verifications of a finding, newest first. */
async function verificationsOf(id: number, count: number): Promise<{ seen: boolean; reason: string }[]> {
  let looks: { metadata: { seen: boolean; reason: string } }[] = [];
  await eventually(async () => {
    looks = await query(
      `SELECT metadata FROM audit_logs WHERE operation = 'finding.baseline' AND resource_id = $1 ORDER BY id DESC`,
      [String(id)],
    );
    expect(looks).toHaveLength(count);
  });
  return looks.map(({ metadata }) => metadata);
}

async function waitForBaseline(id: number): Promise<void> {
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
    ['that is built in', builtIn],
    ['in YAML', { http: yamlCheck, location: site.url }],
  ])('%s gets an initial verification, so that its first retest can show it fixed', async (_whose, check) => {
    const { client, assetId, path } = await createEvent();
    const recorded = await client.post(path, { ...draft, asset_id: assetId, check });
    expect(recorded.status).toBe(201);
    await waitForBaseline(recorded.body.id);
    site.state = 'fixed';
    expect(await resultOf(client, recorded.body.id)).toBe('fixed');
    expect((await client.get(`/v1/findings/${recorded.body.id}/`)).body.findings[0].status).toBe(5);
  });

  it('returns a warning when its check matches on the status alone', async () => {
    const { client, assetId, path } = await createEvent();
    const record = (check: object) => client.post(path, { ...draft, asset_id: assetId, check });
    const statusOnly = yamlCheck.replace(/\{ type: word.*/, '{ type: status, status: [200] }');
    for (const [status, description] of [
      [201, 'Finding created. See the warnings about its check.'],
      [200, 'Finding seen again. See the warnings about its check.'],
    ]) {
      const { body } = await record({ http: statusOnly, location: site.url });
      const warnings = [expect.stringContaining('check.http: http[0].matchers can match without content')];
      expect(body).toEqual({ code: status, description, id: expect.any(Number), success: true, warnings });
    }
    const { body } = await record(builtIn);
    expect(body).toEqual({ code: 201, description: 'Finding created.', id: expect.any(Number), success: true });
  });

  it('is identified by its check and location, whatever its title', async () => {
    const { client, assetId, path } = await createEvent();
    const { id } = (await client.post(path, { ...draft, asset_id: assetId, check: builtIn })).body;
    const again = await client.post(path, { ...draft, title: 'Another', asset_value: site.url, check: builtIn });
    expect([again.status, again.body.id]).toEqual([200, id]);
    await waitForBaseline(id);
    const [finding] = (await client.get(`/v1/findings/${id}/`)).body.findings;
    expect(finding).toMatchObject({ title: draft.title, cwe: 693 });
  });

  it('is recorded without any request when its target may not be tested', async () => {
    const { client, assetId, path } = await createEvent('www.example.com', 'domain');
    const before = site.requestCount;
    const check = { id: 'missing-nosniff', location: 'https://www.example.com/' };
    const { id } = (await client.post(path, { ...draft, asset_id: assetId, check })).body;
    expect(await verificationsOf(id, 1)).toEqual([{ seen: false, reason: expect.stringContaining('is not verified') }]);
    expect(site.requestCount).toBe(before);
    expect((await client.post(`/v1/findings/${id}/retest`)).status).toBe(409);
  });

  it('gets no initial verification in an event that is paused or excludes its target', async () => {
    const { client, tenant, slug, assetId, path } = await createEvent();
    const before = site.requestCount;
    await client.post(`/v1/events/${slug}/status`, { status: 'paused' });
    const paused = (await client.post(path, { ...draft, asset_id: assetId, check: builtIn })).body;
    expect((await verificationsOf(paused.id, 1))[0]?.reason).toContain('The event is paused');
    const other = await make.event(tenant.id, { status: 'running' });
    const otherFindings = `/v1/events/${other.slug}/findings/`;
    const outside = (await client.post(otherFindings, { ...draft, asset_id: assetId, check: builtIn })).body;
    expect(outside.id).toBe(paused.id);
    expect((await verificationsOf(outside.id, 2))[0]?.reason).toContain('is not in the scope of the event');
    expect(site.requestCount).toBe(before);
  });

  it('must have its check location on its asset', async () => {
    const { client, assetId, path } = await createEvent('www.example.com', 'domain');
    const answer = await client.post(path, { ...draft, asset_id: assetId, check: builtIn });
    expect(answer.status).toBe(409);
    expect(answer.body.description).toContain('the check of a finding must test the asset of the finding');
  });

  it.each([
    ['missing-nosniff', 'check must be an object'],
    [{ ...builtIn, matcher: 1 }, 'matcher'],
    [{ ...builtIn, id: 'nonsense' }, 'nonsense'],
    [{ http: `${yamlCheck}\nself-contained: true\n`, location: site.url }, 'self-contained is not supported'],
    [{ id: 'missing-nosniff' }, 'check.location'],
  ])('with the check %j is refused with a message that names the field', async (check, name) => {
    const { client, assetId, path } = await createEvent();
    const answer = await client.post(path, { ...draft, asset_id: assetId, check });
    expect(answer.status).toBe(400);
    expect(answer.body.description).toContain(name);
  });
});

describe('a finding that is recorded again', () => {
  const historyOf = async (client: Client, id: number): Promise<{ comment: string | null }[]> =>
    (await client.get(`/v1/findings/${id}/history`)).body.history;

  it('with a corrected check uses it, and discards the baseline of the earlier one', async () => {
    const { client, assetId, path } = await createEvent();
    const record = (http: string) =>
      client.post(path, { ...draft, asset_id: assetId, check: { http, location: site.url } });
    const { id } = (await record(yamlCheck)).body;
    expect(await verificationsOf(id, 1)).toEqual([{ seen: true, reason: expect.any(String) }]);

    // An incorrect check that does not detect the weakness.
    const wrong = await record(yamlCheckFor('html'));
    expect([wrong.status, wrong.body.id]).toEqual([200, id]);
    expect(await verificationsOf(id, 2)).toMatchObject([{ seen: false }, { seen: true }]);
    expect(await resultOf(client, id)).toBe('inconclusive');
    expect(await historyOf(client, id)).toMatchObject([
      { status: 1, previous_status: 1, comment: expect.stringContaining('check was replaced') },
      { status: 1, previous_status: null, comment: null },
    ]);
    const log = (await client.get(`/v1/audit-logs/?operation=finding.record&resource_id=${id}`)).body.audit_logs;
    expect(log.map(({ metadata }: { metadata: object }) => metadata)).toMatchObject([
      { outcome: 'seen_again', check_replaced: true },
      { outcome: 'created' },
    ]);

    await record(yamlCheck);
    expect((await verificationsOf(id, 3))[0]).toMatchObject({ seen: true });
    site.state = 'fixed';
    expect(await resultOf(client, id)).toBe('fixed');
  });

  it('keeps the check that has shown it, unless an admin records another', async () => {
    const { client, tenant, assetId, path } = await createEvent();
    const { client: member } = await tenant.as('member');
    const body = (word: string) => ({
      ...draft,
      asset_id: assetId,
      check: { http: yamlCheckFor(word), location: site.url },
    });
    const { id } = (await client.post(path, body('nosniff'))).body;
    await verificationsOf(id, 1);
    const refused = await member.post(path, body('never'));
    expect([refused.status, refused.body.id, refused.body.warnings]).toEqual([
      200,
      id,
      [expect.stringContaining('Only an admin may replace it')],
    ]);
    const storedCheck = async () =>
      (
        await query<{ http: string }>(`SELECT check_definition ->> 'http' AS http FROM findings WHERE id = $1`, [id])
      )[0];
    expect((await storedCheck())?.http).toBe(yamlCheckFor('nosniff'));
    expect((await client.post(path, body('never'))).body.warnings).not.toContainEqual(refused.body.warnings[0]);
    expect((await storedCheck())?.http).toBe(yamlCheckFor('never'));
  });

  it('with the same check gets another initial verification and no other change', async () => {
    const { client, assetId, path } = await createEvent();
    const check = { http: yamlCheck, location: site.url };
    const { id } = (await client.post(path, { ...draft, asset_id: assetId, check })).body;
    await verificationsOf(id, 1);
    expect((await client.post(path, { ...draft, asset_id: assetId, check })).status).toBe(200);
    await verificationsOf(id, 2);
    expect(await historyOf(client, id)).toHaveLength(1);
  });

  it('with a corrected check during a retest with the earlier one drops that result', async () => {
    const { client, assetId, path } = await createEvent();
    const check = (word: string) => ({ http: yamlCheckFor(word), location: site.url });
    const { id } = (await client.post(path, { ...draft, asset_id: assetId, check: check('nosniff') })).body;
    await verificationsOf(id, 1);
    site.hold();
    const retest = `/v1/findings/${id}/retest`;
    await client.post(retest);
    await eventually(async () => expect(site.heldRequests).toBe(1));
    await client.post(path, { ...draft, asset_id: assetId, check: check('never') });
    site.state = 'fixed';
    site.release();
    await eventually(async () => expect((await client.get(retest)).body.status).toBe('error'));
    expect((await client.get(`${retest}/evidence`)).body.reason).toContain('check of the finding was replaced');
    expect((await client.get(`/v1/findings/${id}/`)).body.findings[0].status).toBe(1);
  });

  it('in another event is verified by the rules of that event', async () => {
    const { client, tenant, slug, assetId, path } = await createEvent();
    await query(`UPDATE events SET status = 'finished' WHERE slug = $1`, [slug]);
    const { id } = (await client.post(path, { ...draft, asset_id: assetId, check: builtIn })).body;
    expect(await verificationsOf(id, 1)).toEqual([
      { seen: false, reason: expect.stringContaining('The event is finished') },
    ]);

    const another = await make.event(tenant.id, { status: 'running' });
    await client.post(`/v1/events/${another.slug}/scope/assets/`, { asset_id: assetId });
    const body = { ...draft, asset_id: assetId, check: builtIn };
    expect((await client.post(`/v1/events/${another.slug}/findings/`, body)).body.id).toBe(id);
    expect((await verificationsOf(id, 2))[0]).toMatchObject({ seen: true });
  });

  it('in another event during the initial verification is verified for both events', async () => {
    const { client, tenant, assetId, path } = await createEvent();
    const body = { ...draft, asset_id: assetId, check: builtIn };
    site.hold();
    const { id } = (await client.post(path, body)).body;
    await eventually(async () => expect(site.heldRequests).toBe(1));
    const another = await make.event(tenant.id, { status: 'paused' });
    await client.post(`/v1/events/${another.slug}/findings/`, body);
    expect(await verificationsOf(id, 1)).toMatchObject([{ seen: false, reason: expect.stringContaining('paused') }]);
    site.release();
    expect(await verificationsOf(id, 2)).toMatchObject([{ seen: true }, { seen: false }]);
  });

  it('twenty times exactly when the initial verification ends causes no conflict', async () => {
    const { client, assetId, path } = await createEvent();
    const record = () => client.post(path, { ...draft, asset_id: assetId, check: builtIn });
    site.hold();
    const { id } = (await record()).body;
    await eventually(async () => expect(site.heldRequests).toBe(1));
    const release = await lockRows('findings', [id]);
    const again = Promise.all(repeat(20, record).map((one) => one()));
    await expectWaitingForLocks(20);
    site.release();
    await expectWaitingForLocks(21);
    await release();
    expect(sortedStatuses(await again)).toEqual(repeat(20, 200));
    const failed = await query('SELECT 1 FROM work WHERE kind = $1 AND reference LIKE $2 AND failures > 0', [
      'finding.baseline',
      `${id} %`,
    ]);
    expect(failed).toEqual([]);
  });
});

describe('a check that changes state', () => {
  const postCheck = yamlCheckFor('nosniff')
    .replace('id: no-nosniff', 'id: post')
    .replace('- path', '- method: POST\n    path');
  const check = { http: postCheck, location: site.url };

  it('runs only when an admin allows it for the finding, and no longer when the check is replaced', async () => {
    const { client, tenant, assetId, path } = await createEvent();
    const member = (await tenant.as('member')).client;
    const recorded = await member.post(path, { ...draft, asset_id: assetId, check });
    const { id } = recorded.body;
    expect(recorded.body.warnings).toContainEqual(expect.stringContaining('allow_unsafe'));
    const forbidden = expect.stringContaining('this check changes state; an admin must allow it');
    expect(await verificationsOf(id, 1)).toEqual([{ seen: false, reason: forbidden }]);
    const finding = `/v1/findings/${id}/`;
    const retest = await client.post(`/v1/findings/${id}/retest`);
    expect([retest.status, retest.body.description]).toEqual([409, forbidden]);
    const refusals = `SELECT 1 FROM audit_logs WHERE operation = 'retest.start' AND status = 'failure' AND metadata ->> 'finding_id' = $1`;
    expect(await query(refusals, [String(id)])).toHaveLength(1);

    expect((await member.patch(finding, { allow_unsafe: true })).status).toBe(403);
    const allowing = { ...draft, asset_id: assetId, check: { ...check, allow_unsafe: true } };
    expect((await member.post(path, allowing)).status).toBe(403);
    expect((await client.get(finding)).body.findings[0].allow_unsafe).toBe(false);
    expect((await client.patch(finding, { allow_unsafe: true })).body.findings[0].allow_unsafe).toBe(true);
    expect((await verificationsOf(id, 2))[0]).toMatchObject({ seen: true });
    // Recording the same check again does not end what the admin allowed.
    await member.post(path, { ...draft, asset_id: assetId, check });
    expect((await verificationsOf(id, 3))[0]).toMatchObject({ seen: true });
    site.state = 'fixed';
    expect(await resultOf(client, id)).toBe('fixed');

    const replaced = { ...check, http: postCheck.replace('[nosniff]', '[never]') };
    await client.post(path, { ...draft, asset_id: assetId, check: replaced });
    expect((await client.get(finding)).body.findings[0].allow_unsafe).toBe(false);
    expect((await verificationsOf(id, 4))[0]).toEqual({ seen: false, reason: forbidden });
    const [{ metadata }] = (await query<{ metadata: { changes: object } }>(
      `SELECT metadata FROM audit_logs WHERE operation = 'finding.change' AND resource_id = $1 AND status = 'success'`,
      [String(id)],
    )) as [{ metadata: { changes: object } }];
    expect(metadata.changes).toEqual({ allow_unsafe: { from: false, to: true } });
  });

  it('can be allowed when it is recorded, and other checks cannot', async () => {
    const { client, assetId, path } = await createEvent();
    const record = (fields: object) => client.post(path, { ...draft, asset_id: assetId, check: fields });
    const { id } = (await record({ ...check, allow_unsafe: true })).body;
    expect(await verificationsOf(id, 1)).toEqual([
      { seen: true, reason: expect.stringContaining('POST / returned 200') },
    ]);
    const refused = await record({ http: yamlCheck, location: site.url, allow_unsafe: true });
    expect([refused.status, refused.body.description]).toEqual([
      400,
      expect.stringContaining('there is nothing to allow'),
    ]);
    const { id: other } = (await record(builtIn)).body;
    const patched = await client.patch(`/v1/findings/${other}/`, { allow_unsafe: true });
    expect([patched.status, patched.body.description]).toEqual([
      422,
      expect.stringContaining('there is nothing to allow'),
    ]);
  });
});
