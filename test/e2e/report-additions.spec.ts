import type { ReportSnapshot } from '../../src/modules/reports/domain/report-snapshot';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { imported } from '../support/imports';
import { useWorkerProcess } from '../support/processes';
import { downloadReport, generateReport, generateReportAt } from '../support/reports';

const api = useApi();
const make = new Factories(api);
useWorkerProcess();

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly userId: number;
  readonly slug: string;
  readonly host: string;
  record(title: string, parts?: object): Promise<number>;
}

/** An event that began an hour ago. */
async function createFixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client, userId } = await tenant.as('owner');
  const { slug } = await make.event(tenant.id, {
    start_date: new Date(Date.now() - 3_600_000).toISOString(),
    end_date: '2099-01-01T00:00:00Z',
  });
  const { id: asset_id, value: host } = await make.asset(tenant.id);
  await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id });
  const record = async (title: string, parts: object = {}): Promise<number> =>
    (await client.post(`/v1/events/${slug}/findings/`, { title, asset_id, severity: 'medium', ...parts })).body.id;
  return { tenant, client, userId, slug, host, record };
}

const jsonOf = async ({ client, slug }: Fixture, options: object = {}, order: object = {}): Promise<ReportSnapshot> =>
  JSON.parse(await downloadReport(client, slug, { ...options, format: 'json' }, order)) as ReportSnapshot;

const titlesOf = ({ findings }: ReportSnapshot): string[] => findings.map(({ title }) => title);

const leftOutOf = ({ left_out }: ReportSnapshot) => left_out.map(({ title, reasons }) => [title, ...reasons]);

const oldResult = (host: string, path: string): Blob =>
  new Blob(
    [
      `${JSON.stringify({
        'template-id': 'exposed-git',
        info: { name: `Found at ${path}`, severity: 'high', description: 'It is public.' },
        type: 'http',
        host: `https://${host}`,
        'matched-at': `https://${host}${path}`,
        timestamp: '2020-01-20T12:00:00Z',
      })}\n`,
    ],
    { type: 'application/x-ndjson' },
  );

describe('the report of an event', () => {
  it('contains results with an old date that were imported into the event, and where they were seen', async () => {
    const fixture = await createFixture();
    const { client, slug, host } = fixture;
    await imported({ client, path: `/v1/events/${slug}/imports` }, oldResult(host, '/old?id=1'));
    const report = await jsonOf(fixture);
    expect([titlesOf(report), report.totals.left_out, report.left_out]).toEqual([['Found at /old?id=1'], 0, []]);
    expect(report.findings[0]).toMatchObject({ check: null, location: `https://${host}/old?id=1` });
    const csv = await downloadReport(client, slug, { format: 'csv' });
    expect(csv).toContain(`"https://${host}/old?id=1"`);
    const sarif = JSON.parse(await downloadReport(client, slug, { format: 'sarif' }));
    expect(sarif.runs[0].results[0].locations[0]).toMatchObject({
      message: { text: `https://${host}/old?id=1` },
      logicalLocations: [{ name: host, fullyQualifiedName: `https://${host}/old?id=1` }],
    });
    expect(sarif.runs[0].results[0].webRequest).toEqual({ target: `https://${host}/old?id=1` });
  });

  it('contains a finding that only a test of Assay in the period has seen', async () => {
    const fixture = await createFixture();
    const id = await fixture.record('Tested');
    const past = `'2020-01-20T00:00:00Z'`;
    await query(`UPDATE findings SET last_seen = ${past}, verified_at = now() WHERE id = $1`, [id]);
    await query(`UPDATE event_findings SET first_seen = ${past}, last_seen = ${past} WHERE finding_id = $1`, [id]);
    await query(`UPDATE finding_sightings SET seen_at = ${past}, created = ${past} WHERE finding_id = $1`, [id]);
    expect(titlesOf(await jsonOf(fixture))).toEqual(['Tested']);
    await query(`UPDATE findings SET verified_at = ${past} WHERE id = $1`, [id]);
    expect(leftOutOf(await jsonOf(fixture))).toEqual([
      ['Tested', 'It was last seen on 2020-01-20, before the period.'],
    ]);
  });

  it('names what its options and its period leave out, with every reason, in JSON and HTML', async () => {
    const fixture = await createFixture();
    const { client, slug, record } = fixture;
    const [low, chosen] = [await record('Low one', { severity: 'low' }), await record('<b>Chosen</b>')];
    await record('Shown', { severity: 'high' });
    await client.post(`/v1/findings/${low}/status`, { status: 6, comment: 'For now.' });
    const options = { min_severity: 'medium', statuses: [1], left_out_findings: [chosen, 2_147_483_647] };
    const report = await jsonOf(fixture, options);
    expect([titlesOf(report), report.totals.left_out]).toEqual([['Shown'], 2]);
    expect(leftOutOf(report)).toEqual([
      ['<b>Chosen</b>', 'It was left out by choice.'],
      ['Low one', 'Its severity is below medium.', 'Its status is risk accepted.'],
    ]);
    const html = await downloadReport(client, slug, { ...options, format: 'html' });
    expect(html).toContain('<section id="left_out" class="chapter"><h2>Not in this report</h2>');
    expect(html).toContain('&lt;b&gt;Chosen&lt;/b&gt;');
    const past = await jsonOf(fixture, {}, { start_date: '2020-01-01', end_date: '2020-02-01' });
    expect([past.findings, past.left_out[0]?.reasons]).toEqual([
      [],
      [expect.stringMatching(/^It was recorded on \d{4}-\d\d-\d\d, after the period\.$/)],
    ]);
    expect((await downloadReport(client, slug, { format: 'html' })).includes('id="left_out"')).toBe(false);
  });

  it('has the findings in the order of the options, with those named first', async () => {
    const fixture = await createFixture();
    const other = await make.asset(fixture.tenant.id, { value: 'aaa.example' });
    await fixture.record('Medium');
    const low = await fixture.record('Low', { severity: 'low', asset_id: other.id });
    await fixture.record('High', { severity: 'high' });
    expect(titlesOf(await jsonOf(fixture))).toEqual(['High', 'Medium', 'Low']);
    expect(titlesOf(await jsonOf(fixture, { order: 'asset' }))[0]).toBe('Low');
    expect(titlesOf(await jsonOf(fixture, { order: 'severity', first_findings: [low] }))).toEqual([
      'Low',
      'High',
      'Medium',
    ]);
  });
});

describe('the texts of a person', () => {
  it('are in the report as written by that person, sanitized, and not in later reports', async () => {
    const fixture = await createFixture();
    await query("UPDATE users SET name = 'Ada Ito' WHERE id = $1", [fixture.userId]);
    await fixture.record('One');
    const texts = {
      summary: 'All **good**. <script>alert(1)</script> [x](javascript:alert(1))',
      rating: '<i>Low</i> risk',
      next_steps: null,
    };
    const { assessment } = await jsonOf(fixture, { texts });
    expect(assessment).toMatchObject({ author: 'Ada Ito', rating: texts.rating, texts: [{ title: 'Summary' }] });
    expect(assessment?.written.slice(0, 10)).toBe(new Date().toISOString().slice(0, 10));
    const html = await downloadReport(fixture.client, fixture.slug, { format: 'html', texts });
    expect(html).toMatch(/Written by Ada Ito on [^<]+\. Everything else in this document is what Assay recorded\./);
    expect(html).toContain('<strong>good</strong>');
    expect(html).toContain('&lt;i&gt;Low&lt;/i&gt; risk');
    expect(html).not.toMatch(/<script|href="javascript/);
    expect((await jsonOf(fixture)).assessment).toBeNull();
  });

  it('fail a report that they would make too large, with the reason', async () => {
    const { client, slug } = await createFixture();
    const summary = `|${'a|'.repeat(90)}\n|${'-|'.repeat(90)}\n${'|\n'.repeat(4_800)}`;
    const { error } = await generateReport(client, slug, { options: { format: 'json', texts: { summary } } });
    expect(error).toMatch(/^Its text "Summary" is refused: md /);
  });
});

describe('a comparison with an earlier report', () => {
  it('says what is new, fixed, open, back and set aside, by the status now', async () => {
    const fixture = await createFixture();
    const { client, slug, record } = fixture;
    const move = (id: number, status: number) =>
      client.post(`/v1/findings/${id}/status`, { status, comment: 'Decided.' });
    const [fixed, open, back, aside] = [
      await record('To be fixed'),
      await record('To stay'),
      await record('To come back'),
      await record('To be accepted'),
    ];
    const hidden = await record('Hidden before', { severity: 'info' });
    await move(back, 5);
    const { id } = await generateReport(client, slug, { options: { format: 'html', min_severity: 'low' } });
    await move(fixed, 5);
    await move(back, 1);
    await move(aside, 6);
    await record('Added since');
    const report = await jsonOf(fixture, { compare_with: id, include_resolved: false });
    const rows = report.comparison?.findings.map(({ title, state, was, is }) => [title, state, was, is]);
    expect(rows).toEqual([
      ['To come back', 'regressed', 'resolved', 'open'],
      ['Added since', 'new', null, 'open'],
      ['To stay', 'still_open', 'open', 'open'],
      ['To be fixed', 'fixed', 'open', 'resolved'],
      ['To be accepted', 'set_aside', 'open', 'risk_accepted'],
    ]);
    expect(report.comparison).toMatchObject({ report_id: id, counts: { regressed: 1, new: 1, still_open: 1 } });
    expect(report.comparison?.notes).toEqual([
      'The options of the two reports differ (least severity, resolved findings), so each may lack findings that the other has.',
      '1 finding was known before the earlier report and not in it, and does not count as new.',
    ]);
    expect(titlesOf(report)).toContain('Hidden before');
    expect(await downloadReport(client, slug, { format: 'html', compare_with: id })).toContain('id="comparison"');
    await query('DELETE FROM findings WHERE id = ANY($1)', [[open, hidden]]);
    const later = await jsonOf(fixture, { compare_with: id, min_severity: 'low' });
    expect(later.comparison?.notes).toEqual(['1 finding was in the earlier report and deleted or merged since.']);
  });

  it('is refused with a report of another subject or organization, and one that is not generated', async () => {
    const [one, other] = [await createFixture(), await createFixture()];
    const { client, slug, tenant } = one;
    const ofOrganization = await generateReportAt(client, `/v1/organizations/${tenant.id}/reports/`, {
      options: { format: 'json' },
    });
    const foreign = await generateReport(other.client, other.slug, { options: { format: 'json' } });
    const failed = await generateReport(client, slug, { options: { format: 'vex' } });
    expect(failed.error).not.toBeNull();
    for (const id of [ofOrganization.id, foreign.id, failed.id, 2_147_483_647]) {
      const answer = await client.post(`/v1/events/${slug}/reports/`, { options: { compare_with: id } });
      expect([answer.status, answer.body.description]).toEqual([
        422,
        `compare_with must be a generated report of the same subject. Report ${id} is none, or an earlier version generated it.`,
      ]);
    }
  });
});

describe('an attestation letter', () => {
  it('has one page with counts, and nothing technical of a finding', async () => {
    const fixture = await createFixture();
    const { client, slug, record, host } = fixture;
    await record('Secret weakness', { severity: 'high', md: 'A *technical* text.' });
    const fixed = await record('Old weakness', { severity: 'low' });
    await client.post(`/v1/findings/${fixed}/status`, { status: 5 });
    const options = { kind: 'letter', min_severity: 'low', title_page: { author: 'Mara Lindqvist' } };
    const html = await downloadReport(client, slug, { ...options, format: 'html' });
    expect(html).toContain('Attestation letter');
    expect(html).toContain('Mara Lindqvist');
    expect(html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).toMatch(/High 1 0 0 1 .*Low 0 1 0 1 .*All 1 1 0 2/);
    for (const detail of ['Secret weakness', 'Old weakness', 'technical', host]) expect(html).not.toContain(detail);
    const { id, error } = await generateReport(client, slug, { options: { ...options, format: 'pdf' } });
    expect([id, error]).toEqual([expect.any(Number), null]);
  });
});
