import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { sql } from '../../../../platform/database/sql';

@Injectable()
export class AssignedFindingsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the ids of the findings that had the assignee, of at most `limit`. */
  async removeAssignee(organizationId: number, userId: number, limit: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      UPDATE findings SET assignee_id = NULL WHERE organization_id = ${organizationId} AND id = ANY(ARRAY(
        SELECT f.id FROM findings f WHERE f.organization_id = ${organizationId} AND f.assignee_id = ${userId}
        ORDER BY f.id DESC LIMIT ${limit})) RETURNING id`);
    return rows.map(({ id }) => id);
  }
}
