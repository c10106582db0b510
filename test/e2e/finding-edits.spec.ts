import { certificate } from '../../src/engine/testing/certificate';
import { TargetServer } from '../../src/engine/testing/target-server';
import { useApi, useWorker } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Person, type Tenant } from '../support/factories';
import { imported, rowsOf, whenOver } from '../support/imports';
import { launchJob, runJob, waitForJob } from '../support/jobs';

let target: TargetServer;
const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${target.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};
beforeAll(async () => {
  target = await TargetServer.start(certificate());
});
afterAll(() => target.stop());
beforeEach(() => {
  target.site = {
    pages: { '/.git/HEAD': { headers: { 'content-type': 'text/plain' }, body: 'ref: refs/heads/main\n' } },
  };
});

const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const LOWER = 'CVSS:3.1/AV:N/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N';

interface Fixture {
  readonly tenant: Tenant;
  readonly member: Person;
  readonly admin: Person;
}

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  return { tenant, member: await tenant.as('member'), admin: await tenant.as('admin') };
}

const findingIn = ({ status, body }: Answer): Answer['body'] => (status === 200 ? body.findings[0] : body);
const read = async (client: Client, id: number): Promise<Answer['body']> =>
  findingIn(await client.get(`/v1/findings/${id}/`));
const edits = async (client: Client, id: number): Promise<Answer['body']> =>
  (await client.get(`/v1/findings/${id}/edits`)).body;
const edit = (client: Client, id: number, body: object): Promise<Answer> => client.patch(`/v1/findings/${id}/`, body);
const refusal = ({ status, body }: Answer): unknown[] => [status, body.description];
const lastEntry = async (client: Client, id: number): Promise<Answer['body']> =>
  (await client.get(`/v1/findings/${id}/history`)).body.history[0];

interface Result {
  readonly title?: string;
  readonly severity?: string;
  readonly description?: string;
  /** The day on which the scanner saw it. */
  readonly seen: string;
}

/** The file of a scanner with one result, always at the same place of a rule. */
const scan = (
  host: string,
  { title = 'Old library', severity = 'high', description = 'By a scanner.', seen }: Result,
) =>
  new Blob(
    [
      `rule_id,title,severity,url,description,seen_at\nold-lib,${title},${severity},https://${host}/,${description},2026-${seen}T10:00:00Z\n`,
    ],
    { type: 'application/octet-stream' },
  );

interface Imported extends Fixture {
  readonly id: number;
  readonly host: string;
  readonly scanned: (result: Result) => Promise<number>;
}

/** A finding of severity high that a file has brought. */
async function importedFinding(): Promise<Imported> {
  const at = await fixture();
  const { value: host } = await make.asset(at.tenant.id);
  const path = `/v1/organizations/${at.tenant.id}/imports`;
  const scanned = async (result: Result): Promise<number> =>
    (await imported({ client: at.member.client, path }, scan(host, result))).id;
  const [row] = await rowsOf(at.member.client, await scanned({ seen: '01-01' }));
  return { ...at, host, scanned, id: row.finding_id };
}

describe('editing a finding', () => {
  it('changes its texts and its severity, updates what depends on them, and shows who changed them', async () => {
    const { tenant, member } = await fixture();
    const asset = await make.asset(tenant.id);
    const { id } = await make.finding(tenant.id, { severity: 'low', asset: { ...asset, tier: null }, md: 'Before.' });
    const before = await read(member.client, id);
    expect([before.edited, before.priority]).toEqual([null, 4]);
    const answer = await edit(member.client, id, {
      title: ' Written by hand ',
      md: 'Now **worse**.',
      remediation: 'Turn it *off*.',
      cvss_vector: VECTOR,
      cwe: 79,
      cve: 'CVE-2026-12345',
      evidence: 'GET /\nAuthorization: Bearer abc.def.ghi123',
      reason: 'Looked at it again.',
    });
    expect([answer.status, findingIn(answer)]).toEqual([
      200,
      expect.objectContaining({
        title: 'Written by hand',
        html: '<p>Now <strong>worse</strong>.</p>\n',
        severity: 'critical',
        score: 9.8,
        cvss_vector: VECTOR,
        cwe: 79,
        cve: 'CVE-2026-12345',
        priority: 1,
        edited: { at: expect.any(String), user_id: String(member.userId), pinned: [] },
      }),
    ]);
    expect(Date.parse(findingIn(answer).due_date)).toBeLessThan(Date.parse(before.due_date));
    expect(await edits(member.client, id)).toEqual({
      remediation_md: 'Turn it *off*.',
      remediation_html: '<p>Turn it <em>off</em>.</p>\n',
      evidence: {
        text: 'GET /\nAuthorization: [redacted]',
        user_id: member.userId,
        pasted_at: expect.any(String),
      },
      stated: { title: null, description: null, severity: null },
    });
    const totals = await query('SELECT critical, low FROM asset_totals WHERE asset_id = $1', [asset.id]);
    expect(totals).toEqual([{ critical: 1, low: 0 }]);
  });

  it('is in the history with the old and new texts, and in the audit log without them', async () => {
    const { tenant, member } = await fixture();
    const { id } = await make.finding(tenant.id, { severity: 'low', title: 'Before', md: 'one\ntwo\nthree' });
    await edit(member.client, id, {
      title: 'After',
      md: 'one\n2\nthree',
      severity: 'high',
      evidence: 'password=hunter22',
      reason: 'Because.',
    });
    const entry = await lastEntry(member.client, id);
    expect(entry).toMatchObject({ type: 'edit', comment: 'Because.', actor: { id: String(member.userId) } });
    expect(entry.changes).toEqual([
      { field: 'title', from: 'Before', to: 'After' },
      { field: 'severity', from: 'low', to: 'high' },
      { field: 'md', from: 'two', to: '2' },
      { field: 'evidence', from: null, to: 'password=[redacted]' },
      { field: 'due_date', from: expect.any(String), to: expect.any(String) },
    ]);
    const [audited] = await query<{ metadata: object }>(
      `SELECT metadata FROM audit_logs WHERE operation = 'finding.change' AND resource_id = $1`,
      [String(id)],
    );
    expect(audited?.metadata).toMatchObject({
      changes: {
        title: { from: 'Before', to: 'After' },
        severity: { from: 'low', to: 'high' },
        md: 'changed',
        evidence: 'changed',
      },
      reason: 'Because.',
    });
    // Sending the same values again changes nothing.
    const { edited } = await read(member.client, id);
    await edit(member.client, id, { title: 'After', severity: 'high' });
    expect((await read(member.client, id)).edited).toEqual(edited);
    expect((await lastEntry(member.client, id)).changes).toEqual(entry.changes);
  });

  it('keeps the fingerprint of the first title, so that it is found again', async () => {
    const { tenant, member } = await fixture();
    const event = await make.event(tenant.id, { status: 'running' });
    const body = { title: 'First title', severity: 'low', asset_value: 'example.com' };
    const { body: created } = await member.client.post(`/v1/events/${event.slug}/findings/`, body);
    await edit(member.client, created.id, { title: 'Second title' });
    const again = await member.client.post(`/v1/events/${event.slug}/findings/`, body);
    expect([again.status, again.body.id]).toEqual([200, created.id]);
    expect((await read(member.client, created.id)).title).toBe('Second title');
  });

  it.each<[string, object, number, string]>([
    ['an empty title', { title: ' ' }, 400, 'title must'],
    ['a title of 501 characters', { title: 'x'.repeat(501) }, 400, 'title must'],
    ['a text of more than 65,536 characters', { md: 'x'.repeat(65_537) }, 400, 'md must'],
    ['evidence of more than 20,000 characters', { evidence: 'x'.repeat(20_001) }, 400, 'evidence must'],
    ['a CVSS vector that is none', { cvss_vector: 'CVSS:3.1/AV:N' }, 400, 'cvss_vector lacks'],
    [
      'a severity that contradicts the vector',
      { cvss_vector: VECTOR, severity: 'low' },
      400,
      'severity low contradicts',
    ],
    ['no severity', { severity: null }, 400, 'Set one of severity, score and cvss_vector'],
    ['a CVE that is none', { cve: 'CVE-1' }, 400, 'cve must be a CVE identifier'],
    ['an unknown field to unpin', { unpin: ['asset'] }, 400, 'unpin'],
    ['a field that it also unpins', { title: 'x', unpin: ['title'] }, 400, 'unpin must not name title'],
    ['its check', { check_id: 'exposed-git' }, 400, '"check_id" is not a field'],
    ['its asset', { asset_id: 1 }, 400, '"asset_id" is not a field'],
    ['its location', { location: 'https://example.com/' }, 400, '"location" is not a field'],
    ['its fingerprint', { fingerprint: 'ab' }, 400, '"fingerprint" is not a field'],
  ])('refuses %s, and changes nothing', async (_name, body, status, message) => {
    const { tenant, member } = await fixture();
    const { id } = await make.finding(tenant.id);
    const before = await read(member.client, id);
    const answer = await edit(member.client, id, body);
    expect(refusal(answer)).toEqual([status, expect.stringContaining(message)]);
    expect(await read(member.client, id)).toEqual(before);
  });

  it('is refused for viewers and other organizations, for merged findings, and with an old ETag even of another text', async () => {
    const { tenant, member } = await fixture();
    const viewer = await tenant.as('viewer');
    const { id } = await make.finding(tenant.id);
    expect((await edit(viewer.client, id, { title: 'x' })).status).toBe(403);
    const other = await (await make.organization()).as('owner');
    expect((await edit(other.client, id, { title: 'x' })).status).toBe(404);
    expect((await other.client.get(`/v1/findings/${id}/edits`)).status).toBe(404);
    const tag = (await member.client.get(`/v1/findings/${id}/`)).headers.get('etag') ?? '';
    expect((await edit(member.client, id, { remediation: 'First.' })).status).toBe(200);
    const late = await member.client.send('PATCH', `/v1/findings/${id}/`, { remediation: 'x' }, { 'if-match': tag });
    expect(late.status).toBe(412);
    const main = await make.finding(tenant.id);
    await member.client.post(`/v1/findings/${main.id}/merge`, { finding_ids: [id] });
    expect(refusal(await edit(member.client, id, { title: 'x' }))).toEqual([
      409,
      expect.stringContaining('is merged into'),
    ]);
  });
});

describe('a finding that a file has brought', () => {
  it('keeps what a person has written when it is imported again, and knows what the file says last', async () => {
    const { member, id, scanned } = await importedFinding();
    const first = await read(member.client, id);
    await edit(member.client, id, { title: 'Ours', md: 'Ours too.', severity: 'critical' });
    expect((await read(member.client, id)).edited.pinned).toEqual(['title', 'md', 'severity']);
    await scanned({ title: 'Older library', severity: 'medium', description: 'Said later.', seen: '02-01' });
    const now = await read(member.client, id);
    expect(now).toMatchObject({ title: 'Ours', md: 'Ours too.', severity: 'critical' });
    const { stated } = await edits(member.client, id);
    expect(stated).toEqual({
      title: 'Older library',
      description: { md: expect.stringContaining('Said later.'), html: expect.stringContaining('Said later.') },
      severity: { severity: 'medium', score: null, cvss_vector: null },
    });
    const [{ times }] = (await query<{ times: number }>('SELECT times_seen AS times FROM findings WHERE id = $1', [
      id,
    ])) as [{ times: number }];
    expect(times).toBe(2);
    // An older file says nothing new.
    await scanned({ title: 'Oldest', severity: 'info', seen: '01-15' });
    expect((await edits(member.client, id)).stated).toEqual(stated);
    const back = await edit(member.client, id, { unpin: ['title', 'md'] });
    expect(findingIn(back)).toMatchObject({
      title: 'Older library',
      md: stated.description.md,
      edited: { pinned: ['severity'] },
    });
    expect(first.title).toBe('Old library');
  });

  it('is no longer pinned when a person writes the text of the file', async () => {
    const { member, id } = await importedFinding();
    const { title, md } = await read(member.client, id);
    await edit(member.client, id, { title: 'Ours', md: 'Ours.', severity: 'critical' });
    await edit(member.client, id, { title, md });
    expect((await read(member.client, id)).edited.pinned).toEqual(['severity']);
  });

  it('becomes less severe only by an admin with a reason, which the history and the audit log have', async () => {
    const { member, admin, id } = await importedFinding();
    expect(refusal(await edit(member.client, id, { severity: 'low', reason: 'Behind a proxy.' }))).toEqual([
      403,
      `Only an admin may lower the severity of finding ${id} from high to low, because a check or a file has found it. Ask an admin.`,
    ]);
    expect(refusal(await edit(admin.client, id, { severity: 'low' }))).toEqual([
      422,
      'reason must say why the severity is lowered from high to low: a check or a file has found the finding.',
    ]);
    expect((await edit(admin.client, id, { score: 8.8 })).status).toBe(200);
    // The same severity with a lower score is lower as well.
    expect((await edit(member.client, id, { score: 7.5, reason: 'x' })).status).toBe(403);
    expect((await edit(admin.client, id, { cvss_vector: LOWER, reason: 'Behind a proxy.' })).status).toBe(200);
    expect(await lastEntry(admin.client, id)).toMatchObject({ type: 'edit', comment: 'Behind a proxy.' });
    const [audited] = await query<{ reason: string }>(
      `SELECT metadata ->> 'reason' AS reason FROM audit_logs WHERE operation = 'finding.change' AND resource_id = $1
       AND status = 'success' ORDER BY id DESC LIMIT 1`,
      [String(id)],
    );
    expect(audited?.reason).toBe('Behind a proxy.');
    // Restoring the severity of the file does not count as lowering it.
    const back = await edit(member.client, id, { unpin: ['severity'] });
    expect(findingIn(back)).toMatchObject({ severity: 'high', score: null, edited: { pinned: [] } });
  });

  it('has the texts of the last remaining file when an import is undone', async () => {
    const { member, admin, id, scanned } = await importedFinding();
    await edit(admin.client, id, { severity: 'low', reason: 'Behind a proxy.' });
    const second = await scanned({ severity: 'info', seen: '02-01' });
    expect((await edits(member.client, id)).stated.severity).toMatchObject({ severity: 'info' });
    expect((await member.client.post(`/v1/imports/${second}/undo`)).status).toBe(202);
    expect((await whenOver(member.client, second)).status).toBe('UNDONE');
    expect((await edits(member.client, id)).stated.severity).toMatchObject({ severity: 'high' });
    expect(await read(member.client, id)).toMatchObject({ severity: 'low' });
  });

  it('keeps the severity that a check has proved, whatever a later file says and however many are undone', async () => {
    const { member, admin, id, scanned } = await importedFinding();
    const stated = async () => (await edits(member.client, id)).stated.severity.severity;
    await edit(admin.client, id, { severity: 'low', reason: 'Behind a proxy.' });
    const second = await scanned({ severity: 'info', seen: '02-01' });
    // A retest raises the severity in this way.
    await query(
      `UPDATE findings SET verification = 'confirmed', edits = jsonb_set(edits, '{pins,severity,severity}', '5') WHERE id = $1`,
      [id],
    );
    expect(await stated()).toBe('critical');
    const third = await scanned({ severity: 'info', seen: '02-02' });
    expect(await stated()).toBe('critical');
    for (const one of [third, second]) {
      await member.client.post(`/v1/imports/${one}/undo`);
      expect((await whenOver(member.client, one)).status).toBe('UNDONE');
      expect(await stated()).toBe('critical');
    }
  });

  it('counts with the higher severity when it is merged', async () => {
    const { tenant, member, admin, id } = await importedFinding();
    await edit(admin.client, id, { severity: 'low', reason: 'Behind a proxy.' });
    const main = await make.finding(tenant.id, { severity: 'medium' });
    expect((await member.client.post(`/v1/findings/${main.id}/merge`, { finding_ids: [id] })).status).toBe(403);
  });
});

describe('a pipeline', () => {
  const git = async (client: Client, tenant: Tenant): Promise<Answer['body']> =>
    (await client.get(`/v1/organizations/${tenant.id}/findings/?check=exposed-git`)).body.findings[0];
  const isGreen = async (client: Client, uuid: string): Promise<boolean> =>
    (await client.get(`/v1/jobs/${uuid}/success?severity=medium`)).body.success;

  it('is never green by an edit: neither for the job that found it nor for later ones, whether they see it or not', async () => {
    const { tenant, member, admin } = await fixture();
    const url = `http://127.0.0.1:${target.port}/`;
    await make.asset(tenant.id, { value: url, type: 'url' });
    const checks = { checks: ['exposed-git'] };
    const first = await runJob(member.client, url, checks);
    const { id, severity } = await git(member.client, tenant);
    expect([severity, await isGreen(member.client, first)]).toEqual(['high', false]);
    await edit(admin.client, id, { severity: 'info', title: 'Harmless', reason: 'A copy of a public repository.' });
    expect(await git(member.client, tenant)).toMatchObject({ severity: 'info', title: 'Harmless' });
    expect(await isGreen(member.client, first)).toBe(false);
    const second = await runJob(member.client, url, checks);
    expect(await git(member.client, tenant)).toMatchObject({ id, severity: 'info', title: 'Harmless' });
    expect(await isGreen(member.client, second)).toBe(false);
    // The finding was neither seen nor confirmed as fixed.
    const other = await runJob(member.client, url, { checks: ['missing-nosniff'] });
    expect(await isGreen(member.client, other)).toBe(false);
    // Recorded again by a person with a lower severity.
    const event = await make.event(tenant.id, { status: 'running' });
    await member.client.post(`/v1/events/${event.slug}/findings/`, {
      title: 'x',
      severity: 'info',
      asset_value: url,
      check: { id: 'exposed-git', location: `${url}.git/HEAD` },
    });
    expect((await edits(member.client, id)).stated.severity).toMatchObject({ severity: 'high' });
    expect(await isGreen(member.client, second)).toBe(false);
    target.site = {};
    const last = await launchJob(member.client, url, checks);
    await waitForJob(member.client, last);
    expect(await isGreen(member.client, last)).toBe(true);
    // A severity that a test has shown stays.
    await edit(member.client, id, { title: 'Fixed' });
    expect(await isGreen(member.client, last)).toBe(true);
  });

  it('is green when the scanner itself reports a lower severity', async () => {
    const { tenant, member, admin } = await fixture();
    const url = `http://127.0.0.1:${target.port}/`;
    await make.asset(tenant.id, { value: url, type: 'url' });
    const location = `${url}.git/HEAD`;
    const draft = { severity: 'high', checkId: 'exposed-git', checkDefinition: { location }, asset: { value: url } };
    const { id } = await make.finding(tenant.id, {
      ...draft,
      asset: { id: null, tier: null, beaconId: null, value: url },
    });
    await edit(admin.client, id, { severity: 'low', reason: 'A copy.' });
    const other = await runJob(member.client, url, { checks: ['missing-nosniff'] });
    expect(await isGreen(member.client, other)).toBe(false);
    await query(`UPDATE findings SET edits = jsonb_set(edits, '{pins,severity,severity}', '2') WHERE id = $1`, [id]);
    expect(await isGreen(member.client, other)).toBe(true);
  });
});

describe('an organization that requires details of accepted risks', () => {
  const accept = (client: Client, id: number, more: object = {}): Promise<Answer> =>
    client.post(`/v1/findings/${id}/status`, { status: 6, ...more });
  const until = new Date(Date.now() + 86_400_000).toISOString();

  it('refuses an acceptance without a comment or a last day, also for many findings, but no other change', async () => {
    const { tenant, member, admin } = await fixture();
    const { id } = await make.finding(tenant.id);
    const path = `/v1/organizations/${tenant.id}/settings/acceptance`;
    expect((await member.client.get(path)).body).toEqual({ comment: false, until: false });
    expect((await accept(admin.client, id)).status).toBe(200);
    expect((await member.client.put(path, { comment: true, until: true })).status).toBe(403);
    expect((await admin.client.put(path, { comment: true })).status).toBe(400);
    expect((await admin.client.put(path, { comment: true, until: true })).body).toEqual({ comment: true, until: true });
    // Findings that were accepted before stay accepted.
    expect((await accept(admin.client, id)).body.result).toBe('unchanged');
    expect((await admin.client.post(`/v1/findings/${id}/status`, { status: 1 })).status).toBe(200);
    for (const [more, field] of [
      [{}, 'comment must say why the risk is accepted'],
      [{ comment: ' ', until }, 'comment must say why the risk is accepted'],
      [{ comment: 'Later.' }, 'until must name the last day of the acceptance'],
    ] as const)
      expect(refusal(await accept(admin.client, id, more))).toEqual([422, expect.stringContaining(field)]);
    const bulk = (more: object) =>
      admin.client.post(`/v1/findings/bulk`, { finding_ids: [id], action: { status: 6, ...more } });
    expect((await bulk({ comment: 'Later.' })).body.results[0].error).toContain('until must name');
    expect((await bulk({ comment: 'Later.', until })).body.results[0].error).toBeNull();
    const { body } = await admin.client.get(`/v1/findings/${id}/`);
    expect(body.findings[0].status).toBe(6);
  });
});
