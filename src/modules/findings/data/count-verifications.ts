import { type Sql, sql } from '../../../platform/database/sql';

/** A subquery: an object with how many of these findings have each result. */
export const countVerifications = (ids: Sql, organizationId: Sql): Sql => sql`coalesce((
  SELECT jsonb_object_agg(counted.verification, counted.count) FROM (
    SELECT f.verification, count(*) FROM findings f
    WHERE f.id = ANY(${ids}) AND f.organization_id = ${organizationId} GROUP BY 1) counted), '{}')`;
