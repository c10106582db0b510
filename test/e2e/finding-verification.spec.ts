import { LibraryLoader } from '../../src/modules/checks';
import { NOT_REQUESTED, ScannedVerificationsService } from '../../src/modules/findings';
import { seenFiles } from '../../src/scanner-files/testing/seen-files';
import { everything } from '../../src/platform/api/scope';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { useWorkerProcess } from '../support/processes';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
/** A site that only another organization may test. */
const foreign = new VulnerableSite();
const engine = {
  EGRESS_ALLOW: `${site.endpoint},2147483000@${foreign.endpoint}`,
  ENGINE_PROBE_SPREAD_MS: '20',
  ENGINE_REQUESTS_PER_SECOND: '1000',
};
const api = useApi(engine);
// A process does not start with an entry for an organization that does not exist.
beforeAll(() => query(`INSERT INTO organizations (id, name, folded_name) VALUES (2147483000, 'Another', 'another')`));
useWorkerProcess(engine);
const make = new Factories(api);

beforeAll(() => Promise.all([site.start(), foreign.start()]));
afterAll(() => Promise.all([site.stop(), foreign.stop()]));

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly slug: string;
  readonly assetId: number;
}

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { id: assetId } = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const { slug } = await make.event(tenant.id, { status: 'running' });
  await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
  return { tenant, client, slug, assetId };
}

const filtered = async ({ client, tenant, slug }: Fixture, verification: string): Promise<number[][]> =>
  Promise.all(
    [`organizations/${tenant.id}`, `events/${slug}`].map(async (path) => {
      const { body } = await client.get(`/v1/${path}/findings/?verification=${verification}&sort=severity`);
      return body.findings.map(({ id }: { id: number }) => id);
    }),
  );

const read = async ({ client }: Pick<Fixture, 'client'>, id: number): Promise<Answer['body']> =>
  (await client.get(`/v1/findings/${id}/`)).body.findings[0];

async function recorded(at: Fixture, state: VulnerableSite['state']): Promise<Answer['body']> {
  site.state = state;
  const check = { id: 'missing-nosniff', location: site.url };
  const body = { title: 'Browsers may guess', severity: 'low', asset_id: at.assetId, check };
  const { id } = (await at.client.post(`/v1/events/${at.slug}/findings/`, body)).body;
  let finding: Answer['body'];
  await eventually(async () => {
    finding = await read(at, id);
    expect(finding.verification.tested_at).not.toBeNull();
  });
  return finding;
}

describe('the verification of a recorded finding', () => {
  it.each([
    ['confirmed', 'vulnerable', 'X-Content-Type-Options'],
    ['refuted', 'fixed', 'The decisive request was sent 16 times'],
    ['inconclusive', 'unavailable', '503'],
    ['inconclusive', 'redirected', 'redirects to https://login.example.com'],
  ] as const)('is %s where the site is %s, and the status stays', async (result, state, reason) => {
    const at = await fixture();
    const finding = await recorded(at, state);
    expect(finding.verification).toMatchObject({ result, reason: expect.stringContaining(reason) });
    expect(finding.verification.reason.includes('. Next: ')).toBe(result === 'inconclusive');
    expect(finding.status).toBe(1);
    expect((await at.client.get(`/v1/findings/${finding.id}/history`)).body.history).toHaveLength(1);
    expect(await filtered(at, result)).toEqual([[finding.id], [finding.id]]);
    expect(await filtered(at, 'untested')).toEqual([[], []]);
  });

  it('of a finding that was once confirmed does not change when the weakness is fixed', async () => {
    const at = await fixture();
    const { id } = await recorded(at, 'vulnerable');
    expect((await recorded(at, 'vulnerable')).id).toBe(id);
    site.state = 'fixed';
    await at.client.post(`/v1/findings/${id}/retest`);
    await eventually(async () =>
      expect((await at.client.get(`/v1/findings/${id}/retest`)).body.status).toBe('finished'),
    );
    expect(await read(at, id)).toMatchObject({
      status: 5,
      verification: { result: 'confirmed' },
    });
  });

  it('states that no check is bound', async () => {
    const at = await fixture();
    const { id } = (
      await at.client.post(`/v1/events/${at.slug}/findings/`, {
        title: 'By hand',
        severity: 'low',
        asset_id: at.assetId,
      })
    ).body;
    expect((await read(at, id)).verification).toEqual({
      result: 'untested',
      reason: 'No check is bound to the finding.',
      tested_at: null,
    });
    expect(await filtered(at, 'untested')).toEqual([[id], [id]]);
    expect((await at.client.get(`/v1/organizations/${at.tenant.id}/findings/?verification=true`)).status).toBe(400);
  });
});

const finding = (url: string, severity = 'low') => ({
  'template-id': 'http-missing-security-headers',
  'matcher-name': 'x-content-type-options',
  info: { name: 'A missing header', severity },
  type: 'http',
  'matched-at': url,
});

async function imported(
  { client, slug }: Pick<Fixture, 'client' | 'slug'>,
  findings: readonly (object | string)[],
  parameters = '',
  path = `/v1/events/${slug}/imports`,
): Promise<number> {
  const file = new Blob(
    findings.map((one) => (typeof one === 'string' ? one : `${JSON.stringify(one)}\n`)),
    { type: 'application/x-ndjson' },
  );
  const { body, status, text } = await client.post(path + parameters, file);
  if (status !== 202) throw new Error(text);
  await eventually(async () =>
    expect((await client.get(`/v1/imports/${body.id}`)).body).toMatchObject({ status: 'FINISHED' }),
  );
  return body.id;
}

const countsOf = async ({ client }: Fixture, id: number): Promise<unknown> =>
  (await client.get(`/v1/imports/${id}`)).body.verification;

const listOf = async ({ client, slug }: Fixture): Promise<Answer['body'][]> =>
  (await client.get(`/v1/events/${slug}/findings/`)).body.findings;

describe('the findings of an import', () => {
  beforeEach(() => {
    site.state = 'fixed';
  });

  it.each([
    ['confirmed', 'vulnerable'],
    ['refuted', 'fixed'],
    ['inconclusive', 'unavailable'],
  ] as const)('are %s where the site is %s, which the import counts, and keep their status', async (result, state) => {
    const at = await fixture();
    site.state = state;
    const id = await imported(at, [finding(site.url)]);
    await eventually(async () =>
      expect(await countsOf(at, id)).toEqual({
        tested: 1,
        confirmed: 0,
        refuted: 0,
        inconclusive: 0,
        untested: 0,
        waiting: 0,
        [result]: 1,
      }),
    );
    const results = { confirmed: 0, refuted: 0, inconclusive: 0, [result]: 1 };
    expect((await at.client.get(`/v1/imports/${id}`)).body.summary).toBe(
      `1 imported, 1 new; 1 tested: ${results.confirmed} confirmed, ${results.refuted} refuted, ${results.inconclusive} inconclusive.`,
    );
    expect(await listOf(at)).toEqual([
      expect.objectContaining({ status: 1, verification: expect.objectContaining({ result }) }),
    ]);
    // People decide about refuted findings in bulk.
    const list = `/v1/organizations/${at.tenant.id}/findings/?import=${id}&verification=refuted`;
    const ids = (await at.client.get(list)).body.findings.map((one: Answer['body']) => one.id);
    expect(ids).toHaveLength(result === 'refuted' ? 1 : 0);
    expect((await at.client.get(list.replace(`=${id}`, `=${id + 1}`))).body.findings).toEqual([]);
    // The same file again changes nothing, and asks for no test.
    expect(await countsOf(at, await imported(at, [finding(site.url)]))).toMatchObject({ tested: 0, untested: 0 });
    for (const findingId of ids) {
      const action = { status: 7, comment: 'The test shows that it is not there.' };
      const { body } = await at.client.post('/v1/findings/bulk', { finding_ids: ids, action });
      expect(body).toMatchObject({ changed: 1, refused: 0 });
      expect(await read(at, findingId)).toMatchObject({ status: 7, verification: { result: 'refuted' } });
    }
  });

  it('are refuted by sixteen requests to the path that the scanner named, and four to the others', async () => {
    const at = await fixture();
    site.state = 'removed';
    const git = { 'template-id': 'git-config', info: { name: 'Git', severity: 'medium' }, type: 'http' };
    await imported(at, [{ ...git, 'matched-at': `${site.url}.git/config` }]);
    await eventually(async () =>
      expect(await listOf(at)).toEqual([
        expect.objectContaining({
          verification: expect.objectContaining({
            result: 'refuted',
            reason: expect.stringContaining(
              'GET /.git/config 16 times; GET /.git/HEAD, GET /.git/index, GET /.git/logs/HEAD 4 times.',
            ),
          }),
        }),
      ]),
    );
  });

  it.each(Object.entries(seenFiles))(
    'are never refuted where the response in the file is of the server of another site (%s)',
    async (_format, fileOf) => {
      site.state = 'protected';
      const request = 'GET / HTTP/1.1\r\nHost: shop.example.com\r\n\r\n';
      const ofServer = async (server: string) => {
        const at = await fixture();
        await imported(at, [fileOf({ url: site.url, request, server, title: 'A site' })]);
        let verification: Answer['body'];
        await eventually(async () => {
          [{ verification }] = await listOf(at);
          expect(verification.tested_at).not.toBeNull();
        });
        return verification;
      };
      expect(await ofServer('site')).toMatchObject({ result: 'refuted' });
      const another = await ofServer('Apache');
      expect(another).toMatchObject({ result: 'inconclusive' });
      expect(another.reason).toContain(
        'the scanner had a response from the server apache, and now site responds: this may be another site',
      );
    },
  );

  it('are not tested without a check, without a verified domain, or by a dry run: no request is sent', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const { id: assetId } = await make.asset(tenant.id, { value: 'unverified.example.com', type: 'domain' });
    const { slug } = await make.event(tenant.id, { status: 'running' });
    await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
    const at = { tenant, client, slug, assetId };
    const before = site.requestCount;
    const url = 'http://unverified.example.com/';
    const id = await imported(at, [finding(url), { ...finding(url), 'template-id': 'another' }]);
    const reasons = (await listOf(at)).map(({ verification }) => verification.reason);
    expect(reasons.sort()).toEqual([
      'No check is bound to the finding.',
      expect.stringContaining('is not verified: add it to your domains'),
    ]);
    expect(await countsOf(at, id)).toMatchObject({ tested: 0, untested: 0 });
    expect((await at.client.get(`/v1/imports/${id}`)).body).toMatchObject({
      summary: '2 imported, 2 new; 0 tested; 2 not tested.',
      untested: expect.arrayContaining(reasons.map((reason) => ({ reason, findings: 1 }))),
    });
    const allowed = await fixture();
    await imported(allowed, [finding(site.url)], '?dry_run=true');
    expect(site.requestCount).toBe(before);
    const sql = `SELECT 1 FROM work WHERE kind = 'finding.baseline' AND organization_id = ANY($1::int[])`;
    expect(await query(sql, [[tenant.id, allowed.tenant.id]])).toEqual([]);
  });

  it('on an asset that the import has added are not tested, and no connection is made', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const own = `/v1/organizations/${tenant.id}`;
    const parameters = '?unknown_assets=add';
    const id = await imported({ client, slug: '' }, [finding(foreign.url)], parameters, `${own}/imports`);
    expect((await client.get(`/v1/imports/${id}`)).body.rows).toMatchObject({ new: 1, refused: 0 });
    const [added] = (await client.get(`${own}/findings/`)).body.findings;
    expect(added).toMatchObject({ asset_value: '127.0.0.1', verification: { result: 'untested' } });
    expect(added.verification.reason).toContain('its owner cannot be verified');
    expect((await client.post(`/v1/findings/${added.id}/retest`)).status).toBe(409);
    expect(foreign.connectionCount).toBe(0);
  });

  it('are tested from the most severe down, at most 500 of an import; undoing it removes the tests that wait', async () => {
    const at = await fixture();
    site.hold();
    try {
      const low = Array.from({ length: 500 }, (_, number) => finding(`${site.url}${number}`));
      const id = await imported(at, [...low, finding(`${site.url}high`, 'high')]);
      const work = `SELECT split_part(reference, ' ', 1)::int AS id FROM work WHERE kind = 'finding.baseline' AND organization_id = $1`;
      const asked = await query<{ id: number }>(`${work} ORDER BY work.id`, [at.tenant.id]);
      expect(asked).toHaveLength(500);
      const [first] = await query<{ id: number }>(
        'SELECT id FROM findings WHERE organization_id = $1 ORDER BY severity DESC LIMIT 1',
        [at.tenant.id],
      );
      expect(asked[0]).toEqual(first);
      expect(
        await query(`SELECT 1 FROM findings WHERE organization_id = $1 AND verification_reason LIKE 'Only 500%'`, [
          at.tenant.id,
        ]),
      ).toHaveLength(1);
      await at.client.post(`/v1/imports/${id}/undo`);
      await eventually(async () =>
        expect((await at.client.get(`/v1/imports/${id}`)).body).toMatchObject({ status: 'UNDONE', removed: 501 }),
      );
      expect(await query(`${work} AND state IN ('waiting', 'running')`, [at.tenant.id])).toEqual([]);
    } finally {
      site.release();
    }
  });
});

const template = (path: string, more = '') => `id: seen-by-scanner
info:
  name: Seen by a scanner
  severity: high
http:
  - method: GET
    path: ["{{BaseURL}}${path}"]
${more}    matchers:
      - type: word
        words: ["refs/heads/main"]
`;

/** A result of Nuclei that carries its template. */
const carrying = (source: string, url: string, id = 'seen-by-scanner') => ({
  'template-id': id,
  'template-encoded': Buffer.from(source).toString('base64'),
  info: { name: 'Seen by a scanner', severity: 'high' },
  type: 'http',
  'matched-at': url,
});

/** A result of Nuclei with a request and a text of its response. */
const replayed = (url: string, match: string, method = 'GET') => ({
  'template-id': 'no-such-template',
  info: { name: 'Seen in a response', severity: 'low' },
  type: 'http',
  'matched-at': url,
  'extracted-results': [match],
  request: `${method} ${new URL(url).pathname} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nCookie: session=secret\r\nAuthorization: Bearer secret\r\n\r\n`,
  response: `HTTP/1.1 200 OK\r\n\r\n${match}`,
});

const proposalsOf = async ({ client }: Pick<Fixture, 'client'>, id: number): Promise<Answer['body'][]> =>
  (await client.get(`/v1/imports/${id}/proposals`)).body.proposals;

const decide = async (client: Client, id: number, decision: string, ids: readonly number[]): Promise<Answer> =>
  client.post(`/v1/imports/${id}/proposals/decisions`, { decision, proposal_ids: ids });

async function undone({ client }: Fixture, id: number): Promise<void> {
  expect((await client.post(`/v1/imports/${id}/undo`)).status).toBe(202);
  await eventually(async () =>
    expect((await client.get(`/v1/imports/${id}`)).body).toMatchObject({ status: 'UNDONE' }),
  );
}

/** What the worker does after the last attempt has failed. */
async function abandon(kind: string, reference: string, { tenant }: Fixture): Promise<void> {
  const owner = { organizationId: tenant.id, integratorId: null, assetId: null, eventId: null };
  const handler = api.app.get(WorkRegistry).handlerOf(kind);
  const { audit, apply } = handler.abandon({ id: '1', kind, reference, ...owner, attempt: 5, failures: 4 }, 'a test');
  await api.app.get(UnitOfWork).run(audit, everything('a test'), apply);
}

const whenVerified = async (at: Fixture, id: number, result: string): Promise<Answer['body']> => {
  let verification: Answer['body'];
  await eventually(async () => {
    ({ verification } = await read(at, id));
    expect(verification.result).toBe(result);
  });
  return verification;
};

const findingOf = async (at: Fixture, place: string): Promise<number> => {
  const [row] = await query<{ id: number }>(
    'SELECT finding_id AS id FROM finding_sightings WHERE organization_id = $1 AND location LIKE $2',
    [at.tenant.id, `%${place}`],
  );
  return row?.id ?? 0;
};

describe('the checks that a file carries', () => {
  beforeEach(() => {
    site.state = 'exposed';
  });

  it('run only after their approval, and then test exactly the findings that carry them', async () => {
    const at = await fixture();
    const member = await at.tenant.as('member');
    const viewer = await at.tenant.as('viewer');
    const before = site.requestCount;
    const own = template('/.git/HEAD');
    const file = [
      carrying(own, `${site.url}.git/HEAD`),
      carrying(own, `${site.url}elsewhere`),
      carrying(template('/.git/HEAD', '    redirects: true\n'), `${site.url}shop/.git/HEAD`),
      carrying(template('/x', '    unsafe: true\n'), `${site.url}x`, 'refused-by-engine'),
      carrying(template('/{{missing}}'), `${site.url}x`, 'needs-values'),
      carrying(template('/post', '    body: a\n').replace('GET', 'POST'), `${site.url}post`, 'changes-state'),
    ];
    const id = await imported(at, file);
    const proposals = await proposalsOf(at, id);
    expect(site.requestCount).toBe(before);
    expect(await countsOf(at, id)).toMatchObject({ tested: 0, untested: 0 });
    expect(proposals).toHaveLength(5);
    const proposal = proposals.find(({ source }) => source === own);
    expect(proposal).toMatchObject({
      kind: 'template',
      status: 'proposed',
      findings: 2,
      rule_id: 'seen-by-scanner',
      check_id: 'http:seen-by-scanner',
      requests: [{ method: 'GET', target: '{{BaseURL}}/.git/HEAD' }],
      refusal: null,
    });
    const ofRule = (rule: string): Answer['body'] => proposals.find(({ rule_id }) => rule_id === rule);
    expect(ofRule('refused-by-engine').refusal).toContain('unsafe');
    expect(ofRule('needs-values')).toMatchObject({
      missing_values: ['missing'],
      refusal: expect.stringContaining('missing'),
    });
    expect(ofRule('changes-state')).toMatchObject({ unsafe_methods: ['POST'], refusal: null });
    const refused = [ofRule('refused-by-engine').id, ofRule('needs-values').id, 2_147_483_647];
    expect((await decide(viewer.client, id, 'approve', [proposal.id])).status).toBe(403);
    const { body } = await decide(member.client, id, 'approve', [proposal.id, ofRule('changes-state').id, ...refused]);
    expect(body).toMatchObject({ decided: 2, refused: 3 });
    expect(body.results.map(({ status }: Answer['body']) => status)).toEqual([200, 200, 422, 422, 404]);
    const findingId = await findingOf(at, '/.git/HEAD');
    await whenVerified(at, await findingOf(at, `${site.port}/.git/HEAD`), 'confirmed');
    expect(
      await query('SELECT id FROM findings WHERE organization_id = $1 AND check_id IS NOT NULL', [at.tenant.id]),
    ).toHaveLength(2);
    const after = (await proposalsOf(at, id)).find((one) => one.id === proposal.id);
    expect(after).toMatchObject({
      status: 'approved',
      bound: 1,
      not_bound: 1,
      not_bound_reason: expect.stringContaining('does not say at which URL'),
      decided_by: { type: 'user', id: String(member.userId) },
    });
    // What changes state waits for an admin.
    await eventually(async () =>
      expect((await read(at, await findingOf(at, '/post'))).verification.reason).toContain('an admin must allow it'),
    );
    const { history } = (await at.client.get(`/v1/findings/${findingId}/history`)).body;
    expect(history[0]).toMatchObject({
      actor: { type: 'user', id: String(member.userId) },
      comment: expect.stringContaining('was approved as its check'),
    });
    const ofFinding = (await at.client.get(`/v1/findings/${findingId}/proposals`)).body.proposals;
    expect(ofFinding.map((one: Answer['body']) => one.id)).toEqual([proposal.id]);
    // Approving again changes nothing, and what is bound cannot be declined.
    expect((await decide(member.client, id, 'approve', [proposal.id])).body.decided).toBe(1);
    expect((await decide(member.client, id, 'decline', [proposal.id])).body.results[0].status).toBe(409);
    // The approval is no change that keeps the import from being undone. What its check has confirmed stays.
    expect((await at.client.post(`/v1/imports/${id}/undo`)).status).toBe(202);
    await eventually(async () =>
      expect((await at.client.get(`/v1/imports/${id}`)).body).toMatchObject({ status: 'UNDONE', removed: 5, kept: 1 }),
    );
    expect(await proposalsOf(at, id)).toEqual([]);
    expect((await decide(member.client, id, 'approve', [proposal.id])).status).toBe(409);
  });

  it('as requests are decided by admins, confirm what they show, and refute nothing', async () => {
    const at = await fixture();
    const member = await at.tenant.as('member');
    const shown = 'ref: refs/heads/main';
    site.headerNames.clear();
    const id = await imported(at, [
      replayed(`${site.url}.git/HEAD`, shown),
      replayed(`${site.url}gone`, 'a text of before'),
    ]);
    const [proposal, ...others] = await proposalsOf(at, id);
    expect(others).toEqual([]);
    expect(proposal).toMatchObject({ kind: 'replay', status: 'proposed', findings: 2, bound: 0, refusal: null });
    expect(await countsOf(at, id)).toMatchObject({ tested: 0, untested: 0 });
    expect(proposal).toMatchObject({
      request_count: 2,
      requests: [`${site.url}.git/HEAD`, `${site.url}gone`].map((target) => ({ method: 'GET', target })),
    });
    expect(proposal.source).not.toContain('secret');
    expect((await decide(member.client, id, 'approve', [proposal.id])).body.results[0]).toMatchObject({ status: 403 });
    expect((await decide(at.client, id, 'approve', [proposal.id])).body.decided).toBe(1);
    await whenVerified(at, await findingOf(at, '/.git/HEAD'), 'confirmed');
    expect(await whenVerified(at, await findingOf(at, '/gone'), 'inconclusive')).toMatchObject({
      reason: expect.stringContaining('refutes nothing'),
    });
    expect([...site.headerNames]).not.toEqual(expect.arrayContaining(['cookie']));
    expect([...site.headerNames]).not.toEqual(expect.arrayContaining(['authorization']));
    // An approval whose binding does not finish can be repeated.
    await query(
      `UPDATE findings SET check_id = NULL, check_definition = NULL, verification = 'untested', verified_at = NULL
       WHERE organization_id = $1`,
      [at.tenant.id],
    );
    await abandon('import.bind', `${id} ${proposal.id}`, at);
    expect(await proposalsOf(at, id)).toMatchObject([
      { status: 'proposed', decided_by: null, not_bound: 0, not_bound_reason: expect.stringContaining('again') },
    ]);
    expect((await decide(at.client, id, 'approve', [proposal.id])).body.decided).toBe(1);
    await eventually(async () =>
      expect(await proposalsOf(at, id)).toMatchObject([{ status: 'approved', bound: 4, not_bound_reason: null }]),
    );
  });

  it('as requests are tested at once if an admin imports them so', async () => {
    const at = await fixture();
    const member = await at.tenant.as('member');
    const file = [replayed(`${site.url}.git/HEAD`, 'ref: refs/heads/main'), replayed(`${site.url}a`, 'short')];
    const blob = new Blob([JSON.stringify(file[0])], { type: 'application/x-ndjson' });
    expect((await member.client.post(`/v1/events/${at.slug}/imports?test_replays=true`, blob)).status).toBe(403);
    const id = await imported(at, file, '?test_replays=true');
    await whenVerified(at, await findingOf(at, '/.git/HEAD'), 'confirmed');
    expect(await proposalsOf(at, id)).toMatchObject([
      { status: 'approved', bound: 1, not_bound: 1, not_bound_reason: expect.stringContaining('shorter than 8') },
    ]);
    // Also where the import itself is abandoned.
    await query("UPDATE imports SET status = 'IN_PROGRESS', finished = NULL WHERE id = $1", [id]);
    await abandon('import.run', String(id), at);
    expect(await proposalsOf(at, id)).toMatchObject([
      { status: 'proposed', not_bound_reason: expect.stringContaining('again') },
    ]);
  });
});

it('the approval or refusal of a check that several imports have brought stays when one of them is undone', async () => {
  const at = await fixture();
  site.state = 'exposed';
  const carried = carrying(template('/.git/HEAD'), `${site.url}.git/HEAD`);
  const { 'template-encoded': _without, ...seen } = carried;
  const first = await imported(at, [{ ...seen, timestamp: '2026-01-01T00:00:00Z' }]);
  const second = await imported(at, [{ ...carried, timestamp: '2026-01-02T00:00:00Z' }]);
  const [proposal] = await proposalsOf(at, second);
  await decide(at.client, second, 'approve', [proposal.id]);
  await whenVerified(at, await findingOf(at, '/.git/HEAD'), 'confirmed');
  await undone(at, second);
  // The approval does not count as a change after the first import.
  await undone(at, first);
  // It stays, because the weakness is proved.
  const [kept] = await listOf(at);
  await query('DELETE FROM findings WHERE id = $1', [kept.id]);

  const one = await imported(at, [{ ...carried, timestamp: '2026-01-03T00:00:00Z' }]);
  const other = await imported(at, [{ ...carried, timestamp: '2026-01-03T00:00:00Z' }]);
  const [declined] = await proposalsOf(at, one);
  await decide(at.client, one, 'decline', [declined.id]);
  await undone(at, one);
  expect(await proposalsOf(at, other)).toMatchObject([{ status: 'declined', decided_by: { type: 'user' } }]);
});

it('undoing an import keeps a finding that a check has confirmed, and says why', async () => {
  const at = await fixture();
  site.state = 'exposed';
  const member = (await at.tenant.as('member')).client;
  const git = { 'template-id': 'git-config', info: { name: 'Git', severity: 'info' }, type: 'http' };
  const id = await imported(at, [
    { ...git, 'matched-at': `${site.url}.git/config` },
    { ...git, 'template-id': 'unknown', 'matched-at': `${site.url}a` },
  ]);
  const findingId = await findingOf(at, '/.git/config');
  await whenVerified(at, findingId, 'confirmed');
  await undone({ ...at, client: member }, id);
  expect((await member.get(`/v1/imports/${id}`)).body).toMatchObject({ removed: 1, kept: 1 });
  expect(await listOf(at)).toMatchObject([{ id: findingId, status: 1 }]);
  expect((await member.get(`/v1/organizations/${at.tenant.id}/findings/?import=${id}`)).body.findings).toHaveLength(1);
  const [{ comment }] = (await member.get(`/v1/findings/${findingId}/history`)).body.history;
  expect(comment).toBe(
    `Import ${id}, which had created it, was undone. It stays, because a check of this service has seen the weakness.`,
  );
});

it('a confirmation or a retest raises the severity to that of the check, if the check is one of this service', async () => {
  const at = await fixture();
  site.state = 'exposed';
  const record = async (check: object): Promise<number> => {
    const body = { title: 'Nothing to see', severity: 'info', asset_id: at.assetId, check };
    return (await at.client.post(`/v1/events/${at.slug}/findings/`, body)).body.id;
  };
  const id = await record({ id: 'exposed-git', location: site.url });
  const own = await record({
    http: template('/.git/HEAD').replace('severity: low', 'severity: high'),
    location: site.url,
  });
  for (const one of [id, own]) await whenVerified(at, one, 'confirmed');
  const raised = { severity: 'high', due_date: expect.any(String), priority: 2 };
  await eventually(async () => expect(await read(at, id)).toMatchObject(raised));
  expect((await read(at, own)).severity).toBe('info');
  await query('UPDATE findings SET severity = 1, due_date = NULL WHERE id = $1', [id]);
  await at.client.post(`/v1/findings/${id}/retest`);
  await eventually(async () => expect(await read(at, id)).toMatchObject(raised));
});

it('a result of Nuclei is bound to the library template with its id rather than to one from the file', async () => {
  const at = await fixture();
  site.state = 'exposed';
  const id = `loaded-${at.tenant.id}`;
  const source = template('/.git/HEAD').replace('seen-by-scanner', id);
  await api.app.get(LibraryLoader).load([{ name: `${id}.yaml`, source }], { via: 'test' });
  const carried = template('/.git/HEAD', '    redirects: true\n');
  const file = [carrying(carried, `${site.url}.git/HEAD`, id), carrying(carried, `${site.url}a`, id)];
  const importId = await imported(at, file);
  const findingId = await findingOf(at, '/.git/HEAD');
  await whenVerified(at, findingId, 'confirmed');
  const sql = 'SELECT check_id, check_definition FROM findings WHERE organization_id = $1 ORDER BY id';
  expect(await query(sql, [at.tenant.id])).toEqual([
    { check_id: `http:${id}`, check_definition: { location: site.url, http: source } },
    { check_id: null, check_definition: null },
  ]);
  expect(await proposalsOf(at, importId)).toMatchObject([
    { findings: 1, refusal: expect.stringContaining('does not say at which URL') },
  ]);
});

it('only findings beyond the limit of considered ones have that as their reason', async () => {
  const at = await fixture();
  site.state = 'vulnerable';
  const urls = [site.url, `${site.url}a`, `${site.url}b`];
  const importId = await imported(
    at,
    urls.map((url) => finding(url)),
  );
  for (const { id } of await listOf(at)) await whenVerified(at, id, 'confirmed');
  const [considered, left, closed] = await listOf(at);
  const reset = `UPDATE findings SET verification = 'untested', verification_reason = $2, status = $3 WHERE id = $1`;
  await query(reset, [considered.id, 'Its domain is not verified.', 1]);
  await query(reset, [left.id, NOT_REQUESTED, 1]);
  await query(reset, [closed.id, NOT_REQUESTED, 7]);
  const target = { organizationId: at.tenant.id, eventId: null, importId };
  const verifications = api.app.get(ScannedVerificationsService);
  expect(await verifications.saveMissingReason(target, 'Too many.', 10)).toBe(1);
  expect(await verifications.saveMissingReason(target, 'Too many.', 10)).toBe(0);
  const reasons = await Promise.all(
    [considered, left, closed].map(async ({ id }) => (await read(at, id)).verification.reason),
  );
  expect(reasons).toEqual(['Its domain is not verified.', 'Too many.', NOT_REQUESTED]);
});

it('an imported finding without a check that is seen again is bound, and one with a check keeps it', async () => {
  const at = await fixture();
  site.state = 'vulnerable';
  const seen = { ...finding(site.url), timestamp: '2026-01-01T00:00:00Z' };
  await imported(at, [seen]);
  const [{ id }] = await listOf(at);
  await whenVerified(at, id, 'confirmed');
  const unbind = `UPDATE findings SET check_id = NULL, check_definition = NULL, verification = 'untested' WHERE id = $1`;
  await query(unbind, [id]);
  await imported(at, [{ ...seen, timestamp: '2026-01-02T00:00:00Z' }]);
  await whenVerified(at, id, 'confirmed');
  const other = { location: site.url, http: template('/') };
  await query('UPDATE findings SET check_id = $2, check_definition = $3 WHERE id = $1', [id, 'http:own', other]);
  await imported(at, [{ ...seen, timestamp: '2026-01-03T00:00:00Z' }]);
  expect(await query('SELECT check_id FROM findings WHERE id = $1', [id])).toEqual([{ check_id: 'http:own' }]);
});
