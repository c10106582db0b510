import { verifyEvidence } from '../../src/engine';
import type { FaultScene } from './fault-scene';
import type { MortalPostgres } from './mortal-postgres';

/** The rows of a piece of work, whose reference begins with the resource that it is about, and the system's entries on that. */
const worksAndEntries = (kind: string, resource: string, reference: string): string => `
  (SELECT array_agg(w.state ORDER BY w.id) FROM work w
   WHERE w.kind = '${kind}' AND split_part(w.reference, ' ', 1) = ${reference}) AS works,
  (SELECT array_agg(a.operation || ' ' || a.status ORDER BY a.operation) FROM audit_logs a
   WHERE a.resource_type = '${resource}' AND a.resource_id = ${reference} AND a.actor_type = 'system') AS entries`;

interface Worked {
  readonly works: string[] | null;
  readonly entries: string[] | null;
}

interface RetestFacts extends Worked {
  readonly uuid: string;
  readonly status: string;
  readonly result: string | null;
  readonly finding_status: number;
  readonly moves: number;
  readonly evidence: unknown;
  readonly failures: number;
  readonly begun: boolean;
}

interface JobFacts extends Worked {
  readonly uuid: string;
  readonly status: string;
  readonly checks: string[] | null;
  readonly failures: number;
  readonly begun: boolean;
}

/** How many ended because they were given up: each of them after its last attempt, or this throws. */
export interface GivenUp {
  readonly retests: number;
  readonly jobs: number;
}

/** Holds what is in the database against what was acknowledged: everything happened, and once. */
export class Effects {
  constructor(
    private readonly postgres: MortalPostgres,
    private readonly scene: FaultScene,
  ) {}

  async expectOnce(): Promise<GivenUp> {
    const retests = await this.expectRetests();
    const jobs = await this.expectJobs();
    await this.expectLooksAndPurges();
    await this.expectNone('work that nobody will end', unended);
    await this.expectNone('work whose end is not in the log exactly once', uneven);
    await this.expectNone('findings that were recorded more than once', beginnings);
    await this.expectNone('findings that jobs have seen more or less often than they say', sightings, [
      this.scene.jobPlaces.map(({ assetId }) => assetId),
    ]);
    await this.expectNone('totals of assets that are not those of their findings', totals, [
      this.scene.jobPlaces.map(({ assetId }) => assetId),
    ]);
    return { retests, jobs };
  }

  private async expectRetests(): Promise<number> {
    const acknowledged = this.scene.acknowledgedRetests;
    const rows = await this.postgres.query<RetestFacts>(`
      SELECT r.uuid, r.status, r.result, r.evidence, r.started IS NOT NULL AS begun, f.status AS finding_status,
        (SELECT max(failures) FROM work w WHERE w.reference = r.uuid::text) AS failures,
        (SELECT count(*)::int FROM finding_history h
         WHERE h.finding_id = f.id AND h.comment LIKE 'Retest ' || r.uuid || '%') AS moves,
        ${worksAndEntries('retest.run', 'retest', 'r.uuid::text')}
      FROM retests r JOIN findings f ON f.id = r.finding_id ORDER BY r.id`);
    const keys = (await this.postgres.query<{ id: string; pem: string }>(
      'SELECT id, public_key AS pem FROM signing_keys',
    )) as { id: string; pem: string }[];
    expect(rows.map(({ uuid }) => uuid).sort()).toEqual([...acknowledged.keys()].sort());
    const shown = rows.map(({ failures: _failures, begun: _begun, evidence, ...row }) => ({
      ...row,
      signed: evidence !== null && verifyEvidence(evidence, keys).authentic,
    }));
    expect(shown).toEqual(
      rows.map(({ uuid, status, begun }) => {
        const { from, to, result } = acknowledged.get(uuid) ?? { from: 0, to: 0, result: '' };
        const first = begun ? ['retest.begin success'] : [];
        return status === 'error'
          ? { ...givenUp(uuid, 'error', [...first, 'retest.end failure']), ...unmoved(from) }
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
    return lost(rows.filter(({ status }) => status === 'error'));
  }

  private async expectJobs(): Promise<number> {
    const acknowledged = this.scene.acknowledgedJobs;
    const rows = await this.postgres.query<JobFacts>(`
      SELECT j.uuid, j.status, (SELECT max(failures) FROM work w WHERE w.reference = j.uuid::text) AS failures,
        j.started IS NOT NULL AS begun,
        (SELECT array_agg(f.check_id ORDER BY f.check_id) FROM job_findings s JOIN findings f ON f.id = s.finding_id
         WHERE s.job_id = j.id AND s.outcome = 'seen') AS checks,
        ${worksAndEntries('job', 'job', 'j.uuid::text')}
      FROM jobs j ORDER BY j.id`);
    expect(rows.map(({ uuid }) => uuid).sort()).toEqual([...acknowledged.keys()].sort());
    const all = rows.find(({ status }) => status === 'FINISHED')?.checks ?? [];
    expect(all).toContain('missing-nosniff');
    expect(rows.map(({ failures: _failures, begun: _begun, ...row }) => row)).toEqual(
      rows.map(({ uuid, status, begun }) => {
        const first = begun ? ['job.begin success'] : [];
        return status === 'ERROR'
          ? { ...givenUp(uuid, 'ERROR', [...first, 'job.finish failure']), checks: null }
          : {
              uuid,
              status: 'FINISHED',
              works: ['done'],
              entries: ['job.begin success', 'job.finish success'],
              checks: all,
            };
      }),
    );
    return lost(rows.filter(({ status }) => status === 'ERROR'));
  }

  private async expectLooksAndPurges(): Promise<void> {
    const { acknowledgedLooks: looks, acknowledgedPurges: purges } = this.scene;
    const looked = await this.postgres.query(
      `SELECT f.id, f.times_seen, ${worksAndEntries('finding.baseline', 'finding', 'f.id::text')}
       FROM findings f WHERE f.id = ANY($1) ORDER BY f.id`,
      [looks],
    );
    expect(looked).toEqual(
      looks
        .toSorted((one, other) => one - other)
        .map((id) => ({ id, times_seen: 1, works: ['done'], entries: ['finding.baseline success'] })),
    );
    const purged = await this.postgres.query(
      `SELECT o.id, ${worksAndEntries('organization.purge', 'organization', 'o.id::text')} FROM unnest($1::int[]) o (id) ORDER BY o.id`,
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

const givenUp = (uuid: string, status: string, entries: string[]) => ({ uuid, status, works: ['failed'], entries });

const unmoved = (from: number) => ({ result: null, finding_status: from, moves: 0, signed: false });

/** The last failure is the one that it was given up for. */
function lost(rows: readonly { readonly failures: number }[]): number {
  expect(rows.filter(({ failures }) => failures < 4)).toEqual([]);
  return rows.length;
}

/** A domain is looked up again and again. */
const unended = `SELECT * FROM work WHERE state IN ('waiting', 'running') AND kind <> 'domain.lookup'`;

const uneven = `
  SELECT w.kind, w.reference, w.ends, a.entries
  FROM (SELECT kind, split_part(reference, ' ', 1) AS reference, count(*) AS ends FROM work WHERE state IN ('done', 'failed') GROUP BY 1, 2) w
  LEFT JOIN (SELECT operation, resource_id, count(*) AS entries FROM audit_logs WHERE actor_type = 'system' GROUP BY 1, 2) a
    ON a.resource_id = w.reference
    AND a.operation = CASE w.kind WHEN 'retest.run' THEN 'retest.end' WHEN 'job' THEN 'job.finish' ELSE w.kind END
  WHERE a.entries IS DISTINCT FROM w.ends`;

const beginnings = `
  SELECT finding_id FROM finding_history GROUP BY finding_id HAVING count(*) FILTER (WHERE previous_status IS NULL) <> 1`;

const sightings = `
  SELECT f.id, f.check_id, f.times_seen FROM findings f WHERE f.asset_id = ANY($1)
    AND f.times_seen <> (SELECT count(*) FROM job_findings s WHERE s.finding_id = f.id AND s.outcome = 'seen')`;

const totals = `
  SELECT t.asset_id, t.findings, t.low, t.medium FROM asset_totals t
  JOIN (SELECT asset_id, count(*) AS findings, count(*) FILTER (WHERE severity = 2) AS low,
          count(*) FILTER (WHERE severity = 3) AS medium FROM findings GROUP BY asset_id) f USING (asset_id)
  WHERE t.asset_id = ANY($1) AND (t.findings, t.low, t.medium) <> (f.findings, f.low, f.medium)`;
