import { type Sql, sql } from '../../../platform/database/sql';

/** A job and the origin that it tests. */
export interface JobOnOrigin {
  readonly id: number;
  readonly organizationId: number;
  readonly beaconId: number | null;
  /** As in the locations of its findings, with a slash at its end. */
  readonly origin: string;
  /** The account that it tests with; null without a session. */
  readonly accountId: number | null;
}

/** A job with all accounts that it tests with. */
export interface LanesOnOrigin extends Omit<JobOnOrigin, 'accountId'> {
  readonly accountIds: readonly number[];
}

const onOrigin = (alias: Sql, { organizationId, beaconId, origin }: Omit<JobOnOrigin, 'accountId'>): Sql => sql`
  ${alias}.organization_id = ${organizationId} AND ${alias}.origin = ${origin} AND ${alias}.beacon_id IS NOT DISTINCT FROM ${beaconId}`;

export const at = (alias: Sql, job: JobOnOrigin): Sql =>
  sql`${onOrigin(alias, job)} AND ${alias}.account_id IS NOT DISTINCT FROM ${job.accountId}`;

/** All that the job found on the origin, with any of its accounts or without a session. */
export const atLanes = (alias: Sql, { accountIds, ...job }: LanesOnOrigin): Sql =>
  sql`${onOrigin(alias, job)} AND (${alias}.account_id IS NULL OR ${alias}.account_id = ANY(${accountIds}::int[]))`;

/** A result `t` of a job, at a point of the account. */
export const ofLane = ({ accountId }: JobOnOrigin): Sql => sql`EXISTS (
  SELECT 1 FROM active_points p WHERE p.id = t.point_id AND p.organization_id = t.organization_id
    AND p.account_id IS NOT DISTINCT FROM ${accountId})`;

/** A point `p`. */
export const isTestedBy = ({ id }: Pick<JobOnOrigin, 'id'>): Sql =>
  sql`EXISTS (SELECT 1 FROM job_points t WHERE t.job_id = ${id} AND t.point_id = p.id AND t.organization_id = p.organization_id)`;
