import { system } from '../../../../platform/api/caller';
import { type Sql, sql } from '../../../../platform/database/sql';

/** Entries of the history for rows with `id`, `status`, `was` and `now`: what the service has changed of a field. */
export const changedByService = (organizationId: number, field: string, comment: string, rows: Sql): Sql => sql`
  INSERT INTO finding_history (organization_id, finding_id, status, previous_status, actor_type, actor_id, comment, changes)
  SELECT ${organizationId}, n.id, n.status, n.status, ${system.type}, ${system.id}, ${comment},
    jsonb_build_array(jsonb_build_object('field', ${field}::text, 'from', n.was, 'to', n.now))
  FROM (${rows}) n ORDER BY n.id`;
