import { type Sql, sql } from '../../../../platform/database/sql';
import { NO_CHECK } from '../../domain/verification';

/** A subquery: a JSON object with the number of these findings for each result. */
export const countVerifications = (ids: Sql, organizationId: Sql): Sql => sql`coalesce((
  SELECT jsonb_object_agg(counted.verification, counted.count) FROM (
    SELECT f.verification, count(*) FROM findings f
    WHERE f.id = ANY(${ids}) AND f.organization_id = ${organizationId} GROUP BY 1) counted), '{}')`;

/** A subquery: a JSON list of the reasons why these findings were not tested, with counts, the most frequent first. */
export const countUntestedReasons = (ids: Sql, organizationId: Sql): Sql => sql`coalesce((
  SELECT jsonb_agg(jsonb_build_object('reason', counted.reason, 'findings', counted.count) ORDER BY counted.count DESC, 1)
  FROM (
    SELECT coalesce(f.verification_reason, ${NO_CHECK}) AS reason, count(*) FROM findings f
    WHERE f.id = ANY(${ids}) AND f.organization_id = ${organizationId} AND f.verification = 'untested' GROUP BY 1) counted), '[]')`;
