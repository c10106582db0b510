import { Injectable } from '@nestjs/common';
import type { Baseline } from '../../../engine';
import { Database } from '../../../platform/database/database';
import { raw, sql } from '../../../platform/database/sql';
import type { FindingStatus } from '../../findings';
import type { Contradiction, ContradictingFinding } from '../../retests';
import type { SeenPlace } from '../domain/job-comparison';
import { type ImportedPlace, MAX_SEED_URLS } from '../domain/seeds';
import type { TestedLocations } from '../domain/tested-locations';
import type { JobFindingOutcome, ShownByJob } from './job-finding.entity';
import type { EndedJob, Job, JobRow } from './job.entity';
import {
  accountOfCheck,
  behind,
  builtInCheck,
  countedOfMain,
  digestOf,
  isConfirmedFixed,
  isProved,
  isUnconfirmed,
  knownAt,
  location,
  MAX_KNOWN,
  notListed,
  severityOfPlace,
  statusOfPlace,
  unconfirmed,
} from './known-findings';

/** A finding on the origin of a job that has a check: found by a job, or recorded with a check. */
export interface KnownFindingRow {
  readonly id: number;
  /** The finding that it is merged into. Title, severity and status are then those of the main finding, the place is its own. */
  readonly mergedInto: number | null;
  readonly assetId: number | null;
  readonly assetValue: string;
  readonly checkId: string;
  /** Null if the check is a YAML check, which may have any id. */
  readonly builtInCheck: string | null;
  readonly location: string;
  /** The account with which it is tested; null without a session. */
  readonly account: number | null;
  readonly title: string;
  readonly severity: number;
  readonly status: FindingStatus;
  /** Proved itself, or through the finding that it is merged into. */
  readonly isProved: boolean;
  readonly baseline: Baseline | null;
  /** Open, or resolved by hand without a test that confirmed it. */
  readonly isUnconfirmed: boolean;
  /** A job or retest confirmed the fix after the last change of the status, and of a merged one after it was last seen. */
  readonly isConfirmedFixed: boolean;
  /** What this job has shown of it, and when the deciding response arrived. */
  readonly outcome: JobFindingOutcome | null;
  readonly shownAt: Date | null;
}

/** A resolved finding that the job has seen, and that no test has examined since. */
export interface JobContradiction {
  readonly findingId: number;
  readonly title: string;
  readonly contradiction: Contradiction;
}

export interface SeenRow extends SeenPlace, Pick<KnownFindingRow, 'status' | 'builtInCheck' | 'account' | 'assetId'> {
  /** A later test showed that it is fixed, before the job ended: what a job says to pipelines does not change afterwards. */
  readonly isGone: boolean;
}

/** What a list shows of a job. */
export interface JobEndRow extends Pick<JobRow, 'id' | 'gate'> {
  /** The findings that it saw, with their worst severity. */
  readonly found: number;
  readonly worst: number | null;
  /** The job saw more of them, and maybe worse ones. */
  readonly isCut: boolean;
}

/** How many findings a list reads of each job. */
const MAX_SEEN = 100;

/** A number that no other code uses: it separates these advisory locks from others on equal texts. */
const LOCK_SEED = 904_417_221;

/** What jobs showed of findings. The caller has found the job in a scope. */
@Injectable()
export class JobFindingsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Findings of the job's organization behind its beacon, of all events or of some checks, that were created before it ended:
   * the open ones first, then those that are only resolved, each with the most severe first.
   */
  listKnownOfVisible(
    job: EndedJob,
    locations: TestedLocations,
    checkIds: readonly string[] | null = null,
  ): Promise<KnownFindingRow[]> {
    return this.database.rows<KnownFindingRow>(sql`
      SELECT k.*, ${unconfirmed(raw('k.status'), raw('k."isConfirmedFixed"'))} AS "isUnconfirmed" FROM (
        SELECT f.id, f.asset_id AS "assetId", f.asset_value AS "assetValue", f.check_id AS "checkId",
          ${builtInCheck}, ${accountOfCheck} AS account, ${location} AS location, f.merged_into AS "mergedInto", coalesce(main.title, f.title) AS title,
          ${severityOfPlace} AS severity, ${statusOfPlace} AS status, ${isProved}, b.baseline, shown.outcome, shown.seen_at AS "shownAt",
          ${isConfirmedFixed} AS "isConfirmedFixed"
        ${knownAt(job, locations, checkIds)}
        ORDER BY CASE WHEN ${statusOfPlace} <= 4 THEN 0 WHEN ${statusOfPlace} = 5 THEN 1 ELSE 2 END, severity DESC, f.id
        LIMIT ${MAX_KNOWN}) k
      ORDER BY k.id`);
  }

  /** The number of equally severe findings that are unconfirmed but not listed: their places were not shown to be fixed. */
  countUnlistedOfVisible(
    job: EndedJob,
    locations: TestedLocations,
    severity: number,
    listed: readonly number[],
  ): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count ${knownAt(job, locations)} AND ${severityOfPlace} >= ${severity} AND ${isUnconfirmed}
        AND (f.merged_into IS NOT NULL OR shown.outcome IS DISTINCT FROM 'fixed') AND ${notListed(raw('f.id'), listed)}`);
  }

  /** The checks of all findings there that are open, or whose fix no test has confirmed. */
  async listOpenChecksOfVisible(job: EndedJob, locations: TestedLocations): Promise<Set<string>> {
    const rows = await this.database.rows<{ checkId: string }>(sql`
      SELECT DISTINCT f.check_id AS "checkId" ${knownAt(job, locations)} AND ${isUnconfirmed}`);
    return new Set(rows.map(({ checkId }) => checkId));
  }

  /** The YAML of the checks of findings, by the ids of the findings. */
  async listTemplatesOfVisible({ organizationId }: Job, ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.rows<{ id: number; template: string }>(sql`
      SELECT f.id, f.check_definition ->> 'http' AS template FROM findings f
      WHERE f.id = ANY(${ids}::int[]) AND f.organization_id = ${organizationId} AND f.check_definition ->> 'http' IS NOT NULL`);
    return new Map(rows.map(({ id, template }) => [id, template]));
  }

  /** Where scanners of imported files have seen findings of the origin. */
  listImportedPlacesOfVisible(
    { organizationId, beaconId }: Job,
    { origin }: TestedLocations,
  ): Promise<ImportedPlace[]> {
    return this.database.rows<ImportedPlace>(sql`
      SELECT DISTINCT s.location, s.parameter FROM finding_sightings s
      JOIN findings f ON f.id = s.finding_id AND f.organization_id = s.organization_id
      WHERE s.organization_id = ${organizationId} AND s.import_id IS NOT NULL AND starts_with(s.location, ${origin})
        AND ${behind(beaconId)} LIMIT ${MAX_SEED_URLS}`);
  }

  /** Each place once, of a merged finding with the title of its main one. A later test by the same check shows it gone. */
  listSeenOfVisible(jobId: number): Promise<SeenRow[]> {
    return this.database.rows<SeenRow>(sql`
      SELECT main.id, f.id AS "ownId", main.title, greatest(${countedOfMain}, s.severity) AS severity, main.status,
        f.check_id AS "checkId", ${builtInCheck}, ${location} AS location, f.asset_id AS "assetId", s.account_id AS account,
        EXISTS (
          SELECT 1 FROM retests r WHERE r.finding_id = f.id AND r.organization_id = f.organization_id AND r.result = 'fixed'
            AND r.judged_by IS NULL AND ${digestOf('r')} = coalesce(s.template_digest, ${digestOf('f')})
            AND r.decided > s.seen_at AND r.decided <= ended.at
          UNION ALL
          SELECT 1 FROM job_findings g WHERE g.finding_id = f.id AND g.organization_id = f.organization_id AND g.outcome = 'fixed'
            AND coalesce(g.template_digest, ${digestOf('f')}) = coalesce(s.template_digest, ${digestOf('f')})
            AND g.seen_at > s.seen_at AND g.seen_at <= ended.at) AS "isGone"
      FROM job_findings s JOIN findings f ON f.id = s.finding_id AND f.organization_id = s.organization_id
      JOIN findings main ON main.id = coalesce(f.merged_into, f.id) AND main.organization_id = f.organization_id
      CROSS JOIN LATERAL (
        SELECT coalesce(j.finished, now()) AS at FROM jobs j WHERE j.id = s.job_id AND j.organization_id = s.organization_id) ended
      WHERE s.job_id = ${jobId} AND s.outcome = 'seen' ORDER BY severity DESC, main.title, main.id, f.id`);
  }

  listEndsOfVisible(jobIds: readonly number[]): Promise<JobEndRow[]> {
    return this.database.rows<JobEndRow>(sql`
      SELECT j.id, j.gate, seen.* FROM jobs j CROSS JOIN LATERAL (
        SELECT count(DISTINCT main.id)::int AS found, max(greatest(${countedOfMain}, s.severity)) AS worst, count(*) > ${MAX_SEEN} AS "isCut"
        FROM (SELECT g.* FROM job_findings g WHERE g.job_id = j.id AND g.organization_id = j.organization_id AND g.outcome = 'seen' LIMIT ${MAX_SEEN + 1}) s
        JOIN findings f ON f.id = s.finding_id AND f.organization_id = s.organization_id
        JOIN findings main ON main.id = coalesce(f.merged_into, f.id) AND main.organization_id = f.organization_id) seen
      WHERE j.id = ANY(${jobIds}::int[])`);
  }

  async listFixedOfVisible(jobId: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(
      sql`SELECT s.finding_id AS id FROM job_findings s WHERE s.job_id = ${jobId} AND s.outcome = 'fixed'`,
    );
    return rows.map(({ id }) => id);
  }

  /** Serializes jobs that may write the same findings: no other job on this host records or ends until this transaction does. */
  async lockHost({ organizationId, beaconId }: Job, host: string): Promise<void> {
    await this.database.rows(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${organizationId} ${beaconId ?? ''} ${host}`}, ${LOCK_SEED}))`,
    );
  }

  /** In the order of their ids, and before anything that depends on them, so that there is no deadlock. */
  async lockFindings(organizationId: number, ids: readonly number[]): Promise<void> {
    await this.database.rows(
      sql`SELECT f.id FROM findings f WHERE f.id = ANY(${ids}::int[]) AND f.organization_id = ${organizationId}
        ORDER BY f.id FOR NO KEY UPDATE`,
    );
  }

  async save({
    jobId,
    findingId,
    organizationId,
    outcome,
    severity,
    seenAt,
    template,
    contradiction,
    accountId = null,
  }: ShownByJob): Promise<void> {
    await this.database.change(sql`
      INSERT INTO job_findings (job_id, finding_id, organization_id, outcome, severity, seen_at, template_digest, contradiction, account_id)
      VALUES (${jobId}, ${findingId}, ${organizationId}, ${outcome}, ${severity}, ${seenAt},
        sha256(convert_to(${template ?? ''}::text, 'UTF8')), ${contradiction}, ${accountId})
      ON CONFLICT (job_id, finding_id, organization_id) DO UPDATE
      SET outcome = excluded.outcome, severity = excluded.severity, seen_at = excluded.seen_at,
        template_digest = excluded.template_digest,
        contradiction = coalesce(excluded.contradiction, job_findings.contradiction), account_id = excluded.account_id
      WHERE job_findings.outcome = 'fixed' OR (excluded.outcome = 'seen' AND job_findings.seen_at < excluded.seen_at)`);
  }

  /** The most severe first. */
  listContradictionsOfVisible(jobId: number): Promise<JobContradiction[]> {
    return this.database.rows<JobContradiction>(sql`
      SELECT s.finding_id AS "findingId", f.title, s.contradiction FROM job_findings s
      JOIN findings f ON f.id = s.finding_id AND f.organization_id = s.organization_id
      WHERE s.job_id = ${jobId} AND s.contradiction IS NOT NULL ORDER BY s.severity DESC, f.id`);
  }

  listWithoutRetest(jobId: number, limit: number): Promise<ContradictingFinding[]> {
    return this.database.rows<ContradictingFinding>(sql`
      SELECT s.finding_id AS "findingId", s.seen_at AS "seenAt" FROM job_findings s
      WHERE s.job_id = ${jobId} AND s.contradiction = 'contradicts' ORDER BY s.severity DESC, s.finding_id LIMIT ${limit}`);
  }

  countRetests(jobId: number): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM job_findings WHERE job_id = ${jobId} AND contradiction = 'retest_started'`);
  }

  async saveRetest(jobId: number, findingId: number): Promise<boolean> {
    const changed = await this.database.change(sql`
      UPDATE job_findings SET contradiction = 'retest_started'
      WHERE job_id = ${jobId} AND finding_id = ${findingId} AND contradiction = 'contradicts'`);
    return changed > 0;
  }
}
