import { SnapshotReader } from '../../src/modules/reports/snapshot-reader';
import { defaultReportOptions, ReportDraftsService } from '../../src/modules/reports';
import type { PendingReport } from '../../src/modules/reports/data/reports.repository';
import { Scope } from '../../src/platform/api/scope';
import { Database } from '../../src/platform/database/database';
import { sql } from '../../src/platform/database/sql';
import { Transactions } from '../../src/platform/database/transactions';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { statementsOf } from '../support/statements';

const api = useApi();
const make = new Factories(api);

async function eventWith(findings: number): Promise<PendingReport> {
  const { id: organizationId } = await make.organization();
  const { id: eventId, slug } = await make.event(organizationId);
  for (let index = 0; index < findings; index++) {
    const { id } = await make.finding(organizationId, { eventId });
    await query(
      `INSERT INTO retests (uuid, organization_id, finding_id, status, finished) VALUES (gen_random_uuid(), $1, $2, 'canceled', now())`,
      [organizationId, id],
    );
  }
  return {
    id: 1,
    organizationId,
    eventId,
    eventSlug: slug,
    jobUuid: null,
    options: defaultReportOptions,
    startDate: new Date('2000-01-01T00:00:00Z'),
    endDate: new Date('2100-01-01T00:00:00Z'),
    generationDate: null,
    fileId: null,
    error: null,
    notice: null,
    startedBy: null,
    created: new Date(),
  };
}

it('a snapshot needs as many SQL statements for forty findings as for two', async () => {
  const reader = api.app.get(SnapshotReader, { strict: false });
  const costOf = async (report: PendingReport, findings: number): Promise<number> => {
    const statements = await statementsOf(async () => {
      const snapshot = await reader.read(report);
      expect(snapshot.findings).toHaveLength(findings);
      expect(snapshot.totals.retests).toBe(findings);
    });
    return statements.length;
  };
  const [few, many] = [await eventWith(2), await eventWith(40)];
  expect(await costOf(many, 40)).toBe(await costOf(few, 2));
});

it('a snapshot marks the findings whose check is accepted on their asset', async () => {
  const report = await eventWith(0);
  const { organizationId, eventId } = report;
  const checkId = 'no-https-redirect';
  const at = async (title: string, location: string, parts: object = {}) => {
    const { id } = await make.finding(organizationId, {
      eventId,
      title,
      checkId,
      checkDefinition: { location },
      ...parts,
    });
    return id;
  };
  await at('Accepted', 'http://staging.example.com/app');
  await at('Elsewhere', 'http://www.example.com/');
  await at('Other check', 'http://staging.example.com/', { checkId: 'login-over-http' });
  await at('Check in YAML', 'http://staging.example.com/yaml', {
    checkDefinition: { location: 'http://staging.example.com/yaml', http: 'id: x' },
  });
  const asset = await make.asset(organizationId, { value: 'http://staging.example.com/', type: 'url' });
  const { client, userId } = await make.member(organizationId, 'admin');
  await query("UPDATE users SET name = 'Ada Ito' WHERE id = $1", [userId]);
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const reason = 'Only in the office network.';
  const accepted = await client.put(`/v1/assets/${asset.id}/accepted-checks/${checkId}`, { reason, until });
  const marked = async () => {
    const { findings } = await api.app.get(SnapshotReader, { strict: false }).read(report);
    expect(findings).toHaveLength(4);
    return findings.flatMap(({ title, accepted_check }) =>
      accepted_check === null ? [] : [{ title, accepted_check }],
    );
  };
  expect(accepted.status).toBeLessThan(300);
  const accepted_by = 'Ada Ito';
  expect(await marked()).toEqual([
    { title: 'Accepted', accepted_check: { asset_id: asset.id, asset_value: asset.value, reason, until, accepted_by } },
  ]);
  await query('UPDATE accepted_checks SET until = now() WHERE asset_id = $1', [asset.id]);
  expect(await marked()).toEqual([]);
});

it('is refused if the report to compare with was deleted after the order', async () => {
  const options = { ...defaultReportOptions, compare_with: 2_147_483_647 };
  const reading = api.app.get(SnapshotReader, { strict: false }).read({ ...(await eventWith(0)), options });
  await expect(reading).rejects.toThrow(
    'Report 2147483647, with which it is to be compared, was deleted. Order it without compare_with.',
  );
});

it('reads options that an earlier version stored', async () => {
  const { format, sections, min_severity, statuses, include_evidence, include_resolved } = defaultReportOptions;
  const title_page = { title: 'Stored' } as typeof defaultReportOptions.title_page;
  const stored = { format, sections, min_severity, statuses, include_evidence, include_resolved, title_page };
  const options = stored as unknown as typeof defaultReportOptions;
  const snapshot = await api.app.get(SnapshotReader, { strict: false }).read({ ...(await eventWith(1)), options });
  expect(snapshot.options.title_page).toEqual({ ...defaultReportOptions.title_page, title: 'Stored' });
  expect([snapshot.findings.length, snapshot.assessment, snapshot.comparison]).toEqual([1, null, null]);
});

describe('reads in a snapshot transaction', () => {
  const inSnapshot = <T>(reads: (database: Database) => Promise<T>): Promise<T> =>
    api.app.get(Transactions).inSnapshot(() => reads(api.app.get(Database)));

  it('do not see concurrent writes', async () => {
    const { id } = await make.organization();
    const nameNow = sql`SELECT name FROM organizations WHERE id = ${id}`;
    await inSnapshot(async (database) => {
      const before = await database.row(nameNow);
      await query(`UPDATE organizations SET name = 'Renamed' WHERE id = $1`, [id]);
      expect(await database.row(nameNow)).toEqual(before);
    });
    expect(await api.app.get(Database).row(nameNow)).toEqual({ name: 'Renamed' });
  });

  it('cannot write', async () => {
    const { id } = await make.organization();
    const change = inSnapshot((database) => database.change(sql`UPDATE organizations SET name = 'x' WHERE id = ${id}`));
    await expect(change).rejects.toThrow(/read-only transaction/);
  });
});

it('a snapshot counts the higher severity of a finding that an admin has lowered, and says who pasted evidence', async () => {
  const report = await eventWith(0);
  const { organizationId, eventId } = report;
  const admin = await make.member(organizationId, 'admin');
  const draft = { eventId, severity: 'high', checkId: 'exposed-git', md: 'Described.' };
  const { id } = await make.finding(organizationId, {
    ...draft,
    checkDefinition: { location: 'https://example.com/' },
  });
  const edit = { severity: 'info', reason: 'A copy.', remediation: 'Remove *it*.', evidence: '<b>\n```\ntoken=abc' };
  expect((await admin.client.patch(`/v1/findings/${id}/`, edit)).status).toBe(200);
  const work = { assignee_id: admin.userId, due_date: '2030-01-31', labels: ['shop'] };
  expect((await admin.client.patch(`/v1/findings/${id}/`, work)).status).toBe(200);
  const options = { ...defaultReportOptions, min_severity: 'medium' as const };
  const { findings } = await api.app.get(SnapshotReader, { strict: false }).read({ ...report, options });
  expect(findings).toEqual([expect.objectContaining({ id, severity: 'high', priority: 2 })]);
  const [finding] = findings;
  expect(finding?.md).toMatch(
    /^Described\.\n\n### How to fix it\n\nRemove \*it\*\.\n\n### Pasted by .+ on \d{4}-\d\d-\d\d\n\n````\n<b>\n```\ntoken=\[redacted\]\n````$/,
  );
  expect(finding?.html).toContain('<h3>How to fix it</h3>\n<p>Remove <em>it</em>.</p>');
  expect(finding?.html).toMatch(/<h3>Pasted by [^<]+<\/h3>\n<pre><code>&lt;b&gt;\n/);
  expect(finding?.history.at(-1)).toMatchObject({ comment: 'Changed: severity, remediation, evidence. A copy.' });
});

it('a draft counts a finding as proved only by its last finished retest, if no person judged it and it was not open since', async () => {
  const { id: organizationId } = await make.organization();
  const at = (minutes: number): Date => new Date(Date.now() - 3_600_000 + minutes * 60_000);
  const resolved = async (
    history: readonly (readonly [from: number, to: number, minutes: number])[],
    ...retests: object[]
  ) => {
    const { id } = await make.finding(organizationId);
    await query('UPDATE findings SET status = 5 WHERE id = $1', [id]);
    await query('UPDATE finding_history SET created = $2 WHERE finding_id = $1', [id, at(0)]);
    for (const [from, to, minutes] of [[1, 5, 30], ...history])
      await query(
        `INSERT INTO finding_history (organization_id, finding_id, previous_status, status, actor_type, actor_id, created)
         VALUES ($1, $2, $3, $4, 'user', '1', $5)`,
        [organizationId, id, from, to, at(minutes)],
      );
    for (const [index, parts] of retests.entries()) {
      const { status, result, judgedBy } = { status: 'finished', result: 'fixed', judgedBy: null, ...parts };
      await query(
        `INSERT INTO retests (uuid, organization_id, finding_id, status, result, judged_by, finished)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6)`,
        [organizationId, id, status, result, judgedBy, at(35 + index)],
      );
    }
  };
  await resolved([], {});
  await resolved([], {}, { status: 'canceled', result: null });
  await resolved([], {}, { result: 'still_vulnerable' });
  await resolved([], { judgedBy: 1 });
  await resolved(
    [
      [5, 1, 40],
      [1, 5, 50],
    ],
    {},
  );
  await resolved([], { status: 'canceled', result: null });
  const drafts = api.app.get(ReportDraftsService, { strict: false });
  const { summary } = await drafts.draft(Scope.organizations([organizationId]), {
    kind: 'organization',
    id: organizationId,
  });
  expect(summary).toContain('5 of 6 findings were retested: 2 are fixed and proved, and 0 are still vulnerable.');
});

it('a snapshot has no query of the URL of a job, which may carry a token', async () => {
  const event = await eventWith(0);
  const asset = await make.asset(event.organizationId);
  await query(`INSERT INTO event_scope (organization_id, event_id, asset_id, in_scope) VALUES ($1, $2, $3, true)`, [
    event.organizationId,
    event.eventId,
    asset.id,
  ]);
  const [job] = await query<{ uuid: string }>(
    `INSERT INTO jobs (uuid, organization_id, event_id, asset_id, url, status, error, finished)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, 'ERROR', 'It failed.', now()) RETURNING uuid`,
    [event.organizationId, event.eventId, asset.id, `https://${asset.value}/login?token=secret`],
  );
  const reader = api.app.get(SnapshotReader, { strict: false });
  const organization = { ...event, eventId: null, eventSlug: null };
  for (const report of [event, organization, { ...organization, jobUuid: job?.uuid ?? '' }]) {
    const snapshot = await reader.read(report);
    expect(snapshot.scope.in_scope).toMatchObject([
      { not_tested: [{ check: 'all checks', location: `https://${asset.value}/login` }] },
    ]);
    expect(JSON.stringify(snapshot)).not.toContain('secret');
  }
});
