import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { sql } from '../../../../platform/database/sql';
import { changedByService } from './changed-by-service';

@Injectable()
export class AssignedFindingsRepository {
  constructor(private readonly database: Database) {}

  /** Removes the assignee from at most `limit` findings, and returns their ids. */
  async removeAssignee(organizationId: number, userId: number, limit: number): Promise<number[]> {
    const released = sql`SELECT id, status, ${String(userId)}::text AS was, NULL::text AS now FROM released`;
    const rows = await this.database.rows<{ id: number }>(sql`
      WITH released AS (
        UPDATE findings SET assignee_id = NULL WHERE organization_id = ${organizationId} AND id = ANY(ARRAY(
          SELECT f.id FROM findings f WHERE f.organization_id = ${organizationId} AND f.assignee_id = ${userId}
          ORDER BY f.id DESC LIMIT ${limit})) RETURNING id, status),
      noted AS (${changedByService(organizationId, 'assignee_id', 'The assignee has left the organization.', released)})
      SELECT id FROM released`);
    return rows.map(({ id }) => id);
  }
}
