import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type LoadResult, type SourceName, VulnerabilityLoader } from '../../src/modules/vulnerabilities';
import { VulnerabilityDownload } from '../../src/modules/vulnerabilities/work/vulnerability-download';
import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { imported } from '../support/imports';

const api = useApi();
useWorker();
const make = new Factories(api);
const folder = mkdtempSync(join(tmpdir(), 'assay-vulnerabilities-'));

const clear = () =>
  query(`WITH a AS (DELETE FROM epss_scores), b AS (DELETE FROM kev_entries), c AS (DELETE FROM vulnerability_sources)
    DELETE FROM work WHERE kind = 'finding.vulnerability_copies'`);

beforeEach(clear);
afterAll(async () => {
  await clear();
  rmSync(folder, { recursive: true });
});

const scoresOf = (scores: Record<string, number>, date = '2099-01-02'): string =>
  [
    `#model_version:v2025.03.14,score_date:${date}T00:00:00+0000`,
    'cve,epss,percentile',
    ...Object.entries(scores).map(([cve, score]) => `${cve},${score},0.97531`),
    '',
  ].join('\n');

const catalogOf = (cves: readonly string[], date = '2099-01-03', changes: object = {}): string =>
  JSON.stringify({
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    catalogVersion: date.replaceAll('-', '.'),
    dateReleased: `${date}T15:00:00.1234Z`,
    count: cves.length,
    vulnerabilities: cves.map((cveID) => ({
      cveID,
      vendorProject: 'Example',
      dateAdded: '2098-12-01',
      shortDescription: 'Ünsafe.',
      dueDate: '2098-12-22',
      knownRansomwareCampaignUse: 'Known',
      ...changes,
    })),
  });

let files = 0;
function load(name: SourceName, content: string | Buffer, allowOlder = false): Promise<LoadResult> {
  const path = join(folder, `${(files += 1)}`);
  writeFileSync(path, content);
  return api.app.get(VulnerabilityLoader).load(name, path, { via: 'cli', allowOlder });
}

const known = () =>
  query<{ cve: string; score: number | null; listed: boolean }>(
    `SELECT cve, e.score, k.cve IS NOT NULL AS listed FROM epss_scores e FULL JOIN kev_entries k USING (cve) ORDER BY cve`,
  );

const EPSS = { score: 0.9, percentile: 0.97531, date: '2099-01-02', source: 'FIRST EPSS v2025.03.14' };
const KEV = {
  date_added: '2098-12-01',
  due_date: '2098-12-22',
  ransomware: true,
  source: 'CISA KEV 2099.01.03',
  released: '2099-01-03T15:00:00.123Z',
};

async function listed(tenant: Tenant, parameters: string): Promise<number[]> {
  const { client } = await tenant.as('viewer');
  const { status, body } = await client.get(`/v1/organizations/${tenant.id}/findings/?${parameters}`);
  expect(status).toBe(200);
  return body.findings.map(({ id }: { id: number }) => id);
}

describe('findings with a CVE', () => {
  it('show EPSS and KEV with their dates, are filtered by them, and explain their priority', async () => {
    await load('epss', scoresOf({ 'CVE-2099-0001': 0.9, 'CVE-2099-0002': 0.49 }));
    await load('kev', catalogOf(['CVE-2099-0003', 'CVE-2099-0001']));
    const tenant = await make.organization();
    const record = (cve: string | null, cwe?: number) => make.finding(tenant.id, { cve, cwe, severity: 'low' });
    const [exploited, unlikely, catalogued] = [
      await record('CVE-2099-0001', 79),
      await record('CVE-2099-0002', 89),
      await record('CVE-2099-0003', 79),
    ];
    const plain = await record(null);
    const { client } = await tenant.as('viewer');
    const read = async (id: number) => (await client.get(`/v1/findings/${id}/`)).body.findings[0];
    expect(await read(exploited.id)).toMatchObject({ epss: EPSS, kev: KEV, priority: 2 });
    expect(await read(unlikely.id)).toMatchObject({ epss: { ...EPSS, score: 0.49 }, kev: null, priority: 4 });
    expect(await read(catalogued.id)).toMatchObject({ epss: null, kev: KEV, priority: 2 });
    expect(await read(plain.id)).toMatchObject({ epss: null, kev: null, priority: 4 });

    expect(await listed(tenant, 'kev=true')).toEqual([catalogued.id, exploited.id]);
    expect(await listed(tenant, 'kev=false')).toHaveLength(4);
    expect(await listed(tenant, 'epss_min=0.49')).toEqual([unlikely.id, exploited.id]);
    expect(await listed(tenant, 'epss_min=0.491&sort=priority')).toEqual([exploited.id]);
    expect(await listed(tenant, 'cwe=79')).toEqual([catalogued.id, exploited.id]);
    expect(await listed(tenant, 'cwe=79&kev=true&epss_min=0&q=finding')).toEqual([exploited.id]);
    expect(await listed(tenant, 'kev=true&per_page=1&page=2')).toEqual([exploited.id]);

    const explained = await client.get(`/v1/findings/${exploited.id}/priority`);
    expect(explained.status).toBe(200);
    expect(explained.body).toMatchObject({
      finding_id: exploited.id,
      priority: 2,
      base: 4,
      severity: 'low',
      cve: 'CVE-2099-0001',
      epss: EPSS,
      epss_threshold: 0.5,
      kev: KEV,
      reasons: [
        { factor: 'severity', steps: 0 },
        { factor: 'kev', steps: 2 },
      ],
    });
    expect(explained.body.changes).toContainEqual({
      factor: 'kev',
      priority: 3,
      text: 'If the CVE leaves the catalog of CISA.',
    });
  });

  it('get new priorities from a worker when a file is loaded, also in their events, and without a history entry', async () => {
    const tenant = await make.organization();
    const event = await make.event(tenant.id);
    const draft = { severity: 'medium', eventId: event.id } as const;
    const cves = ['CVE-2099-0010', 'CVE-2099-0011', 'CVE-2099-0012'];
    const findings = await Promise.all(cves.map((cve) => make.finding(tenant.id, { ...draft, cve })));
    const priorities = () =>
      query<{ cve: string; priority: number; in_event: number; kev: boolean; epss: number | null }>(
        `SELECT f.cve, f.priority, l.priority AS in_event, f.kev, f.epss FROM findings f
         JOIN event_findings l ON l.finding_id = f.id WHERE f.organization_id = $1 ORDER BY f.cve`,
        [tenant.id],
      );
    await load('epss', scoresOf({ 'CVE-2099-0010': 0.5, 'CVE-2099-0012': 0.1 }));
    await load('kev', catalogOf(['CVE-2099-0011']));
    await eventually(async () =>
      expect(await priorities()).toEqual([
        { cve: 'CVE-2099-0010', priority: 2, in_event: 2, kev: false, epss: 0.5 },
        { cve: 'CVE-2099-0011', priority: 1, in_event: 1, kev: true, epss: null },
        { cve: 'CVE-2099-0012', priority: 3, in_event: 3, kev: false, epss: 0.1 },
      ]),
    );
    const { client } = await tenant.as('viewer');
    const { body } = await client.get(`/v1/events/${event.slug}/findings/?kev=true`);
    expect(body.findings.map(({ cve }: { cve: string }) => cve)).toEqual(['CVE-2099-0011']);
    await load('kev', catalogOf(['CVE-2099-9999'], '2099-01-04'));
    await eventually(async () =>
      expect((await priorities())[1]).toMatchObject({ priority: 3, in_event: 3, kev: false }),
    );
    const history = await query('SELECT 1 FROM finding_history WHERE finding_id = ANY($1)', [
      findings.map(({ id }) => id),
    ]);
    expect(history).toHaveLength(3);
  });
});

describe('references', () => {
  it('are stored once each, changed as a whole, and must be http or https URLs', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const event = await make.event(tenant.id);
    const urls = ['https://example.com/advisory', 'http://example.com/?q=a%20b'];
    const body = { title: 'Described', asset_value: 'example.com', severity: 'low' };
    const path = `/v1/events/${event.slug}/findings/`;
    const { body: recorded } = await client.post(path, { ...body, references: [...urls, urls[0]] });
    const id = Number(recorded.finding_id ?? recorded.id);
    const read = async () => (await client.get(`/v1/findings/${id}/`)).body.findings[0].references;
    expect(await read()).toEqual(urls);
    const changed = await client.patch(`/v1/findings/${id}/`, { references: ['https://example.org/'] });
    expect(changed.body.findings[0].references).toEqual(['https://example.org/']);
    await client.patch(`/v1/findings/${id}/`, { labels: ['one'] });
    expect(await read()).toEqual(['https://example.org/']);
    for (const bad of ['javascript:alert(1)', 'ftp://example.com/', 'https://user@example.com/', 'example.com']) {
      const refused = await client.patch(`/v1/findings/${id}/`, { references: ['https://example.com/', bad] });
      expect([bad, refused.status, refused.text]).toEqual([bad, 400, expect.stringContaining('number 2 of the list')]);
    }
    const many = Array.from({ length: 21 }, (_, index) => `https://example.com/${index}`);
    expect((await client.post(path, { ...body, title: 'Many', references: many })).status).toBe(400);
  });
});

describe('loading a file', () => {
  it('replaces the data at once: others read the old file until the commit, which also enqueues the work', async () => {
    await load('epss', scoresOf({ 'CVE-2099-0001': 0.1 }));
    const many = Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`CVE-2098-${10_000 + index}`, 0.5]));
    let seen: unknown[] = [];
    api.app.get(VulnerabilityLoader).whenLoaded(async () => void (seen = await known()));
    const result = await load('epss', gzipSync(scoresOf(many, '2099-01-03')));
    expect(result).toMatchObject({ entries: 12_000, version: 'v2025.03.14', isNew: true });
    expect(seen).toEqual([{ cve: 'CVE-2099-0001', score: 0.1, listed: false }]);
    const [row] = await query<{ count: number }>('SELECT count(*)::int AS count FROM epss_scores');
    expect(row).toEqual({ count: 12_000 });
  });

  it('changes nothing when it is repeated, and refuses an older file unless it is allowed', async () => {
    const text = scoresOf({ 'CVE-2099-0001': 0.1 });
    await load('epss', text);
    expect(await load('epss', text)).toMatchObject({ entries: 1, isNew: false });
    const older = scoresOf({ 'CVE-2099-0001': 0.7 }, '2099-01-01');
    await expect(load('epss', older)).rejects.toThrow('2099-01-02T00:00:00.000Z is newer');
    expect(await known()).toMatchObject([{ score: 0.1 }]);
    expect(await load('epss', older, true)).toMatchObject({ isNew: true });
    expect(await known()).toMatchObject([{ score: 0.7 }]);
    await load('kev', catalogOf(['CVE-2099-0002']));
    await expect(load('kev', catalogOf(['CVE-2099-0003'], '2099-01-01'))).rejects.toThrow('is newer');
    const entries = await query<{ status: string; via: string; entries: number | null }>(
      `SELECT status, metadata ->> 'via' AS via, (metadata ->> 'entries')::int AS entries FROM audit_logs
       WHERE operation = 'vulnerability_data.load' ORDER BY id DESC LIMIT 5`,
    );
    expect(entries.map(({ status }) => status)).toEqual(['failure', 'success', 'success', 'failure', 'success']);
    expect(entries[1]).toMatchObject({ via: 'cli', entries: 1 });
  });

  const long = scoresOf(
    Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`CVE-2098-${10_000 + index}`, 1])),
  );
  const zipped = gzipSync(long);

  it.each<[string, SourceName, string | Buffer, string]>([
    ['an empty file', 'epss', '', 'The file is empty'],
    ['a file without scores', 'epss', scoresOf({}), 'has no scores'],
    ['another first line', 'epss', 'cve,epss,percentile\n', 'Line 1 must be #model_version'],
    ['another date', 'epss', scoresOf({ 'CVE-2099-0001': 1 }, '2099-13-99'), 'Line 1 must be #model_version'],
    ['other columns', 'epss', long.replace('cve,epss', 'cve,score'), 'Line 2 must be the names of the columns'],
    ['a mistake behind the first piece', 'epss', long.replace('15999,1', '15999,1.5'), 'Line 6002 must be a CVE'],
    ['a CVE twice in other pieces', 'epss', long.replace('CVE-2098-15999', 'CVE-2098-10000'), 'lines 5003 to 6002'],
    ['a last line without an end', 'epss', long.slice(0, -3), 'ends in the middle of line 6002'],
    ['a long line', 'epss', `${long}${'x'.repeat(300)}`, 'Line 6003 must have at most 200 characters'],
    ['another file', 'epss', catalogOf(['CVE-2099-0001']), 'Line 1 must'],
    ['a cut gzip file', 'epss', zipped.subarray(0, zipped.length - 20), 'damaged or cut off'],
    ['a damaged gzip file', 'epss', Buffer.concat([zipped.subarray(0, 2), Buffer.alloc(100, 7)]), 'damaged or cut off'],
    ['a gzip bomb', 'kev', gzipSync(Buffer.alloc(70 * 2 ** 20)), 'more than 64 MiB'],
    ['no JSON', 'kev', catalogOf(['CVE-2099-0001']).slice(0, -5), 'The file is not JSON'],
    ['an empty catalog', 'kev', catalogOf([]), 'vulnerabilities must not be empty'],
    ['no CVE', 'kev', catalogOf(['CVE-2099-0001', 'GHSA-1']), 'vulnerabilities[1].cveID must be a CVE identifier'],
    [
      'no day',
      'kev',
      catalogOf(['CVE-2099-0001'], undefined, { dateAdded: 'soon' }),
      'vulnerabilities[0].dateAdded must be a day',
    ],
    ['an entry twice', 'kev', catalogOf(['CVE-2099-0001', 'CVE-2099-0001']), 'again, like vulnerabilities[0]'],
    ['too few entries', 'kev', catalogOf(['CVE-2099-0001']).replace('"count":1', '"count":9'), 'count is 9'],
  ])('refuses %s of %s, and keeps what is loaded', async (_title, name, content, message) => {
    await load('epss', scoresOf({ 'CVE-2099-0001': 0.1 }, '2000-01-01'));
    await load('kev', catalogOf(['CVE-2099-0002'], '2000-01-01'));
    await expect(load(name, content)).rejects.toThrow(message);
    expect(await known()).toEqual([
      { cve: 'CVE-2099-0001', score: 0.1, listed: false },
      { cve: 'CVE-2099-0002', score: null, listed: true },
    ]);
  });
});

describe('fetching a file', () => {
  let server: Server;
  let origin: string;
  let requests: { url: string; headers: IncomingHttpHeaders }[] = [];
  let content: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const url = request.url ?? '';
      requests.push({ url, headers: request.headers });
      if (url === '/moved') return response.writeHead(302, { location: '/epss.csv.gz' }).end();
      if (url === '/circle') return response.writeHead(302, { location: '/circle' }).end();
      if (url === '/elsewhere') return response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      if (url === '/broken') return response.writeHead(500).end('x');
      if (url === '/cut') {
        response.writeHead(200, { 'content-length': '100000' });
        return response.write(content, () => response.destroy());
      }
      if (request.headers['if-none-match'] === '"1"') return response.writeHead(304).end();
      return response.writeHead(200, { etag: '"1"', 'content-type': 'application/gzip' }).end(gzipSync(content));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    requests = [];
    content = scoresOf({ 'CVE-2099-0001': 0.2 });
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const fetchFrom = (path: string) => api.app.get(VulnerabilityDownload).fetch('epss', `${origin}${path}`);

  it('follows a redirect, and asks the next time only for a changed file', async () => {
    expect(await fetchFrom('/moved')).toMatchObject({ entries: 1, isNew: true });
    expect(await fetchFrom('/moved')).toBeUndefined();
    expect(requests.map(({ url, headers }) => [url, headers['if-none-match']])).toEqual([
      ['/moved', undefined],
      ['/epss.csv.gz', undefined],
      ['/moved', '"1"'],
      ['/epss.csv.gz', '"1"'],
    ]);
    // Another address may have another file with the same tag.
    expect(await fetchFrom('/epss.csv.gz')).toMatchObject({ isNew: false });
  });

  it.each([
    ['/circle', 'redirects more than 3 times'],
    ['/elsewhere', 'redirects to file:'],
    ['/broken', 'answered with the status 500'],
    ['/cut', ''],
  ])('fails at %s, and keeps what is loaded', async (path, message) => {
    await load('epss', scoresOf({ 'CVE-2099-0001': 0.1 }, '2099-01-01'));
    await expect(fetchFrom(path)).rejects.toThrow(message);
    expect(await known()).toMatchObject([{ score: 0.1 }]);
    expect(requests.length).toBeLessThanOrEqual(4);
  });
});

it('the worst CVE of a finding decides about EPSS, KEV and the priority, also after the next file', async () => {
  const tenant = await make.organization();
  const { value: host } = await make.asset(tenant.id);
  const { client } = await tenant.as('member');
  const [first, likely, exploited] = ['CVE-2031-70001', 'CVE-2031-70002', 'CVE-2031-70003'];
  await load('epss', scoresOf({ [first]: 0.01, [likely]: 0.93 }));
  const result = {
    title: 'Old library',
    severity: 'Medium',
    endpoints: [`https://${host}/`],
    vulnerability_ids: [first, likely, exploited],
  };
  const file = new Blob([JSON.stringify({ findings: [result] })], { type: 'application/json' });
  await imported({ client, path: `/v1/organizations/${tenant.id}/imports` }, file);
  const recorded = async () => (await client.get(`/v1/organizations/${tenant.id}/findings/`)).body.findings[0];
  const finding = await recorded();
  expect(finding).toMatchObject({ cve: first, other_cves: [likely, exploited], epss: { score: 0.93 }, kev: null });
  await load('kev', catalogOf([exploited]));
  await eventually(async () => expect((await recorded()).priority).toBeLessThan(finding.priority));
  // What was read a moment ago is shown for two seconds.
  await eventually(async () => expect((await recorded()).kev).toMatchObject({ date_added: '2098-12-01' }));
});
