import { verifyEvidence } from '../../src/engine';
import type { QueriedDatabase } from './database';
import type { FaultScenario } from './fault-scenario';

/** Columns with the states of the work for a resource, and the audit entries that the system wrote for it. */
const workAndAuditColumns = (kind: string, resource: string, reference: string): string => `
  (SELECT array_agg(w.state ORDER BY w.id) FROM work w
   WHERE w.kind = '${kind}' AND split_part(w.reference, ' ', 1) = ${reference}) AS works,
  (SELECT array_agg(a.operation || ' ' || a.status ORDER BY a.operation) FROM audit_logs a
   WHERE a.resource_type = '${resource}' AND a.resource_id = ${reference} AND a.actor_type = 'system') AS entries`;

interface WorkColumns {
  readonly works: string[] | null;
  readonly entries: string[] | null;
}

interface RetestFacts extends WorkColumns {
  readonly uuid: string;
  readonly status: string;
  readonly result: string | null;
  readonly finding_status: number;
  readonly moves: number;
  readonly evidence: unknown;
  readonly failures: number;
  readonly wasStarted: boolean;
}

interface JobFacts extends WorkColumns {
  readonly uuid: string;
  readonly status: string;
  readonly checks: string[] | null;
  readonly failures: number;
  readonly wasStarted: boolean;
}

/** How many were abandoned after their last attempt. */
export interface AbandonedCounts {
  readonly retests: number;
  readonly jobs: number;
}

/** Compares the database with the acknowledged operations: each must have taken effect exactly once. */
export class ExactlyOnceCheck {
  constructor(
    private readonly postgres: QueriedDatabase,
    private readonly scenario: FaultScenario,
  ) {}

  async expectExactlyOnce(): Promise<AbandonedCounts> {
    const retests = await this.expectRetests();
    const jobs = await this.expectJobs();
    await this.expectVerificationsAndPurges();
    await this.expectNone('work that is not finished', unfinishedWork);
    await this.expectNone('work without exactly one audit entry for its end', endsWithoutSingleEntry);
    await this.expectNone('findings that were not recorded exactly once', findingsRecordedTwice);
    await this.expectNone('findings whose times_seen differs from the sightings by jobs', wrongTimesSeen, [
      this.scenario.jobTargets.map(({ assetId }) => assetId),
    ]);
    await this.expectNone('asset totals that differ from the findings', wrongAssetTotals, [
      this.scenario.jobTargets.map(({ assetId }) => assetId),
    ]);
    return { retests, jobs };
  }

  private async expectRetests(): Promise<number> {
    const acknowledged = this.scenario.acknowledgedRetests;
    const rows = await this.postgres.query<RetestFacts>(`
      SELECT r.uuid, r.status, r.result, r.evidence, r.started IS NOT NULL AS "wasStarted", f.status AS finding_status,
        (SELECT max(failures) FROM work w WHERE w.reference = r.uuid::text) AS failures,
        (SELECT count(*)::int FROM finding_history h
         WHERE h.finding_id = f.id AND h.comment LIKE 'Retest ' || r.uuid || '%') AS moves,
        ${workAndAuditColumns('retest.run', 'retest', 'r.uuid::text')}
      FROM retests r JOIN findings f ON f.id = r.finding_id ORDER BY r.id`);
    const keys = (await this.postgres.query<{ id: string; pem: string }>(
      'SELECT id, public_key AS pem FROM signing_keys',
    )) as { id: string; pem: string }[];
    expect(rows.map(({ uuid }) => uuid).sort()).toEqual([...acknowledged.keys()].sort());
    const shown = rows.map(({ failures: _failures, wasStarted: _wasStarted, evidence, ...row }) => ({
      ...row,
      signed: evidence !== null && verifyEvidence(evidence, keys).authentic,
    }));
    expect(shown).toEqual(
      rows.map(({ uuid, status, wasStarted }) => {
        const { from, to, result } = acknowledged.get(uuid) ?? { from: 0, to: 0, result: '' };
        const startEntry = wasStarted ? ['retest.begin success'] : [];
        return status === 'error'
          ? { ...abandoned(uuid, 'error', [...startEntry, 'retest.end failure']), ...unchangedFinding(from) }
          : {
              uuid,
              status: 'finished',
              result,
              works: ['done'],
              entries: ['retest.begin success', 'retest.end success'],
              finding_status: to,
              moves: from === to ? 0 : 1,
              signed: true,
            };
      }),
    );
    return countOfAbandoned(rows.filter(({ status }) => status === 'error'));
  }

  private async expectJobs(): Promise<number> {
    const acknowledged = this.scenario.acknowledgedJobs;
    const rows = await this.postgres.query<JobFacts>(`
      SELECT j.uuid, j.status, (SELECT max(failures) FROM work w WHERE w.reference = j.uuid::text) AS failures,
        j.started IS NOT NULL AS "wasStarted",
        (SELECT array_agg(f.check_id ORDER BY f.check_id) FROM job_findings s JOIN findings f ON f.id = s.finding_id
         WHERE s.job_id = j.id AND s.outcome = 'seen') AS checks,
        ${workAndAuditColumns('job', 'job', 'j.uuid::text')}
      FROM jobs j ORDER BY j.id`);
    expect(rows.map(({ uuid }) => uuid).sort()).toEqual([...acknowledged.keys()].sort());
    const all = rows.find(({ status }) => status === 'FINISHED')?.checks ?? [];
    expect(all).toContain('missing-nosniff');
    expect(rows.map(({ failures: _failures, wasStarted: _wasStarted, ...row }) => row)).toEqual(
      rows.map(({ uuid, status, wasStarted }) => {
        const startEntry = wasStarted ? ['job.begin success'] : [];
        return status === 'ERROR'
          ? { ...abandoned(uuid, 'ERROR', [...startEntry, 'job.finish failure']), checks: null }
          : {
              uuid,
              status: 'FINISHED',
              works: ['done'],
              entries: ['job.begin success', 'job.finish success'],
              checks: all,
            };
      }),
    );
    return countOfAbandoned(rows.filter(({ status }) => status === 'ERROR'));
  }

  private async expectVerificationsAndPurges(): Promise<void> {
    const { acknowledgedVerifications: verifications, acknowledgedPurges: purges } = this.scenario;
    const verified = await this.postgres.query<{ entries: string[] }>(
      `SELECT f.id, f.times_seen, ${workAndAuditColumns('finding.baseline', 'finding', 'f.id::text')}
       FROM findings f WHERE f.id = ANY($1) ORDER BY f.id`,
      [verifications],
    );
    // What a test has shown is stored before its work is completed, so a repeated test stores it again.
    const isRepeatable = (entry: string): boolean => entry === 'finding.verify success';
    expect(
      verified.map(({ entries, ...row }) => ({
        ...row,
        entries: entries.filter((entry) => !isRepeatable(entry)),
      })),
    ).toEqual(
      verifications
        .toSorted((one, other) => one - other)
        .map((id) => ({ id, times_seen: 1, works: ['done'], entries: ['finding.baseline success'] })),
    );
    const purged = await this.postgres.query(
      `SELECT o.id, ${workAndAuditColumns('organization.purge', 'organization', 'o.id::text')} FROM unnest($1::int[]) o (id) ORDER BY o.id`,
      [purges],
    );
    expect(purged).toEqual(
      purges
        .toSorted((one, other) => one - other)
        .map((id) => ({ id, works: ['done'], entries: ['organization.purge success'] })),
    );
  }

  private async expectNone(what: string, text: string, values: unknown[] = []): Promise<void> {
    expect({ what, rows: await this.postgres.query(text, values) }).toEqual({ what, rows: [] });
  }
}

const abandoned = (uuid: string, status: string, entries: string[]) => ({ uuid, status, works: ['failed'], entries });

const unchangedFinding = (from: number) => ({ result: null, finding_status: from, moves: 0, signed: false });

/** Work may only be abandoned after its fourth failure. */
function countOfAbandoned(rows: readonly { readonly failures: number }[]): number {
  expect(rows.filter(({ failures }) => failures < 4)).toEqual([]);
  return rows.length;
}

/** Without domain lookups, which are rescheduled for ever. */
/** Second looks are planned for later. */
const unfinishedWork = `
  SELECT * FROM work WHERE state IN ('waiting', 'running') AND kind NOT IN ('domain.lookup', 'retest.second_look')`;

const endsWithoutSingleEntry = `
  SELECT w.kind, w.reference, w.ends, a.entries
  FROM (SELECT kind, split_part(reference, ' ', 1) AS reference, count(*) AS ends FROM work WHERE state IN ('done', 'failed') GROUP BY 1, 2) w
  LEFT JOIN (SELECT operation, resource_id, count(*) AS entries FROM audit_logs WHERE actor_type = 'system' GROUP BY 1, 2) a
    ON a.resource_id = w.reference
    AND a.operation = CASE w.kind WHEN 'retest.run' THEN 'retest.end' WHEN 'job' THEN 'job.finish' ELSE w.kind END
  WHERE a.entries IS DISTINCT FROM w.ends`;

const findingsRecordedTwice = `
  SELECT finding_id FROM finding_history GROUP BY finding_id HAVING count(*) FILTER (WHERE previous_status IS NULL) <> 1`;

const wrongTimesSeen = `
  SELECT f.id, f.check_id, f.times_seen FROM findings f WHERE f.asset_id = ANY($1)
    AND f.times_seen <> (SELECT count(*) FROM job_findings s WHERE s.finding_id = f.id AND s.outcome = 'seen')`;

const wrongAssetTotals = `
  SELECT t.asset_id, t.findings, t.low, t.medium FROM asset_totals t
  JOIN (SELECT asset_id, count(*) AS findings, count(*) FILTER (WHERE severity = 2) AS low,
          count(*) FILTER (WHERE severity = 3) AS medium FROM findings GROUP BY asset_id) f USING (asset_id)
  WHERE t.asset_id = ANY($1) AND (t.findings, t.low, t.medium) <> (f.findings, f.low, f.medium)`;
