import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { raw, type Sql, sql } from '../../../platform/database/sql';
import { formatUrlHost } from '../../../kernel/web-url';
import type { TestedLocations } from '../domain/tested-locations';
import type { KnownFindingRow } from './job-findings.repository';
import type { Job } from './job.entity';
import {
  behind,
  builtInCheck,
  isProved,
  joinedMain,
  location,
  notListed,
  severityOfPlace,
  within,
} from './known-findings';

export type UntestedRow = Pick<
  KnownFindingRow,
  'id' | 'title' | 'severity' | 'builtInCheck' | 'isProved' | 'assetId'
> & {
  /** The finding's own id; `id` is that of its main finding. */
  readonly ownId: number;
  readonly checkId: string | null;
  /** Null if it has no check. */
  readonly location: string | null;
};

/** Untested findings on the host of a job, with the acceptances that may apply to them. */
export interface UntestedThere {
  readonly job: Job;
  readonly locations: TestedLocations;
  readonly acceptedChecks: ReadonlySet<string>;
  readonly acceptedIds: readonly number[];
  /** Those of the accepted checks that are accepted anywhere on the host. */
  readonly acceptedOnHost: readonly string[];
}

const assetValue = raw('f.asset_value COLLATE "C"');
const mainId = raw('coalesce(main.id, f.id)');

const mostSevere = raw('ORDER BY severity DESC, id DESC');
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
    AND (${within(assetValue, origin, [host])} OR f.place_host = ${host}) AND ${behind(job.beaconId)} AND f.created <= coalesce(${job.finished}, now())
    AND (coalesce(f.check_id = ANY(${[...acceptedChecks]}::text[]), false) OR ${mainId} = ANY(${acceptedIds}::int[])) = ${isAcceptable}`;

/** A finding of a built-in check at a URL of the host in its usual form. Others need the parser of URLs. */
const isSurelyAccepted = ({ locations: { host }, acceptedOnHost }: UntestedThere): Sql => {
  const name = formatUrlHost(host).replace(/\W/g, String.raw`\$&`);
  return sql`(f.check_definition ->> 'http' IS NULL AND f.check_id = ANY(${acceptedOnHost}::text[])
    AND ${location} ~ ${`^https?://${name}(:[1-5]?[0-9]{1,4})?/`})`;
};

/** The caller has found the job in a scope. */
@Injectable()
export class UntestedFindingsRepository {
  constructor(private readonly database: Database) {}

  /** The most severe of those that an acceptance may concern. */
  async listAcceptable(there: UntestedThere, limit: number): Promise<UntestedRow[]> {
    return there.acceptedChecks.size === 0
      ? []
      : this.list(sql`${untestedOf(there, true)} ${mostSevere} LIMIT ${limit}`);
  }

  /** Of all acceptable ones that are as severe, but not listed: those that are not surely accepted. */
  countDoubtful(there: UntestedThere, severity: number, listed: readonly UntestedRow[]): Promise<number> {
    const ownIds = listed.map(({ ownId }) => ownId);
    return this.database.count(sql`
      SELECT count(DISTINCT ${mainId})::int AS count ${untestedOf(there, true)} ${asSevereAs(severity)}
        AND ${notListed(raw('f.id'), ownIds)} AND ${isSurelyAccepted(there)} IS NOT TRUE`);
  }

  /** The most severe of the others. With a severity any that are as severe: PostgreSQL reads no more than these. */
  listOthers(there: UntestedThere, limit: number, severity: number | null): Promise<UntestedRow[]> {
    const which = severity === null ? mostSevere : asSevereAs(severity);
    return this.list(sql`${untestedOf(there, false)} ${which} LIMIT ${limit}`);
  }

  countOthers(there: UntestedThere, severity: number, listed: readonly number[]): Promise<number> {
    return this.database.count(sql`
      SELECT count(DISTINCT ${mainId})::int AS count ${untestedOf(there, false)} ${asSevereAs(severity)}
        AND ${notListed(mainId, listed)}`);
  }

  private list(from: Sql): Promise<UntestedRow[]> {
    return this.database.rows<UntestedRow>(sql`
      SELECT ${mainId} AS id, f.id AS "ownId", coalesce(main.title, f.title) AS title, ${severityOfPlace} AS severity,
        f.check_id AS "checkId", ${builtInCheck}, ${location} AS location, f.asset_id AS "assetId", ${isProved} ${from}`);
  }
}
