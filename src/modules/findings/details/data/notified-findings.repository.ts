import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { type Sql, sql } from '../../../../platform/database/sql';
import type { FindingHistory } from '../../data/finding-history.entity';
import type { FindingRow } from '../../data/finding.entity';

/** The fields of a finding that notifications contain: no evidence and no description. */
export type NotifiedFinding = Pick<
  FindingRow,
  'id' | 'title' | 'severity' | 'assetValue' | 'status' | 'assigneeId' | 'assignedBy' | 'dueDate'
> &
  Pick<FindingRow, 'verification' | 'verifiedAt'>;

export type NotifiedComment = Pick<FindingHistory, 'id' | 'findingId' | 'html' | 'actorId'>;

/** For organizations that the caller has checked. */
@Injectable()
export class NotifiedFindingsRepository {
  constructor(private readonly database: Database) {}

  listOfVisible(organizationId: number, ids: readonly number[]): Promise<NotifiedFinding[]> {
    return this.list(organizationId, sql`f.id = ANY(${ids}::int[])`);
  }

  /** The next open findings by id that are assigned to these users and due in a range of days. */
  listDueOfVisible(
    { organizationId, userIds, after }: { organizationId: number; userIds: readonly number[]; after: number },
    [from, to]: [string, string],
    limit: number,
  ) {
    return this.list(
      organizationId,
      sql`f.assignee_id = ANY(${userIds}::int[]) AND f.status BETWEEN 1 AND 4 AND f.due_date BETWEEN ${from} AND ${to}
        AND f.id > ${after} ORDER BY f.id LIMIT ${limit}`,
    );
  }

  listCommentsOfVisible(organizationId: number, ids: readonly string[]): Promise<NotifiedComment[]> {
    return this.database.rows<NotifiedComment>(sql`
      SELECT h.id, h.finding_id AS "findingId", h.html, h.actor_id AS "actorId" FROM finding_history h
      WHERE h.organization_id = ${organizationId} AND h.is_comment AND h.id = ANY(${ids}::bigint[]) ORDER BY h.id`);
  }

  /** The assignees of these findings, and the users who created or commented on them. They may have left the organization. */
  listFollowersOfVisible(organizationId: number, ids: readonly number[]) {
    return this.database.rows<{ readonly findingId: number; readonly userId: number }>(sql`
      SELECT f.id AS "findingId", f.assignee_id AS "userId" FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.id = ANY(${ids}::int[]) AND f.assignee_id IS NOT NULL
      UNION SELECT h.finding_id, h.actor_id::int FROM finding_history h
      WHERE h.organization_id = ${organizationId} AND h.finding_id = ANY(${ids}::int[])
        AND h.actor_type IN ('user', 'integrator') AND (h.is_comment OR h.previous_status IS NULL)`);
  }

  private list(organizationId: number, condition: Sql): Promise<NotifiedFinding[]> {
    return this.database.rows<NotifiedFinding>(sql`
      SELECT f.id, f.title, f.severity, f.asset_value AS "assetValue", f.status, f.assignee_id AS "assigneeId",
        f.assigned_by AS "assignedBy", f.due_date::text AS "dueDate", f.verification, f.verified_at AS "verifiedAt"
      FROM findings f WHERE f.organization_id = ${organizationId} AND f.merged_into IS NULL AND ${condition}`);
  }
}
