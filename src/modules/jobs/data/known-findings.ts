import { emptySql, type Sql, raw, sql } from '../../../platform/database/sql';
import { countedSeverityOf } from '../../findings';
import type { TestedLocations } from '../domain/tested-locations';
import type { EndedJob } from './job.entity';

export const location = raw(`((f.check_definition ->> 'location') COLLATE "C")`);
export const builtInCheck = raw(
  `CASE WHEN f.check_definition ->> 'http' IS NULL THEN f.check_id END AS "builtInCheck"`,
);
/** The account with which the check of a finding is tested; null without a session. */
export const accountOfCheck = raw(`(f.check_definition ->> 'account')::int`);
/** The digest of the check of a finding or a retest. */
export const digestOf = (row: 'f' | 'r') =>
  raw(`sha256(convert_to(coalesce(${row}.check_definition ->> 'http', ''), 'UTF8'))`);
/** An edit must not make a pipeline pass. */
const counted = countedSeverityOf('f');
export const countedOfMain = countedSeverityOf('main');
export const severityOfPlace = sql`greatest(${counted}, ${countedOfMain})`;

export const isProved = raw(
  `(f.verification = 'confirmed' OR main.verification IS NOT DISTINCT FROM 'confirmed') AS "isProved"`,
);

/**
 * The finding into which one is merged, by its id: PostgreSQL believes that a host has few findings, and would compare each of
 * them with all of the organization.
 */
export const joinedMain = raw(`LEFT JOIN LATERAL (
  SELECT m.id, m.title, m.severity, m.edits, m.status, m.verification FROM findings m
  WHERE m.id = f.merged_into AND m.organization_id = f.organization_id OFFSET 0) main ON true`);

/** Starts with the origin or equals one of the exact values, as ranges that an index can serve. */
export const within = (
  place: Sql,
  origin: string,
  exact: readonly string[],
): Sql => sql`(${place} = ANY(${exact}::text[])
  OR (${place} >= ${origin} AND ${place} < ${`${origin.slice(0, -1)}0`}))`;

/** Every plan hashes this subquery. With `<> ALL` a generic plan compares each row with each of thousands. */
export const notListed = (id: Sql, listed: readonly number[]): Sql =>
  sql`${id} NOT IN (SELECT unnest(${listed}::int[]))`;

/** The same address behind two beacons is two hosts. */
export const behind = (beaconId: number | null): Sql => sql`f.beacon_id IS NOT DISTINCT FROM ${beaconId}`;

/** When a merged finding was last seen, or its main finding last reopened: these changes are not in its own history. */
const seenSinceMerge = raw(`
  (SELECT max(least(s.seen_at, s.created)) FROM finding_sightings s WHERE s.finding_id = f.id AND f.merged_into IS NOT NULL),
  (SELECT max(r.created) FROM finding_history r
    WHERE r.finding_id = f.merged_into AND r.status BETWEEN 1 AND 4 AND r.previous_status NOT BETWEEN 1 AND 4)`);

export const statusOfPlace = raw('coalesce(main.status, f.status)');

/** By a test whose deciding answer is no older than what was last known: it may have ended long after that. */
export const isConfirmedFixed = sql`EXISTS (
  SELECT 1 FROM (
    SELECT greatest(coalesce(max(coalesce(h.decided, h.created)), f.created), ${seenSinceMerge}) AS at FROM finding_history h
    WHERE h.finding_id = f.id AND h.organization_id = f.organization_id AND NOT h.is_comment AND h.changes IS NULL) changed
  WHERE EXISTS (
    SELECT 1 FROM retests r WHERE r.finding_id = f.id AND r.organization_id = f.organization_id AND r.result = 'fixed'
      AND coalesce(r.decided, r.finished) >= changed.at AND r.judged_by IS NULL
      AND (r.by_refusal IS DISTINCT FROM 'setting' OR (SELECT o.refusals_count_as_fixed FROM organizations o WHERE o.id = f.organization_id))
    UNION ALL
    SELECT 1 FROM job_findings g JOIN jobs j ON j.id = g.job_id AND j.organization_id = g.organization_id
    WHERE g.finding_id = f.id AND g.organization_id = f.organization_id AND g.outcome = 'fixed'
      AND coalesce(g.seen_at, j.finished) >= changed.at))`;

export const unconfirmed = (status: Sql, isConfirmed: Sql): Sql =>
  sql`(${status} <= 4 OR (${status} = 5 AND NOT ${isConfirmed}))`;
export const isUnconfirmed = unconfirmed(statusOfPlace, isConfirmedFixed);

export const knownAt = (
  { id, organizationId, beaconId, finished }: EndedJob,
  { origin, exact }: TestedLocations,
  checkIds: readonly string[] | null = null,
): Sql => sql`
  FROM findings f ${joinedMain}
  LEFT JOIN finding_baselines b ON b.finding_id = f.id AND b.organization_id = f.organization_id AND b.check_definition = f.check_definition
  LEFT JOIN job_findings shown ON shown.finding_id = f.id AND shown.organization_id = f.organization_id AND shown.job_id = ${id}
  WHERE f.organization_id = ${organizationId} AND f.check_id IS NOT NULL AND ${within(location, origin, exact)}
    ${checkIds === null ? emptySql : sql`AND f.check_id = ANY(${checkIds}::text[])`} AND ${behind(beaconId)} AND f.created <= coalesce(${finished}, now())`;

/** The known findings that are read of an origin: one more than a report may have. Gates count the others as not tested. */
export const MAX_KNOWN = 20_001;
