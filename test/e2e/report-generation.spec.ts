import { parse } from 'csv-parse/sync';
import { uuidV7 } from '../../src/kernel/uuid-v7';
import type { ReportSnapshot } from '../../src/modules/reports/domain/report-snapshot';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { useWorkerProcess } from '../support/processes';
import { downloadReport, generateReport, generateReportAt } from '../support/reports';

const api = useApi();
const make = new Factories(api);
useWorkerProcess();

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly slug: string;
  readonly eventId: number;
  readonly asset: { readonly id: number; readonly value: string };
  record(title: string, parts?: object): Promise<number>;
}

/** An event with an asset in its scope, and a client of its organization's owner. */
async function createFixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('owner');
  const { slug, id: eventId } = await make.event(tenant.id, {
    start_date: '2026-01-01T00:00:00Z',
    end_date: '2099-01-01T00:00:00Z',
  });
  const asset = await make.asset(tenant.id);
  await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: asset.id, description: 'The shop.' });
  const record = async (title: string, parts: object = {}): Promise<number> =>
    (await client.post(`/v1/events/${slug}/findings/`, { title, asset_id: asset.id, severity: 'medium', ...parts }))
      .body.id;
  return { tenant, client, slug, eventId, asset, record };
}

const jsonOf = async ({ client, slug }: Fixture, options: object = {}, order: object = {}): Promise<ReportSnapshot> =>
  JSON.parse(await downloadReport(client, slug, { ...options, format: 'json' }, order)) as ReportSnapshot;

const titlesOf = ({ findings }: ReportSnapshot): string[] => findings.map(({ title }) => title);

describe('a generated report', () => {
  it('contains the event, its findings with their history, and its scope', async () => {
    const fixture = await createFixture();
    const id = await fixture.record('SQL injection', {
      md: 'A *quote*.',
      cvss_vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      severity: undefined,
      cve: 'CVE-2026-1234',
    });
    await fixture.record('Small', { severity: 'low' });
    await fixture.client.post(`/v1/findings/${id}/status`, { status: 2, comment: 'Seen.' });
    const { id: user_id } = (await fixture.client.get('/v1/me')).body.user;
    const work = { assignee_id: user_id, due_date: '2030-01-31', labels: ['shop', 'pci'] };
    await fixture.client.patch(`/v1/findings/${id}/`, work);
    await fixture.client.post(`/v1/findings/${id}/comments/`, { comment: 'Only for us.' });
    await query(
      `UPDATE users SET name = 'Mara Lindqvist' WHERE id IN (SELECT user_id FROM memberships WHERE organization_id = $1)`,
      [fixture.tenant.id],
    );
    const report = await jsonOf(fixture);
    expect(report).toMatchObject({
      schema: 'assay/report/1',
      organization: { id: fixture.tenant.id, name: fixture.tenant.name },
      event: { slug: fixture.slug, type: 'machine', category: 'pentest' },
      start_date: '2026-01-01T00:00:00.000Z',
      totals: { findings: 2, left_out: 0, open: 2, resolved: 0, retests: 0, by_severity: { critical: 1, low: 1 } },
      scope: {
        in_scope: [
          {
            id: fixture.asset.id,
            value: fixture.asset.value,
            description: 'The shop.',
            findings: 2,
            last_tested: null,
          },
        ],
        out_of_scope: [],
      },
    });
    expect(report.findings[0]).toMatchObject({
      id,
      title: 'SQL injection',
      html: '<p>A <em>quote</em>.</p>\n',
      severity: 'critical',
      score: 9.8,
      status_name: 'accepted',
      cve: 'CVE-2026-1234',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      resolved: null,
      in_scope: true,
      assignee: 'Mara Lindqvist',
      due_date: '2030-01-31',
      labels: ['pci', 'shop'],
    });
    expect(report).not.toHaveProperty('logo');
    const nameOfOwner = 'Mara Lindqvist';
    expect(report.findings[0]?.history).toEqual([
      { at: expect.any(String), from: null, to: 'open', actor: nameOfOwner, actor_type: 'user', comment: null },
      {
        at: expect.any(String),
        from: 'open',
        to: 'accepted',
        actor: nameOfOwner,
        actor_type: 'user',
        comment: 'Seen.',
      },
    ]);
    expect(report.timeline.reduce((sum, { found }) => sum + found, 0)).toBe(2);
  });

  it('contains exactly the findings that the options select', async () => {
    const fixture = await createFixture();
    await fixture.record('High', { severity: 'high' });
    const accepted = await fixture.record('Accepted', { severity: 'medium' });
    const resolved = await fixture.record('Resolved', { severity: 'low' });
    await fixture.client.post(`/v1/findings/${accepted}/status`, { status: 6, comment: 'For now.' });
    await fixture.client.post(`/v1/findings/${resolved}/status`, { status: 5 });
    const of = async (options: object, order?: object): Promise<[string[], number]> => {
      const report = await jsonOf(fixture, options, order);
      return [titlesOf(report), report.totals.left_out];
    };
    expect(await of({})).toEqual([['High', 'Accepted', 'Resolved'], 0]);
    expect(await of({ min_severity: 'medium' })).toEqual([['High', 'Accepted'], 1]);
    expect(await of({ statuses: [1, 5] })).toEqual([['High', 'Resolved'], 1]);
    expect(await of({ include_resolved: false })).toEqual([['High', 'Accepted'], 1]);
    expect(await of({}, { start_date: '2026-01-01', end_date: '2026-01-02' })).toEqual([[], 3]);
    const [resolvedOne] = (await jsonOf(fixture, { statuses: [5] })).findings;
    expect(resolvedOne?.resolved).toBe(resolvedOne?.history.at(-1)?.at);
  });

  it('has only findings on assets of an owner if it was ordered so, and says whose', async () => {
    const fixture = await createFixture();
    await fixture.record('Of the team');
    const { client, tenant } = fixture;
    const admin = await tenant.as('admin');
    const group = await admin.client.post(`/v1/organizations/${tenant.id}/groups/`, { name: 'Team Shop' });
    const owner = `group:${group.body.id}`;
    const of = async (options: object) => {
      const report = await jsonOf(fixture, options);
      return [titlesOf(report), report.left_out.map(({ reasons }) => reasons), report.owner_name];
    };
    expect(await of({ owner })).toEqual([[], [['Its asset has another owner, or none.']], 'Team Shop']);
    await query('UPDATE assets SET owner_group_id = $2 WHERE organization_id = $1', [tenant.id, group.body.id]);
    expect(await of({ owner })).toEqual([['Of the team'], [], 'Team Shop']);
    expect(await of({})).toEqual([['Of the team'], [], undefined]);
    const refused = await client.post(`/v1/organizations/${tenant.id}/reports/`, {
      options: { owner: 'group:2147483647' },
    });
    expect(refused.status).toBe(422);
  });

  it('says of a reopened finding when it was last resolved', async () => {
    const fixture = await createFixture();
    const id = await fixture.record('Reopened');
    for (const status of [5, 1, 5]) await fixture.client.post(`/v1/findings/${id}/status`, { status });
    const [finding] = (await jsonOf(fixture)).findings;
    const resolutions = finding?.history.filter(({ to }) => to === 'resolved').map(({ at }) => at) ?? [];
    expect(new Set(resolutions).size).toBe(2);
    expect(finding?.resolved).toBe(resolutions[1]);
  });

  it('contains findings of the event from before the end of the period that were last seen after its start', async () => {
    const fixture = await createFixture();
    const asset = { ...fixture.asset, tier: null };
    const draft = { title: 'Known before', severity: 'high', asset } as const;
    const { id } = await make.finding(fixture.tenant.id, draft);
    await make.record(fixture.tenant.id, { ...draft, eventId: fixture.eventId });
    await query(`UPDATE findings SET created = '2026-01-10', last_seen = '2026-05-10' WHERE id = $1`, [id]);
    await query(`UPDATE event_findings SET first_seen = '2026-03-10', last_seen = '2026-03-10' WHERE finding_id = $1`, [
      id,
    ]);
    const during = async (start_date: string, end_date: string): Promise<[string[], number]> => {
      const report = await jsonOf(fixture, {}, { start_date, end_date });
      return [titlesOf(report), report.totals.left_out];
    };
    expect(await during('2026-01-01', '2026-02-01')).toEqual([[], 1]);
    expect(await during('2026-03-01', '2026-04-01')).toEqual([['Known before'], 0]);
    expect(await during('2026-05-01', '2026-06-01')).toEqual([['Known before'], 0]);
    expect(await during('2026-06-01', '2026-07-01')).toEqual([[], 1]);
  });

  it('contains the requested sections', async () => {
    const fixture = await createFixture();
    await fixture.record('One');
    const html = (sections: string[]): Promise<string> =>
      downloadReport(fixture.client, fixture.slug, { format: 'html', sections });
    const [summary, findings] = [await html(['summary']), await html(['findings'])];
    expect([summary.includes('id="summary"'), summary.includes('id="findings"')]).toEqual([true, false]);
    expect([findings.includes('id="summary"'), findings.includes('id="findings"')]).toEqual([false, true]);
    expect(Object.keys(await jsonOf(fixture, { sections: ['scope'] }))).not.toContain('findings');
  });

  it('does not change with the findings; the next report shows their new state', async () => {
    const fixture = await createFixture();
    const id = await fixture.record('Before');
    const order = { options: { format: 'json' } };
    const { id: report } = await generateReport(fixture.client, fixture.slug, order);
    const first = await fixture.client.get(`/v1/reports/${report}/download`);
    await fixture.client.post(`/v1/findings/${id}/status`, { status: 5 });
    await fixture.record('After');
    const again = await fixture.client.get(`/v1/reports/${report}/download`);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(titlesOf(JSON.parse(first.text) as ReportSnapshot)).toEqual(['Before']);
    expect((await jsonOf(fixture)).totals).toMatchObject({ findings: 2, resolved: 1 });
  });

  it('contains the retests with their evidence unless evidence is excluded', async () => {
    const fixture = await createFixture();
    const id = await fixture.record('Tested');
    const evidence = {
      evidence: {
        probes: [
          {
            started: '2026-02-01T00:00:00.000Z',
            observation: { state: 'vulnerable', detail: 'It is there.' },
            exchanges: [
              {
                kind: 'http',
                to: 'https://a.example/',
                address: '192.0.2.1:443',
                sent: 'GET /',
                received: 'HTTP/1.1 200',
                tls: null,
                failure: null,
              },
              {
                kind: 'tcp',
                to: '192.0.2.1:22',
                address: null,
                sent: '',
                received: '',
                tls: null,
                failure: { code: 'refused', reason: 'the connection was refused' },
              },
            ],
          },
        ],
      },
      signature: { key: '0123456789abcdef', algorithm: 'Ed25519', value: '' },
    };
    await query(
      `INSERT INTO retests (uuid, organization_id, finding_id, status, result, reason, finished, evidence)
       VALUES (gen_random_uuid(), $1, $2, 'finished', 'still_vulnerable', 'It is there.', now(), $3)`,
      [fixture.tenant.id, id, JSON.stringify(evidence)],
    );
    const [reported] = (await jsonOf(fixture)).findings;
    expect(reported?.retests).toMatchObject([{ result: 'still_vulnerable', signed_by: '0123456789abcdef' }]);
    expect(reported?.retests[0]?.probes).toEqual([
      {
        at: '2026-02-01T00:00:00.000Z',
        state: 'vulnerable',
        detail: 'It is there.',
        exchanges: [
          { request: 'GET /', response: 'HTTP/1.1 200', address: '192.0.2.1:443' },
          { request: 'TCP 192.0.2.1:22', response: '(the connection was refused)', address: null },
        ],
      },
    ]);
    for (const options of [{ include_evidence: false }, { sections: ['summary', 'findings'] }])
      expect((await jsonOf(fixture, options)).findings[0]?.retests).toMatchObject([{ probes: [], signed_by: null }]);
  });

  it('lists what jobs of the event tested in the period and what they could not test', async () => {
    const fixture = await createFixture();
    const coverage = [
      { check: 'a', location: 'https://x/', outcome: 'not_vulnerable', reason: '' },
      { check: 'b', location: 'https://x/', outcome: 'inconclusive', reason: 'no response in time' },
    ];
    await query(
      `INSERT INTO jobs (uuid, organization_id, event_id, asset_id, url, status, finished, coverage)
       VALUES (gen_random_uuid(), $1, $2, $3, 'https://x/', 'ERROR', '2026-03-01T00:00:00Z', $4)`,
      [fixture.tenant.id, fixture.eventId, fixture.asset.id, JSON.stringify(coverage)],
    );
    expect((await jsonOf(fixture)).scope.in_scope).toMatchObject([
      {
        last_tested: '2026-03-01T00:00:00.000Z',
        checks_completed: 1,
        not_tested: [{ check: 'b', location: 'https://x/', reason: 'no response in time' }],
      },
    ]);
    const before = await jsonOf(fixture, {}, { start_date: '2026-01-01', end_date: '2026-02-01' });
    expect(before.scope.in_scope).toMatchObject([{ last_tested: null, not_tested: [] }]);
  });

  it('shows the last test of every asset, however often another was tested since', async () => {
    const fixture = await createFixture();
    const busy = await make.asset(fixture.tenant.id);
    await fixture.client.post(`/v1/events/${fixture.slug}/scope/assets/`, { asset_id: busy.id });
    const ended = (assetId: number, url: string, finished: string, outcome = 'not_vulnerable', count = 1) =>
      query(
        `INSERT INTO jobs (uuid, organization_id, event_id, asset_id, url, status, finished, coverage)
         SELECT gen_random_uuid(), $1, $2, $3, $4 || n, 'FINISHED', $5::timestamptz, $6
         FROM generate_series(1, $7::int) n`,
        [
          fixture.tenant.id,
          fixture.eventId,
          assetId,
          url,
          finished,
          JSON.stringify([{ check: 'a', location: url, outcome, reason: 'no response in time' }]),
          count,
        ],
      );
    // Inserted first, but finished last.
    await ended(fixture.asset.id, 'https://x/slow?build=', '2026-03-03T00:00:00Z');
    await ended(fixture.asset.id, 'https://x/quick?build=', '2026-03-02T00:00:00Z');
    await ended(busy.id, 'https://y/?build=', '2026-04-01T00:00:00Z', 'inconclusive', 500);
    await ended(busy.id, 'https://y/page/', '2026-04-02T00:00:00Z', 'inconclusive', 500);
    await ended(busy.id, 'https://y/?build=', '2026-04-03T00:00:00Z');
    const assets = (await jsonOf(fixture)).scope.in_scope.toSorted((one, other) => one.id - other.id);
    expect(assets).toMatchObject([
      { id: fixture.asset.id, last_tested: '2026-03-03T00:00:00.000Z', checks_completed: 2, not_tested: [] },
      {
        id: busy.id,
        last_tested: '2026-04-03T00:00:00.000Z',
        checks_completed: 1,
        not_tested: [{ check: 'a', location: 'https://y/page/', reason: 'no response in time' }],
      },
    ]);
  });
});

describe('every report format', () => {
  it.each([
    ['pdf', 'application/pdf', /^%PDF-1/],
    ['html', 'text/html; charset=utf-8', /^<!doctype html>/],
    ['json', 'application/json', /^\{\n {2}"schema": "assay\/report\/1"/],
    ['csv', 'text/csv; charset=utf-8', /^"id","title"/],
    ['sarif', 'application/sarif+json', /"version": "2\.1\.0"/],
    ['gitlab', 'application/json', /^\{\n {2}"version": "15\.0\.7"/],
    ['junit', 'application/xml', /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites/],
  ])('can be generated for an event without findings: %s', async (format, contentType, beginning) => {
    const { client, slug } = await createFixture();
    const { id, error } = await generateReport(client, slug, { options: { format } });
    expect(error).toBeNull();
    const answer = await client.get(`/v1/reports/${id}/download`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, contentType]);
    expect(answer.text).toMatch(beginning);
  });

  it('contains the same findings', async () => {
    const fixture = await createFixture();
    await fixture.client.patch(`/v1/assets/${fixture.asset.id}`, { purl: 'pkg:npm/shop@4.2.0' });
    for (const title of ['=HYPERLINK("http://x")', '<script>alert(1)</script>', 'ثغرة'])
      await fixture.record(title, { cve: 'CVE-2026-1234' });
    const of = (format: string): Promise<string> => downloadReport(fixture.client, fixture.slug, { format });
    const { findings } = JSON.parse(await of('json')) as ReportSnapshot;
    const titles = findings.map(({ title }) => title);
    const rows: Record<string, string>[] = parse(await of('csv'), { columns: true, bom: true });
    expect(rows.map((row) => row['title']?.replace(/^'/, ''))).toEqual(titles);
    const sarif = JSON.parse(await of('sarif')) as { runs: { results: { message: { text: string } }[] }[] };
    expect(sarif.runs[0]?.results.map(({ message }) => message.text)).toEqual(titles);
    const vex = JSON.parse(await of('vex')) as { statements: { status: string }[] };
    expect(vex.statements.map(({ status }) => status)).toEqual(titles.map(() => 'affected'));
    const html = await of('html');
    expect(html).not.toMatch(/<script|javascript:|<img|<link|src=|@import|url\(/i);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });
});

describe('a report of another subject', () => {
  const fileOf = async (client: Client, path: string, format: string) => {
    const { id, error } = await generateReportAt(client, path, { options: { format } });
    expect(error).toBeNull();
    return client.get(`/v1/reports/${id}/download`);
  };

  it('has the changes that observations showed in its period, the most important first', async () => {
    const { tenant, client, asset } = await createFixture();
    const other = await make.organization();
    const ofOther = await make.asset(other.id);
    const add = (organizationId: number, assetId: number, kind: string, port: number, daysAgo = 0) => {
      const seen = new Date(Date.now() - daysAgo * 86_400_000);
      return query(
        `INSERT INTO asset_changes (id, organization_id, asset_id, seen, kind, address, port, before, after)
         VALUES ($1, $2, $3, $4, $5, '192.0.2.7', $6, '{"service": "ftp"}', '{"service": "redis"}')`,
        [uuidV7(seen.getTime()), organizationId, assetId, seen, kind, port],
      );
    };
    await add(tenant.id, asset.id, 'port_opened', 6379);
    await add(tenant.id, asset.id, 'port_closed', 21);
    // A millisecond later. The period begins with the organization, which is younger than a tenth of a second.
    await add(tenant.id, asset.id, 'port_closed', 22, -2e-8);
    await add(tenant.id, asset.id, 'port_opened', 23, 30);
    await add(other.id, ofOther.id, 'port_opened', 24);
    const path = `/v1/organizations/${tenant.id}/reports/`;
    const { changes } = (await fileOf(client, path, 'json')).body as ReportSnapshot;
    expect(changes).toMatchObject({
      total: 3,
      by_kind: [
        { kind: 'port_closed', count: 2, text: '2 ports closed' },
        { kind: 'port_opened', count: 1, text: '1 port opened' },
      ],
    });
    expect(changes?.listed.map(({ asset_id, text }) => [asset_id, text])).toEqual([
      [asset.id, 'Port 6379 opened (redis).'],
      [asset.id, 'Port 22 closed (ftp).'],
      [asset.id, 'Port 21 closed (ftp).'],
    ]);
    expect((await fileOf(client, path, 'html')).text).toContain('3 changes in this period');
    const { id } = await generateReportAt(client, path, { options: { format: 'json', sections: ['findings'] } });
    expect((await client.get(`/v1/reports/${id}/download`)).body).not.toHaveProperty('changes');
  });

  it('is of an organization: all its findings, assets and events, tested with and without an event', async () => {
    const fixture = await createFixture();
    const { tenant, client, slug, asset } = fixture;
    await fixture.record('In the event');
    await make.finding(tenant.id, { title: 'Without an event' });
    const other = await make.asset(tenant.id);
    await query(
      `INSERT INTO jobs (uuid, organization_id, asset_id, url, status, finished, coverage)
       VALUES (gen_random_uuid(), $1, $2, 'https://x/', 'FINISHED', now(), $3)`,
      [
        tenant.id,
        other.id,
        JSON.stringify([{ check: 'a', location: 'https://x/', outcome: 'not_vulnerable', reason: '' }]),
      ],
    );
    await make.finding((await make.organization()).id, { title: 'Of another tenant' });
    const path = `/v1/organizations/${tenant.id}/reports/`;
    const json = await fileOf(client, path, 'json');
    const report = json.body as ReportSnapshot;
    expect(report).toMatchObject({
      subject: 'organization',
      event: null,
      job: null,
      totals: { findings: 2, left_out: 0 },
    });
    expect(titlesOf(report).sort()).toEqual(['In the event', 'Without an event']);
    expect(report.events.map((event) => event.slug)).toEqual([slug]);
    const tested = new Map(report.scope.in_scope.map(({ id, last_tested }) => [id, last_tested !== null]));
    expect(tested).toEqual(
      new Map([
        [asset.id, false],
        [other.id, true],
      ]),
    );
    expect(json.headers.get('content-disposition')).toContain(tenant.name.replace(' ', '-'));
  });

  it('is of an organization in the formats for people and for pipelines', async () => {
    const { client, tenant, record } = await createFixture();
    await record('Found');
    const path = `/v1/organizations/${tenant.id}/reports/`;
    const formats = ['pdf', 'html', 'junit'];
    const files = await Promise.all(formats.map((format) => fileOf(client, path, format)));
    expect(files.map(({ text }) => text.slice(0, 5))).toEqual(['%PDF-', '<!doc', '<?xml']);
    for (const { text } of files.slice(1)) expect(text).toContain('Found');
  });

  it('is of a job that ended in ERROR, with its reason and what was not tested, as a page for people', async () => {
    const { tenant, client, asset } = await createFixture();
    const [job] = await query<{ uuid: string }>(
      `INSERT INTO jobs (uuid, organization_id, asset_id, url, status, error, started, finished, coverage)
       VALUES (gen_random_uuid(), $1, $2, 'https://shop.example/cart', 'ERROR', 'It stopped answering.', now(), now() + interval '9 s', $3)
       RETURNING uuid`,
      [
        tenant.id,
        asset.id,
        JSON.stringify([
          {
            check: 'exposed-git',
            location: 'https://shop.example/',
            outcome: 'inconclusive',
            reason: 'no response in time',
          },
        ]),
      ],
    );
    const path = `/v1/jobs/${job?.uuid}/reports/`;
    const html = await fileOf(client, path, 'html');
    for (const text of ['https://shop.example/cart', 'It stopped answering', 'No response in time'])
      expect(html.text).toContain(text);
    expect(html.headers.get('content-disposition')).toContain('Job-on-shop.example-report-');
    expect((await fileOf(client, path, 'pdf')).text.startsWith('%PDF-1')).toBe(true);
    expect((await fileOf(client, path, 'gitlab')).body.scan).toMatchObject({ status: 'failure' });
  });
});

describe('a VEX report', () => {
  it('names the product of each asset, and the record counts the statements that it lacks', async () => {
    const fixture = await createFixture();
    const { client, slug, asset, tenant } = fixture;
    await fixture.record('With a product', { cve: 'CVE-2026-1234' });
    const other = await make.asset(tenant.id);
    await fixture.record('Without', { cve: 'CVE-2026-1235', asset_id: other.id });
    const order = { options: { format: 'vex' } };
    const failed = await generateReport(client, slug, order);
    expect(failed.error).toMatch(/^2 findings with a CVE cannot be stated/);
    await client.patch(`/v1/assets/${asset.id}`, { purl: 'pkg:npm/shop@4.2.0' });
    const { id, error, notice } = await generateReport(client, slug, order);
    expect([error, notice]).toEqual([
      null,
      expect.stringMatching(`^1 finding with a CVE cannot be stated.*: ${other.id}\\.$`),
    ]);
    expect((await client.get(`/v1/reports/${id}/download`)).body.statements).toEqual([
      expect.objectContaining({
        vulnerability: { name: 'CVE-2026-1234' },
        products: [{ '@id': 'pkg:npm/shop@4.2.0', identifiers: { purl: 'pkg:npm/shop@4.2.0' } }],
      }),
    ]);
    const [finding] = await query<{ id: number }>(
      `SELECT id FROM findings WHERE organization_id = $1 AND title = 'With a product'`,
      [tenant.id],
    );
    const justification = 'vulnerable_code_not_present';
    const { client: admin } = await tenant.as('admin');
    await admin.post(`/v1/findings/${finding?.id}/status`, { status: 7, comment: 'Compiled out.', justification });
    const next = await generateReport(client, slug, order);
    const [stated] = (await client.get(`/v1/reports/${next.id}/download`)).body.statements;
    expect(stated).toMatchObject({ status: 'not_affected', justification });
    expect([stated.impact_statement, stated.status_notes]).toEqual([
      undefined,
      expect.stringMatching(/Compiled out\.$/),
    ]);
  });
});

describe('a report that cannot be generated', () => {
  it('states the reason in its record and in the response to a download', async () => {
    const { client, slug, tenant } = await createFixture();
    const report = await generateReport(client, slug, { options: { format: 'vex' } });
    expect(report).toMatchObject({
      generation_date: null,
      error: expect.stringMatching(/^No finding in the report has a CVE/),
    });
    const answer = await client.get(`/v1/reports/${report.id}/download`);
    expect([answer.status, answer.body.description]).toEqual([
      409,
      expect.stringContaining('No finding in the report has a CVE'),
    ]);
    const [entry] = (await client.get(`/v1/audit-logs/?organization_id=${tenant.id}&operation=report.generate`)).body
      .audit_logs;
    expect(entry).toMatchObject({ status: 'failure', actor_type: 'system', resource_id: String(report.id) });
  });

  it('fails above 20,000 findings, and is generated with narrower options', async () => {
    const { client, slug, tenant, eventId } = await createFixture();
    await query(
      `WITH recorded AS (
         INSERT INTO findings (organization_id, event_id, asset_value, title, severity, priority, fingerprint)
         SELECT $1, $2::int, 'a.example', 'Finding ' || n, CASE WHEN n <= 3 THEN 4 ELSE 2 END, 3, sha256(n::text::bytea)
         FROM generate_series(1, 20001) AS n RETURNING *)
       INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority)
       SELECT event_id, id, organization_id, severity, priority FROM recorded`,
      [tenant.id, eventId],
    );
    const { error } = await generateReport(client, slug, { options: { format: 'json' } });
    expect(error).toMatch(/^It includes more than 20000 findings\. Narrow it/);
    const narrowed = await downloadReport(client, slug, { format: 'json', min_severity: 'high' });
    expect((JSON.parse(narrowed) as ReportSnapshot).totals).toMatchObject({ findings: 3, left_out: 19_998 });
  });
});

it('the report files of an organization are deleted with it', async () => {
  const { client, integratorId } = await make.integrator();
  const tenant = await make.organization({ integratorId });
  const { slug } = await make.event(tenant.id);
  await generateReport(client, slug, { options: { format: 'html' } });
  const files = () =>
    query(
      'SELECT f.id FROM report_files f JOIN report_file_chunks c ON c.file_id = f.id WHERE f.organization_id = $1',
      [tenant.id],
    );
  expect(await files()).toHaveLength(1);
  await client.delete(`/v1/organizations/${tenant.id}/`);
  await eventually(async () => expect(await files()).toEqual([]));
});
