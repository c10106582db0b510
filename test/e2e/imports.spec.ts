import { request as httpRequest } from 'node:http';
import { KeptFilesService } from '../../src/modules/imports';
import { useApi } from '../support/api';
import { type Answer, basic, type Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Person, type Tenant, uniqueDomain } from '../support/factories';
import { counts, imported, rowsOf, whenOver } from '../support/imports';
import { useWorkerProcess } from '../support/processes';

const api = useApi();
useWorkerProcess();
const make = new Factories(api);

interface Row {
  readonly rule?: string;
  readonly url: string;
  readonly title?: string;
  readonly severity?: string;
  readonly at?: string;
  readonly description?: string;
}

/** A time in the future, which counts as the time of the upload. */
const NOW = '2199-01-01T00:00:00Z';

/** A file in the shape of Nuclei's JSON lines. */
const nuclei = (rows: readonly Row[]): Blob =>
  new Blob(
    rows.map(
      ({
        rule = 'exposed-git',
        url,
        title = 'Git repository',
        severity = 'medium',
        at,
        description = 'It is public.',
      }) =>
        `${JSON.stringify({
          'template-id': rule,
          info: { name: title, severity, description },
          type: 'http',
          host: new URL(url).origin,
          'matched-at': url,
          ...(at !== undefined && { timestamp: at }),
        })}\n`,
    ),
    { type: 'application/x-ndjson' },
  );

interface Fixture {
  readonly tenant: Tenant;
  readonly member: Person;
  readonly client: Client;
  readonly host: string;
  readonly path: string;
}

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const member = await tenant.as('member');
  const { value: host } = await make.asset(tenant.id);
  return { tenant, member, client: member.client, host, path: `/v1/organizations/${tenant.id}/imports` };
}

const findingsOf = async ({ client, tenant }: Fixture): Promise<Answer['body'][]> =>
  (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100`)).body.findings;

describe('an import', () => {
  it('records each result as a finding, with the row, the sighting and the history', async () => {
    const at = await fixture();
    const url = `https://${at.host}/.git/config`;
    const body = await imported(at, nuclei([{ url, at: '2026-01-31T12:00:00Z' }]), '?name=nightly.jsonl');
    expect(body).toMatchObject({ status: 'FINISHED', format: 'nuclei-jsonl', name: 'nightly.jsonl', rows_done: 1 });
    expect(counts(body)).toEqual({ new: 1 });
    const [finding] = await findingsOf(at);
    expect(finding).toMatchObject({ title: 'Git repository', severity: 'medium', asset_value: at.host });
    expect(await rowsOf(at.client, body.id)).toEqual([
      expect.objectContaining({ number: 1, line: 1, result: 'new', finding_id: finding.id, scanner: 'nuclei' }),
    ]);
    const { sightings } = (await at.client.get(`/v1/findings/${finding.id}/sightings`)).body;
    expect(sightings).toEqual([
      expect.objectContaining({
        scanner: 'nuclei',
        rule_id: 'exposed-git',
        seen_at: '2026-01-31T12:00:00.000Z',
        import_id: body.id,
        actor: { type: 'user', id: String(at.member.userId) },
        identity: ['Scanner: nuclei', 'Rule: exposed-git', `Place: ${url}`, 'No parameter'],
      }),
    ]);
    const { history } = (await at.client.get(`/v1/findings/${finding.id}/history`)).body;
    expect(history).toHaveLength(1);
  });

  it('of an event records the findings in the event', async () => {
    const at = await fixture();
    const event = await make.event(at.tenant.id, { status: 'running' });
    const path = `/v1/events/${event.slug}/imports`;
    const body = await imported({ ...at, path }, nuclei([{ url: `https://${at.host}/` }]));
    expect(counts(body)).toEqual({ new: 1 });
    expect((await at.client.get(`/v1/events/${event.slug}/findings/`)).body.findings).toHaveLength(1);
    expect((await at.client.get(path)).body.imports).toHaveLength(1);
    expect((await at.client.get(at.path)).body.imports).toHaveLength(1);
    // Without the event the same file is another sighting of the same finding.
    expect(counts(await imported(at, nuclei([{ url: `https://${at.host}/` }])))).toEqual({ seen_again: 1 });
    expect(await findingsOf(at)).toHaveLength(1);
  });

  it.each([
    ['with times', '2026-01-31T12:00:00Z'],
    ['without times', undefined],
  ])('of the same file changes nothing: %s', async (_name, time) => {
    const at = await fixture();
    const file = nuclei([
      { url: `https://${at.host}/a`, at: time },
      { url: `https://${at.host}/b`, at: time },
    ]);
    expect(counts(await imported(at, file))).toEqual({ new: 2 });
    const before = await query('SELECT * FROM findings WHERE organization_id = $1 ORDER BY id', [at.tenant.id]);
    expect(counts(await imported(at, file))).toEqual({ unchanged: 2 });
    expect(await query('SELECT * FROM findings WHERE organization_id = $1 ORDER BY id', [at.tenant.id])).toEqual(
      before,
    );
  });

  it('with reworded texts and other query values gives the same finding', async () => {
    const at = await fixture();
    await imported(at, nuclei([{ url: `https://${at.host}/search?q=1`, at: '2026-01-30T12:00:00Z' }]));
    const again = nuclei([
      {
        url: `https://${at.host}/search?q=<script>`,
        title: 'A public repository',
        description: 'New words.',
        at: '2026-01-31T12:00:00Z',
      },
    ]);
    expect(counts(await imported(at, again))).toEqual({ seen_again: 1 });
    expect(await findingsOf(at)).toEqual([expect.objectContaining({ title: 'Git repository' })]);
  });

  it('reopens a resolved finding that a scanner saw later, and not one that it saw before', async () => {
    const at = await fixture();
    const url = `https://${at.host}/a`;
    await imported(at, nuclei([{ url, at: '2026-01-30T12:00:00Z' }]));
    const [{ id }] = await findingsOf(at);
    await at.client.post(`/v1/findings/${id}/status`, { status: 5 });
    const status = async () =>
      (await query<{ status: number }>('SELECT status FROM findings WHERE id = $1', [id]))[0]?.status;
    expect(counts(await imported(at, nuclei([{ url, at: '2026-01-31T12:00:00Z' }])))).toEqual({ seen_again: 1 });
    expect(await status()).toBe(5);
    expect(counts(await imported(at, nuclei([{ url, at: NOW }])))).toEqual({ reopened: 1 });
    expect(await status()).toBe(1);
  });

  it('raises the severity that an earlier file has stated, unless it saw the finding before, and never lowers it', async () => {
    const at = await fixture();
    const url = `https://${at.host}/a`;
    const severityAfter = async (severity: string, seen: string) => {
      await imported(at, nuclei([{ url, severity, at: seen }]));
      const [{ severity: now, due_date: due, id }] = await findingsOf(at);
      return { now, due, id };
    };
    expect((await severityAfter('low', '2026-01-30T12:00:00Z')).now).toBe('low');
    expect((await severityAfter('high', '2026-01-29T12:00:00Z')).now).toBe('low');
    const { now, due, id } = await severityAfter('critical', '2026-01-31T12:00:00Z');
    expect([now, due]).toEqual(['critical', expect.any(String)]);
    const { history } = (await at.client.get(`/v1/findings/${id}/history`)).body;
    expect(history).toContainEqual(
      expect.objectContaining({
        changes: expect.arrayContaining([{ field: 'severity', from: 'low', to: 'critical' }]),
      }),
    );
    expect((await severityAfter('info', NOW)).now).toBe('critical');
  });

  it('leaves an accepted risk and a false positive as they are', async () => {
    const at = await fixture();
    const admin = (await at.tenant.as('admin')).client;
    const [one, two] = [`https://${at.host}/a`, `https://${at.host}/b`];
    await imported(at, nuclei([{ url: one }, { url: two }]));
    const [first, second] = await findingsOf(at);
    await admin.post(`/v1/findings/${first.id}/status`, { status: 6 });
    await admin.post(`/v1/findings/${second.id}/status`, { status: 7 });
    const again = await imported(at, nuclei([{ url: one }, { url: two }, { url: `https://${at.host}/c` }]));
    expect(counts(again)).toEqual({ seen_again: 2, new: 1 });
    const rows = await query<{ status: number }>(
      'SELECT status FROM findings WHERE organization_id = $1 ORDER BY status',
      [at.tenant.id],
    );
    expect(rows.map(({ status }) => status)).toEqual([1, 6, 7]);
  });

  it('as a dry run shows the same results, and changes nothing', async () => {
    const at = await fixture();
    await imported(at, nuclei([{ url: `https://${at.host}/a`, at: '2026-01-30T12:00:00Z' }]));
    const file = nuclei([
      { url: `https://${at.host}/a`, at: '2026-01-30T12:00:00Z' },
      { url: `https://${at.host}/a`, at: '2026-01-31T12:00:00Z' },
      { url: `https://${at.host}/b`, at: '2026-01-31T12:00:00Z' },
      { url: `https://${at.host}/b`, at: '2026-01-31T12:00:00Z' },
      { url: 'https://unknown.example/' },
    ]);
    const before = await query('SELECT * FROM findings WHERE organization_id = $1', [at.tenant.id]);
    const dry = await imported(at, file, '?dry_run=true');
    expect(dry.dry_run).toBe(true);
    expect(await query('SELECT * FROM findings WHERE organization_id = $1', [at.tenant.id])).toEqual(before);
    expect((await at.client.post(`/v1/imports/${dry.id}/undo`)).status).toBe(409);
    const real = await imported(at, file);
    expect(counts(dry)).toEqual({ unchanged: 2, seen_again: 1, new: 1, refused: 1 });
    expect(counts(real)).toEqual(counts(dry));
  });

  it('keeps the file of a dry run for one import with its options', async () => {
    const at = await fixture();
    const { client, host, tenant } = at;
    const file = nuclei([{ url: `https://${host}/a` }, { url: `https://${uniqueDomain()}/` }]);
    const dry = await imported(at, file, '?dry_run=true&unknown_assets=add&name=kept.jsonl');
    expect(Date.parse(dry.file_kept_until)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const twenty = Array.from({ length: 20 }, () => client.post(`/v1/imports/${dry.id}/import`));
    const answers = await Promise.all(twenty);
    const [taken, ...others] = answers.filter(({ status }) => status === 202);
    expect([others.length, answers.filter(({ status }) => status === 409).length]).toEqual([0, 19]);
    expect(taken?.headers.get('location')).toBe(`/v1/imports/${taken?.body.id}`);
    const real = await whenOver(client, taken?.body.id);
    expect([real.dry_run, real.name, real.size]).toEqual([false, 'kept.jsonl', dry.size]);
    expect(counts(real)).toEqual({ new: 2 });
    expect((await client.get(`/v1/imports/${dry.id}`)).body.file_kept_until).toBeNull();
    const parts = () => query('SELECT 1 FROM import_chunks WHERE organization_id = $1', [tenant.id]);
    expect(await parts()).toEqual([]);
    // Both have the time of the first import.
    expect(counts(await imported(at, file, '?unknown_assets=add'))).toEqual({ unchanged: 2 });
  });

  it('keeps the newest three files of dry runs for a day, and none of those that failed', async () => {
    const at = await fixture();
    const { client, host, tenant } = at;
    const ids: number[] = [];
    for (const name of ['a', 'b', 'c', 'd'])
      ids.push((await imported(at, nuclei([{ url: `https://${host}/${name}` }]), '?dry_run=true')).id);
    const failed = await imported(
      at,
      new Blob(['no results of a scanner'], { type: 'application/octet-stream' }),
      '?dry_run=true',
    );
    expect([failed.status, failed.file_kept_until]).toEqual(['ERROR', null]);
    const files = api.app.get(KeptFilesService, { strict: false });
    await files.removeExpired();
    const kept = `SELECT DISTINCT import_id FROM import_chunks WHERE organization_id = $1 ORDER BY 1`;
    expect(await query(kept, [tenant.id])).toEqual(ids.slice(1).map((import_id) => ({ import_id })));
    await query(`UPDATE imports SET file_kept_until = now() WHERE id = $1`, [ids[1]]);
    for (const id of [ids[0], ids[1], failed.id]) {
      const answer = await client.post(`/v1/imports/${id}/import`);
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('The file is not kept')]);
    }
    await files.removeExpired();
    expect(await query(kept, [tenant.id])).toHaveLength(2);
  });

  it('needs an admin to import the file of a dry run that labels hosts', async () => {
    const at = await fixture();
    const admin = (await at.tenant.as('admin')).client;
    const file = nuclei([{ url: `https://${at.host}/` }]);
    const dry = await imported({ ...at, client: admin }, file, '?dry_run=true&unknown_assets=add&asset_labels=shop');
    expect((await at.client.post(`/v1/imports/${dry.id}/import`)).status).toBe(403);
    expect((await admin.post(`/v1/imports/${dry.id}/import`)).status).toBe(202);
  });

  it('refuses results on unknown assets with the line and the reason, or adds the assets as unverified', async () => {
    const at = await fixture();
    const host = uniqueDomain();
    const file = nuclei([{ url: `https://${at.host}/` }, { url: `https://${host}/` }]);
    const refused = await imported(at, file);
    expect(counts(refused)).toEqual({ new: 1, refused: 1 });
    expect(await rowsOf(at.client, refused.id, '?result=refused')).toEqual([
      expect.objectContaining({
        line: 2,
        finding_id: null,
        reason: expect.stringContaining(`${host} is not an asset`),
      }),
    ]);
    const added = await imported(at, file, '?unknown_assets=add');
    expect(counts(added)).toEqual({ unchanged: 1, new: 1 });
    const { assets } = (await at.client.get(`/v1/organizations/${at.tenant.id}/assets/?q=${host}`)).body;
    expect(assets).toHaveLength(1);
    const launch = await at.client.post('/v1/jobs/check', { url: `https://${host}/` });
    expect(launch.text).not.toContain('"launchable":true');
    expect(
      await query(`SELECT 1 FROM work WHERE organization_id = $1 AND kind <> 'import.run'`, [at.tenant.id]),
    ).toEqual([]);
  });

  it('accepts a host that is no domain if an asset covers it, and never adds one', async () => {
    const at = await fixture();
    await make.asset(at.tenant.id, { value: 'http://build-server:8080/', type: 'url' });
    const file = nuclei([{ url: 'http://build-server:8080/a' }, { url: 'http://localhost:3100/' }]);
    for (const parameters of ['?unknown_assets=add&dry_run=true', '', '?unknown_assets=add']) {
      const body = await imported(at, file, parameters);
      expect(await rowsOf(at.client, body.id)).toEqual([
        expect.objectContaining({ line: 1, reason: null, asset_value: 'http://build-server:8080/' }),
        expect.objectContaining({ line: 2, reason: expect.stringContaining('asset, such as http://localhost/') }),
      ]);
    }
    expect(await findingsOf(at)).toHaveLength(1);
  });

  it('names in a dry run the assets that exceed the limit of the organization', async () => {
    const tenant = await make.organization({ assetsLimit: 3 });
    const { client } = await tenant.as('member');
    const { value: known } = await make.asset(tenant.id);
    const [first = '', second = '', third = ''] = [uniqueDomain(), uniqueDomain(), uniqueDomain()].sort();
    const at = { client, path: `/v1/organizations/${tenant.id}/imports` };
    // More than a batch, so that the hosts of the first one count in the second.
    const many = Array.from({ length: 100 }, (_, number): Row => ({ url: `https://${first}/${number}` }));
    const others = [`www.${first}`, second, third, known].map((host): Row => ({ url: `https://${host}/` }));
    const dry = await imported(at, nuclei([...many, ...others]), '?unknown_assets=add&dry_run=true');
    const refused = [expect.objectContaining({ line: 103, reason: expect.stringContaining('limit of 3 assets') })];
    expect(await rowsOf(client, dry.id, '?result=refused')).toEqual(refused);
    const real = await imported(at, nuclei([...many, ...others]), '?unknown_assets=add');
    expect(await rowsOf(client, real.id, '?result=refused')).toEqual(refused);
    expect(counts(real)).toEqual(counts(dry));
  });

  it('lists the open findings that the file no longer has, and leaves them open', async () => {
    const at = await fixture();
    const { value: other } = await make.asset(at.tenant.id);
    await imported(
      at,
      nuclei([{ url: `https://${at.host}/a` }, { url: `https://${at.host}/b` }, { url: `https://${other}/` }]),
    );
    const next = await imported(at, nuclei([{ url: `https://${at.host}/b` }]));
    expect(counts(next)).toEqual({ seen_again: 1, missing: 1 });
    const [missing] = await rowsOf(at.client, next.id, '?result=missing');
    const findings = await findingsOf(at);
    expect(findings).toHaveLength(3);
    expect(missing).toMatchObject({ line: null, asset_value: at.host, finding_id: expect.any(Number) });
    const statuses = await query<{ status: number }>('SELECT status FROM findings WHERE organization_id = $1', [
      at.tenant.id,
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([1, 1, 1]);
  });

  it('stores no row for a missing finding, and lists it after the rows, page by page', async () => {
    const at = await fixture();
    const urls = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ url: `https://${at.host}/${path}` }));
    await imported(at, nuclei(urls.slice(0, 4)));
    const next = await imported(at, nuclei([...urls.slice(0, 1), ...urls.slice(4)]));
    expect(counts(next)).toEqual({ new: 1, seen_again: 1, missing: 3 });
    expect(await query(`SELECT result FROM import_rows WHERE import_id = $1 ORDER BY number`, [next.id])).toEqual([
      { result: 'seen_again' },
      { result: 'new' },
    ]);
    const all = await rowsOf(at.client, next.id);
    expect(all.map(({ result }) => result)).toEqual(['seen_again', 'new', 'missing', 'missing', 'missing']);
    const read = async (path = '', rel = 'next') => {
      const { body, headers } = await at.client.get(path);
      const link = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1];
      return { rows: body.rows, total: headers.get('x-total-count'), link };
    };
    const first = await read(`/v1/imports/${next.id}/rows?per_page=2&count=true`);
    const second = await read(first.link);
    const third = await read(second.link, 'prev');
    expect([first, second, third].flatMap(({ rows }) => rows)).toEqual(all);
    expect([first, second, third].map(({ total }) => total)).toEqual(['5', '5', '5']);
    expect((await read(third.link)).rows).toEqual(all.slice(2, 4));
    expect((await at.client.get(`/v1/imports/${next.id}/rows?per_page=2&page=3`)).body.rows).toEqual(all.slice(4));

    const [resolved] = await rowsOf(at.client, next.id, '?result=missing');
    await at.client.post(`/v1/findings/${resolved?.finding_id}/status`, { status: 5 });
    await imported(at, nuclei([{ url: `https://${at.host}/later` }]));
    expect(await rowsOf(at.client, next.id, '?result=missing')).toEqual(all.slice(3));
    await query(
      `INSERT INTO import_rows (import_id, organization_id, number, result, title) VALUES ($1, $2, 3, 'missing', 'Stored by 0.2.0')`,
      [next.id, at.tenant.id],
    );
    expect(await rowsOf(at.client, next.id, '?result=missing')).toMatchObject([{ title: 'Stored by 0.2.0' }]);
  });

  it('of a file that becomes unreadable ends with an error that names the line, and keeps what it read', async () => {
    const at = await fixture();
    const good = await nuclei([{ url: `https://${at.host}/a` }]).text();
    const body = await imported(at, new Blob(['<xml', good], { type: 'text/xml' }));
    expect(body).toMatchObject({ status: 'ERROR', error: expect.stringMatching(/^Line \d+: /) });
    expect(await query('SELECT 1 FROM import_chunks WHERE organization_id = $1', [at.tenant.id])).toEqual([]);
  });

  it('stores hostile names as text', async () => {
    const at = await fixture();
    const title = '<script>alert(1)</script> [x](javascript:alert(1)) \u0000\ud800 \u202e';
    const body = await imported(
      at,
      nuclei([{ url: `https://${at.host}/`, title, description: '<img src=x onerror=1> `a` **b**' }]),
    );
    expect(counts(body)).toEqual({ new: 1 });
    const [found] = await query<{ html: string }>('SELECT html FROM findings WHERE organization_id = $1', [
      at.tenant.id,
    ]);
    expect(found?.html).not.toMatch(/<img|<strong|<script|<code>a/);
    expect(found?.html).toContain('&lt;img');
  });

  it('of overlapping files at the same time loses and duplicates nothing', async () => {
    const at = await fixture();
    const row = (number: number): Row => ({ url: `https://${at.host}/${number}`, at: '2026-01-31T12:00:00Z' });
    const all = Array.from({ length: 600 }, (_, number) => row(number));
    const files = [
      nuclei(all.slice(0, 400)),
      nuclei(all.slice(200).toReversed()),
      nuclei(all.filter((_, place) => place % 2 === 0)),
    ];
    const started: Answer[] = [];
    for (const file of files) started.push(await at.client.post(at.path, file));
    const bodies = await Promise.all(started.map(({ body }) => whenOver(at.client, body.id)));
    expect(bodies.map(({ status }) => status)).toEqual(['FINISHED', 'FINISHED', 'FINISHED']);
    const sum = (name: string): number => bodies.reduce((total, { rows }) => total + rows[name], 0);
    expect([sum('new'), sum('unchanged'), sum('refused')]).toEqual([600, 500, 0]);
    const [found] = await query<object>(
      `SELECT count(*)::int AS findings, sum(times_seen)::int AS seen,
        (SELECT sum(findings)::int FROM asset_totals WHERE organization_id = $1) AS counted,
        (SELECT count(*)::int FROM finding_sightings WHERE organization_id = $1) AS sightings
       FROM findings WHERE organization_id = $1`,
      [at.tenant.id],
    );
    expect(found).toEqual({ findings: 600, seen: 600, counted: 600, sightings: 600 });
  });
});

describe('an import with results of a merged finding', () => {
  const merged = async (at: Fixture) => {
    const a = `https://${at.host}/a`;
    const b = { rule: 'git-config', url: `https://${at.host}/.git/config` };
    const first = await imported(
      at,
      nuclei([
        { url: a, at: '2026-01-30T12:00:00Z' },
        { ...b, at: '2026-01-30T12:00:00Z' },
      ]),
    );
    const [part, main] = (await findingsOf(at)).map(({ id }) => id as number);
    const answer = await at.client.post(`/v1/findings/${main}/merge`, { finding_ids: [part] });
    expect(answer.status).toBe(200);
    return { first, a, b, main, part };
  };

  it('sees the main finding, and reopens it once', async () => {
    const at = await fixture();
    const { a, b, main, part } = await merged(at);
    const statuses = () =>
      query('SELECT id, status FROM findings WHERE organization_id = $1 ORDER BY id', [at.tenant.id]);
    await at.client.post(`/v1/findings/${main}/status`, { status: 5 });
    const later = nuclei([{ ...b, at: NOW }]);
    const second = await imported(at, later);
    // The result of the main finding is not missing: the file has another one of the same weakness.
    expect(counts(second)).toEqual({ reopened: 1 });
    expect(await rowsOf(at.client, second.id)).toMatchObject([{ result: 'reopened', finding_id: part }]);
    expect(await statuses()).toEqual([
      { id: main, status: 1 },
      { id: part, status: 1 },
    ]);
    expect(counts(await imported(at, later))).toEqual({ unchanged: 1 });
    // The check of the merged finding is not bound to the main one.
    expect(await query('SELECT check_id FROM findings WHERE id = ANY($1) ORDER BY id', [[main, part]])).toEqual([
      { check_id: null },
      { check_id: 'exposed-git' },
    ]);
    await at.client.post(`/v1/findings/${main}/status`, { status: 5 });
    const both = nuclei([{ ...b, at: NOW }, { url: a }]);
    expect(counts(await imported(at, both, '?dry_run=true'))).toEqual({ reopened: 1, seen_again: 1 });
    expect(counts(await imported(at, both))).toEqual({ reopened: 1, seen_again: 1 });
    expect((await findingsOf(at)).map(({ id }) => id)).toEqual([main]);
    const { sightings } = (await at.client.get(`/v1/findings/${main}/sightings`)).body;
    expect(sightings.map(({ finding_id }: { finding_id: number }) => finding_id)).toEqual([
      main,
      part,
      part,
      part,
      main,
    ]);
    expect(await query('SELECT times_seen FROM findings WHERE id = $1', [main])).toEqual([{ times_seen: 5 }]);
    const other = await imported(at, nuclei([{ url: `https://${at.host}/c` }]));
    expect(counts(other)).toEqual({ new: 1, missing: 1 });
    expect(await rowsOf(at.client, other.id, '?result=missing')).toMatchObject([{ finding_id: main }]);
  });

  it('that created them cannot be undone, but one that only saw them can', async () => {
    const at = await fixture();
    const { first, a, b, main, part } = await merged(at);
    const refused = await at.client.post(`/v1/imports/${first.id}/undo`);
    expect([refused.status, refused.body.description]).toEqual([409, expect.stringContaining(`: ${main}, ${part}.`)]);
    await at.client.post(`/v1/findings/${main}/status`, { status: 5 });
    const second = await imported(at, nuclei([{ ...b, at: NOW }]));
    expect((await at.client.post(`/v1/imports/${second.id}/undo`)).status).toBe(202);
    expect(await whenOver(at.client, second.id)).toMatchObject({ status: 'UNDONE', removed: 0, kept: 0 });
    // It stays open, because the sighting that reopened it was that of another finding.
    expect(
      await query('SELECT id, status, times_seen, merged_into FROM findings WHERE id = ANY($1) ORDER BY id', [
        [main, part],
      ]),
    ).toEqual([
      { id: main, status: 1, times_seen: 2, merged_into: null },
      { id: part, status: 1, times_seen: 1, merged_into: main },
    ]);
    await at.client.post(`/v1/findings/${main}/status`, { status: 5 });
    const third = await imported(at, nuclei([{ url: a, at: NOW }]));
    expect(counts(third)).toEqual({ reopened: 1 });
    expect(counts(await imported(at, nuclei([b])))).toEqual({ seen_again: 1 });
    await at.client.post(`/v1/imports/${third.id}/undo`);
    expect(await whenOver(at.client, third.id)).toMatchObject({ status: 'UNDONE' });
    // A later sighting of a part keeps it open.
    expect(await query('SELECT status FROM findings WHERE id = $1', [main])).toEqual([{ status: 1 }]);
  });
});

describe('undoing an import', () => {
  it('removes what it created, restores what it reopened, and leaves what others have seen', async () => {
    const at = await fixture();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `https://${at.host}/${name}`) as [string, string, string];
    await imported(at, nuclei([{ url: a, at: '2026-01-30T12:00:00Z' }]));
    const [{ id: first }] = await findingsOf(at);
    await at.client.post(`/v1/findings/${first}/status`, { status: 5 });
    const state = () =>
      query('SELECT id, status, times_seen, last_seen FROM findings WHERE organization_id = $1 ORDER BY id', [
        at.tenant.id,
      ]);
    const totals = () => query('SELECT * FROM asset_totals WHERE organization_id = $1', [at.tenant.id]);
    const [stateBefore, totalsBefore] = [await state(), await totals()];
    const file = nuclei([{ url: a, at: NOW }, { url: b }, { url: c }]);
    const second = await imported(at, file);
    expect(counts(second)).toEqual({ reopened: 1, new: 2 });
    const same = await imported(at, nuclei([{ url: c }]));
    expect(counts(same)).toEqual({ seen_again: 1, missing: 2 });
    const undoing = await at.client.post(`/v1/imports/${second.id}/undo`);
    expect(undoing).toMatchObject({ status: 202, body: { status: 'UNDOING' } });
    expect(await whenOver(at.client, second.id)).toMatchObject({ status: 'UNDONE', removed: 1, kept: 0 });
    expect(await findingsOf(at)).toHaveLength(2);
    await at.client.post(`/v1/imports/${same.id}/undo`);
    expect(await whenOver(at.client, same.id)).toMatchObject({ status: 'UNDONE', removed: 1 });
    expect(await state()).toEqual([expect.objectContaining({ id: first, status: 5, times_seen: 1 })]);
    expect((await state())[0]).toEqual(stateBefore[0]);
    expect(await totals()).toEqual(totalsBefore);
    expect((await at.client.post(`/v1/imports/${second.id}/undo`)).status).toBe(202);
    expect(counts(await imported(at, file))).toEqual({ reopened: 1, new: 2 });
  });

  it('is done in the name of the person who undoes it, not of the one who uploaded the file', async () => {
    const at = await fixture();
    const admin = await at.tenant.as('admin');
    const url = `https://${at.host}/`;
    await imported(at, nuclei([{ url, at: '2026-01-30T12:00:00Z' }]));
    const [{ id }] = await findingsOf(at);
    await at.client.post(`/v1/findings/${id}/status`, { status: 5 });
    const second = await imported(at, nuclei([{ url, at: NOW }]));
    await admin.client.post(`/v1/imports/${second.id}/undo`);
    expect(await whenOver(at.client, second.id)).toMatchObject({ status: 'UNDONE' });
    const [{ actor }] = (await at.client.get(`/v1/findings/${id}/history/`)).body.history;
    expect(actor).toMatchObject({ id: String(admin.userId) });
    const entries = await query(
      `SELECT DISTINCT actor_id AS "by" FROM audit_logs WHERE operation = 'import.undo_record' AND resource_id = $1`,
      [String(second.id)],
    );
    expect(entries).toEqual([{ by: String(admin.userId) }]);
  });

  it.each(['after', 'before'])(
    'resolves what it reopened again only if it was not proved %s the scan',
    async (when) => {
      const at = await fixture();
      const url = `https://${at.host}/`;
      await imported(at, nuclei([{ url, at: '2026-01-30T12:00:00Z' }]));
      const [{ id }] = await findingsOf(at);
      await at.client.post(`/v1/findings/${id}/status`, { status: 5 });
      const second = await imported(at, nuclei([{ url, at: NOW }]));
      expect(counts(second)).toEqual({ reopened: 1 });
      const days = when === 'after' ? 1 : -1;
      await query(
        `UPDATE findings SET verification = 'confirmed', verified_at = last_seen + make_interval(days => $2) WHERE id = $1`,
        [id, days],
      );
      await at.client.post(`/v1/imports/${second.id}/undo`);
      expect(await whenOver(at.client, second.id)).toMatchObject({ status: 'UNDONE' });
      expect(await query('SELECT status FROM findings WHERE id = $1', [id])).toEqual([{ status: days > 0 ? 1 : 5 }]);
      const [{ comment }] = (await at.client.get(`/v1/findings/${id}/history/`)).body.history;
      expect(comment).toMatch(
        days > 0 ? /was undone\. It stays open, because a test has confirmed it since\.$/ : /undone\.$/,
      );
    },
  );

  it('is refused when a retest that began before it ended after it', async () => {
    const at = await fixture();
    const first = nuclei([{ url: `https://${at.host}/`, at: '2026-01-30T12:00:00Z' }]);
    await imported(at, first);
    const [{ id }] = await findingsOf(at);
    await at.client.post(`/v1/findings/${id}/retest/`);
    await query(`UPDATE findings SET status = 5 WHERE id = $1`, [id]);
    const second = await imported(at, nuclei([{ url: `https://${at.host}/`, at: NOW }]));
    expect(counts(second)).toEqual({ reopened: 1 });
    const end = (finished: string) =>
      query(
        `UPDATE retests SET status = 'finished', result = 'still_vulnerable', created = now() - interval '3 days',
           finished = now() + $2::interval WHERE finding_id = $1`,
        [id, finished],
      );
    await end('1 second');
    expect((await at.client.post(`/v1/imports/${second.id}/undo`)).status).toBe(409);
    await end('-2 days');
    expect((await at.client.post(`/v1/imports/${second.id}/undo`)).status).toBe(202);
  });

  it('removes findings that the service has assigned to the owner of their asset, but none that a person has assigned', async () => {
    const at = await fixture();
    const admin = await at.tenant.as('admin');
    await query(`UPDATE assets SET owner_user_id = $1 WHERE organization_id = $2`, [admin.userId, at.tenant.id]);
    const url = `https://${at.host}/a`;
    const undone = async (touch: (id: number) => Promise<unknown>) => {
      const body = await imported(at, nuclei([{ url }]));
      const [{ id, assignee_id: assignee }] = await findingsOf(at);
      expect(assignee).toBe(admin.userId);
      await touch(id);
      return (await at.client.post(`/v1/imports/${body.id}/undo`)).status;
    };
    expect(await undone(() => Promise.resolve())).toBeLessThan(300);
    await eventually(async () => expect(await findingsOf(at)).toEqual([]));
    const assign = (id: number) => admin.client.patch(`/v1/findings/${id}/`, { assignee_id: admin.userId });
    expect(
      await undone(async (id) => [
        await admin.client.patch(`/v1/findings/${id}/`, { assignee_id: null }),
        await assign(id),
      ]),
    ).toBe(409);
  });

  it('keeps findings that another import has with the same results', async () => {
    const at = await fixture();
    const file = nuclei([{ url: `https://${at.host}/`, at: '2026-01-30T12:00:00Z' }]);
    const one = await imported(at, file);
    const other = await imported(at, file);
    await at.client.post(`/v1/imports/${one.id}/undo`);
    expect(await whenOver(at.client, one.id)).toMatchObject({ status: 'UNDONE', removed: 0 });
    expect(await findingsOf(at)).toHaveLength(1);
    await at.client.post(`/v1/imports/${other.id}/undo`);
    expect(await whenOver(at.client, other.id)).toMatchObject({ status: 'UNDONE', removed: 1 });
    expect(await findingsOf(at)).toEqual([]);
  });

  it.each<[string, (client: Client, id: number) => Promise<Answer>]>([
    ['a status', (client, id) => client.post(`/v1/findings/${id}/status`, { status: 3 })],
    ['a comment', (client, id) => client.post(`/v1/findings/${id}/comments`, { comment: 'Ours.' })],
    ['a label', (client, id) => client.patch(`/v1/findings/${id}/`, { labels: ['ours'] })],
    ['a retest', (client, id) => client.post(`/v1/findings/${id}/retest/`)],
  ])('is refused with the ids when people have given its findings %s', async (_name, touch) => {
    const at = await fixture();
    const body = await imported(at, nuclei([{ url: `https://${at.host}/a` }, { url: `https://${at.host}/b` }]));
    const [finding] = await findingsOf(at);
    const touched = await touch(at.client, finding.id);
    expect(touched.status).toBeLessThan(300);
    const answer = await at.client.post(`/v1/imports/${body.id}/undo`);
    expect(answer.status).toBe(409);
    expect(answer.body.description).toContain(`: ${finding.id}.`);
    expect(await findingsOf(at)).toHaveLength(2);
  });
});

describe('an upload', () => {
  const options = ({ member }: Fixture, path: string, headers: Record<string, string | number>) => ({
    port: api.port,
    host: '127.0.0.1',
    method: 'POST',
    path,
    headers: { authorization: basic(member.credentials), 'content-type': 'text/csv', ...headers },
  });

  const uploadsOf = ({ tenant }: Fixture) =>
    query<{ status: string; chunks: number }>('SELECT status, chunks FROM imports WHERE organization_id = $1', [
      tenant.id,
    ]);

  it('that is interrupted leaves nothing', async () => {
    const at = await fixture();
    const upload = httpRequest(options(at, at.path, { 'content-length': 2_000_000 }));
    upload.on('error', () => undefined);
    upload.write(Buffer.alloc(700_000, 'a'));
    await eventually(async () => expect(await uploadsOf(at)).toEqual([{ status: 'UPLOADING', chunks: 2 }]));
    expect((await at.client.get(at.path)).body.imports).toEqual([]);
    upload.destroy();
    await eventually(async () => expect(await uploadsOf(at)).toEqual([]));
    expect(await query('SELECT 1 FROM import_chunks WHERE organization_id = $1', [at.tenant.id])).toEqual([]);
  });

  it('that fails after its last byte leaves nothing', async () => {
    const at = await fixture();
    // The import is not found, and its row is locked: no statement has failed, which would release the lock.
    await query(
      `CREATE FUNCTION keep_uploading() RETURNS trigger LANGUAGE plpgsql
       AS $$ BEGIN NEW.status := 'UPLOADING'; RETURN NEW; END $$`,
    );
    await query(
      `CREATE TRIGGER keep_uploading BEFORE UPDATE ON imports FOR EACH ROW
       WHEN (NEW.organization_id = ${at.tenant.id}) EXECUTE FUNCTION keep_uploading()`,
    );
    try {
      const answer = await at.client.post(at.path, nuclei([{ url: `https://${at.host}/` }]));
      expect(answer.status).toBe(404);
      await eventually(async () => expect(await uploadsOf(at)).toEqual([]));
    } finally {
      await query('DROP FUNCTION keep_uploading CASCADE');
    }
  });

  it('is refused while the organization has two others', async () => {
    const at = await fixture();
    const open = [0, 1].map(() => {
      const upload = httpRequest(options(at, at.path, { 'content-length': 2_000_000 }));
      upload.on('error', () => undefined);
      upload.write('a');
      return upload;
    });
    await eventually(async () => expect(await uploadsOf(at)).toHaveLength(2));
    const third = await at.client.post(at.path, nuclei([{ url: `https://${at.host}/` }]));
    expect(third.status).toBe(429);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    const elsewhere = await fixture();
    expect((await elsewhere.client.post(elsewhere.path, nuclei([{ url: `https://${elsewhere.host}/` }]))).status).toBe(
      202,
    );
    for (const upload of open) upload.destroy();
    await eventually(async () =>
      expect((await at.client.post(at.path, nuclei([{ url: `https://${at.host}/` }]))).status).toBe(202),
    );
  });

  it('no longer counts when its process was lost, and is removed later', async () => {
    const at = await fixture();
    await query(
      `INSERT INTO imports (organization_id, dry_run, unknown_assets, actor_type, actor_id, touched)
       SELECT $1, false, 'refuse', 'user', '1', now() - make_interval(mins => m) FROM unnest('{3,3,9}'::int[]) AS m`,
      [at.tenant.id],
    );
    expect((await at.client.post(at.path, nuclei([{ url: `https://${at.host}/` }]))).status).toBe(202);
    await query(`UPDATE clock_tasks SET next_run = now() WHERE name = 'imports.remove_abandoned'`);
    await eventually(async () =>
      expect((await uploadsOf(at)).filter(({ status }) => status === 'UPLOADING')).toHaveLength(2),
    );
  });

  it('needs the role member, a known media type and a body', async () => {
    const at = await fixture();
    const file = nuclei([{ url: `https://${at.host}/` }]);
    expect((await (await at.tenant.as('viewer')).client.post(at.path, file)).status).toBe(403);
    expect((await at.client.post(at.path)).status).toBe(400);
    const form = await at.client.post(at.path, new Blob(['x'], { type: 'multipart/form-data; boundary=x' }));
    expect(form).toMatchObject({
      status: 415,
      body: { description: expect.stringContaining('application/octet-stream') },
    });
    const mapping = await at.client.post(`${at.path}?format=csv&csv_mapping=%7B%22columns%22%3A%7B%7D%7D`, file);
    expect(mapping).toMatchObject({
      status: 400,
      body: { description: expect.stringContaining('csv_mapping has no columns.title') },
    });
    const columns = { title: 'Name', severity: 'Risk' };
    for (const scanner of ['assay', 'Manual '])
      expect(
        await at.client.post(
          `${at.path}?csv_mapping=${encodeURIComponent(JSON.stringify({ columns, scanner }))}`,
          file,
        ),
      ).toMatchObject({ status: 400, body: { description: expect.stringContaining('must have another scanner') } });
    expect(await uploadsOf(at)).toEqual([]);
  });

  it('that is repeated with the same Idempotency-Key becomes one import', async () => {
    const at = await fixture();
    const file = nuclei([{ url: `https://${at.host}/` }]);
    const key = { 'idempotency-key': 'nightly', 'content-type': 'application/x-ndjson' };
    const first = await at.client.post(at.path, file, key);
    const second = await at.client.post(at.path, file, key);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body.id).toBe(first.body.id);
    expect(await uploadsOf(at)).toHaveLength(1);
  });
});

it('an import of the template needs no mapping', async () => {
  const at = await fixture();
  const template = await at.client.get('/v1/imports/csv-template');
  expect(template.headers.get('content-type')).toBe('text/csv');
  const file = new Blob([template.text], { type: 'text/csv' });
  const body = await imported(at, file, '?format=csv&unknown_assets=add');
  expect(body).toMatchObject({ status: 'FINISHED', format: 'csv', rows: { new: 2, refused: 0 } });
});

describe('an API and a worker with other limits', () => {
  const strict = useApi({ IMPORT_MAX_MEGABYTES: '1', SLOW_UPLOAD_SECONDS: '1' });

  it('refuse a file that is too large, whether its length is announced or not', async () => {
    const at = await fixture();
    const url = strict.url + at.path;
    const headers = { authorization: basic(at.member.credentials), 'content-type': 'text/csv' };
    const announced = await fetch(url, { method: 'POST', headers, body: Buffer.alloc(1_100_000, 'a') });
    expect(announced.status).toBe(413);
    const stream = new Blob([Buffer.alloc(1_100_000, 'a')]).stream();
    const streamed = await fetch(url, { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit);
    expect(streamed.status).toBe(413);
    expect(await query('SELECT 1 FROM imports WHERE organization_id = $1', [at.tenant.id])).toEqual([]);
  });

  it('refuse a file that arrives too slowly', async () => {
    const at = await fixture();
    const headers = {
      authorization: basic(at.member.credentials),
      'content-type': 'text/csv',
      'content-length': 500_000,
    };
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const upload = httpRequest(
        { port: strict.port, host: '127.0.0.1', method: 'POST', path: at.path, headers },
        (response) => resolve(response.statusCode),
      );
      upload.on('error', reject);
      upload.write('a');
    });
    expect(status).toBe(408);
    expect(await query('SELECT 1 FROM imports WHERE organization_id = $1', [at.tenant.id])).toEqual([]);
  });
});

it('an import waits while a slow file of its organization is read, and those of other organizations do not', async () => {
  const [at, other] = [await fixture(), await fixture()];
  const startedOf = async ({ body }: Answer) =>
    (await query<{ started: Date | null }>('SELECT started FROM imports WHERE id = $1', [body.id]))[0]?.started ?? null;
  const slowFile = new Blob([`<issues><issue>${'<a/>'.repeat(12_000_000)}</issue></issues>`], {
    type: 'application/octet-stream',
  });
  const slow = await at.client.post(at.path, slowFile);
  await eventually(async () => expect(await startedOf(slow)).not.toBeNull());
  const waiting = await at.client.post(at.path, nuclei([{ url: `https://${at.host}/` }]));

  const body = await imported(other, nuclei([{ url: `https://${other.host}/` }]));
  expect(body).toMatchObject({ status: 'FINISHED', rows: { new: 1 } });
  expect(await startedOf(waiting)).toBeNull();

  expect((await at.client.post(`/v1/imports/${slow.body.id}/cancel`)).status).toBe(200);
  expect(await whenOver(at.client, waiting.body.id)).toMatchObject({ status: 'FINISHED', rows: { new: 1 } });
  expect((await at.client.get(`/v1/imports/${slow.body.id}`)).body).toMatchObject({ status: 'CANCELED', rows_done: 0 });
});

it('an import is not changed by a worker that has lost it', async () => {
  const at = await fixture();
  const rows = Array.from({ length: 4_000 }, (_, number): Row => ({ url: `https://${at.host}/${number}` }));
  const { body } = await at.client.post(at.path, nuclei(rows));
  const doneRows = async () =>
    (await query<{ done: number }>('SELECT rows_done AS done FROM imports WHERE id = $1', [body.id]))[0]?.done ?? 0;
  await eventually(async () => expect(await doneRows()).toBeGreaterThan(0));
  await query('UPDATE imports SET attempt = 1000 WHERE id = $1', [body.id]);
  await eventually(async () => {
    const [work] = await query<{ state: string }>(
      `SELECT state FROM work WHERE kind = 'import.run' AND reference = $1`,
      [String(body.id)],
    );
    expect(work?.state).toBe('done');
  });
  expect(await doneRows()).toBeLessThan(4_000);
  expect((await at.client.get(`/v1/imports/${body.id}`)).body.status).toBe('IN_PROGRESS');
});

it('an import continues after its worker was lost, and duplicates nothing', async () => {
  const at = await fixture();
  const rows = Array.from({ length: 700 }, (_, number): Row => ({
    url: `https://${at.host}/${number}`,
    at: '2026-01-31T12:00:00Z',
  }));
  const answer = await at.client.post(at.path, nuclei(rows));
  await eventually(async () => {
    const [row] = await query<{ done: number }>('SELECT rows_done AS done FROM imports WHERE id = $1', [
      answer.body.id,
    ]);
    expect(row?.done).toBeGreaterThanOrEqual(250);
  });
  await query(
    `UPDATE work SET attempt = attempt + 1, lease_until = now() - interval '1 second'
     WHERE kind = 'import.run' AND reference = $1 AND state = 'running'`,
    [String(answer.body.id)],
  );
  const body = await whenOver(at.client, answer.body.id);
  expect(body).toMatchObject({ status: 'FINISHED', rows_done: 700, rows: { new: 700, unchanged: 0 } });
  expect(await findingsOf(at)).toHaveLength(100);
  const [found] = await query<object>('SELECT count(*)::int AS rows FROM import_rows WHERE import_id = $1', [
    answer.body.id,
  ]);
  expect(found).toEqual({ rows: 700 });
});
