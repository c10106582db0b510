import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { raw, type Sql, sql } from '../../../platform/database/sql';
import type { TestedLocations } from '../domain/tested-locations';
import {
  behind,
  builtInCheck,
  joinedMain,
  type KnownFindingRow,
  location,
  severityOfPlace,
  within,
} from './job-findings.repository';
import type { Job } from './job.entity';

export type UntestedRow = Pick<KnownFindingRow, 'id' | 'title' | 'severity' | 'builtInCheck'> & {
  readonly checkId: string | null;
  /** Null if it has no check. */
  readonly location: string | null;
};

/** On the host of a job. An acceptance may concern those of an accepted check, and those that the job saw where one applies. */
export interface UntestedThere {
  readonly job: Job;
  readonly locations: TestedLocations;
  readonly acceptedChecks: ReadonlySet<string>;
  readonly acceptedIds: readonly number[];
}

const assetValue = raw('f.asset_value COLLATE "C"');
const mainId = raw('coalesce(main.id, f.id)');

const asSevereAs = (severity: number): Sql => sql`AND ${severityOfPlace} >= ${severity}`;

/**
 * Open findings on the host of a job that no test has examined: without a check, or with one for another origin of the host
 * that has neither confirmed nor refuted them. Those that a person or a job recorded with their check count on its origin
 * alone. For a merged one its main finding, which may be elsewhere. A host may have a million, most of them without a check.
 */
const untestedOf = (
  { job, locations: { origin, exact, host }, acceptedChecks, acceptedIds }: UntestedThere,
  isAcceptable: boolean,
): Sql => sql`
  FROM findings f ${joinedMain}
  WHERE f.organization_id = ${job.organizationId}
    AND (f.check_id IS NULL OR f.verification IN ('untested', 'inconclusive'))
    AND (f.check_id IS NULL OR (NOT ${within(location, origin, exact)} AND (
      SELECT s.import_id IS NULL AND s.location IS NOT NULL FROM finding_sightings s
      WHERE s.finding_id = f.id AND s.outcome = 'created' ORDER BY s.id LIMIT 1) IS NOT TRUE))
    AND (f.status BETWEEN 1 AND 4 OR f.merged_into IS NOT NULL) AND coalesce(main.status, f.status) BETWEEN 1 AND 4
    AND ${within(assetValue, origin, [host])} AND ${behind(job.beaconId)} AND f.created <= coalesce(${job.finished}, now())
    AND (coalesce(f.check_id = ANY(${[...acceptedChecks]}::text[]), false) OR ${mainId} = ANY(${acceptedIds}::int[])) = ${isAcceptable}`;

/** The caller has found the job in a scope. */
@Injectable()
export class UntestedFindingsRepository {
  constructor(private readonly database: Database) {}

  /** Those that an acceptance may concern. */
  async listAcceptable(there: UntestedThere): Promise<UntestedRow[]> {
    return there.acceptedChecks.size === 0 ? [] : this.list(untestedOf(there, true));
  }

  /** The most severe of the others. With a severity any that are as severe: PostgreSQL reads no more than these. */
  listOthers(there: UntestedThere, limit: number, severity: number | null): Promise<UntestedRow[]> {
    const which = severity === null ? raw('ORDER BY severity DESC, id DESC') : asSevereAs(severity);
    return this.list(sql`${untestedOf(there, false)} ${which} LIMIT ${limit}`);
  }

  countOthers(there: UntestedThere, severity: number, listed: readonly number[]): Promise<number> {
    return this.database.count(sql`
      SELECT count(DISTINCT ${mainId})::int AS count ${untestedOf(there, false)} ${asSevereAs(severity)}
        AND ${mainId} <> ALL(${listed}::int[])`);
  }

  private list(from: Sql): Promise<UntestedRow[]> {
    return this.database.rows<UntestedRow>(sql`
      SELECT ${mainId} AS id, coalesce(main.title, f.title) AS title, ${severityOfPlace} AS severity,
        f.check_id AS "checkId", ${builtInCheck}, ${location} AS location ${from}`);
  }
}
