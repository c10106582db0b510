import { type Actor, system } from '../../../../platform/api/caller';
import { type Sql, sql } from '../../../../platform/database/sql';

/** Inserts history entries for rows with `id`, `organization_id`, `status`, `was` and `now`: the old and new value of a field. */
export const changedBy = (actor: Actor, field: string, comment: string, rows: Sql): Sql => sql`
  INSERT INTO finding_history (organization_id, finding_id, status, previous_status, actor_type, actor_id, comment, changes)
  SELECT n.organization_id, n.id, n.status, n.status, ${actor.type}, ${actor.id}, ${comment},
    jsonb_build_array(jsonb_build_object('field', ${field}::text, 'from', n.was, 'to', n.now))
  FROM (${rows}) n ORDER BY n.id`;

/** The same entries for one organization, written by the service. */
export const changedByService = (organizationId: number, field: string, comment: string, rows: Sql): Sql =>
  changedBy(system, field, comment, sql`SELECT ${organizationId}::int AS organization_id, r.* FROM (${rows}) r`);
