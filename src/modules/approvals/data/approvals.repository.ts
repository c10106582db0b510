import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { byId, readSlice } from '../../../platform/database/list-order';
import { sql } from '../../../platform/database/sql';
import { ownedIn, visibleTo } from '../../../platform/database/visible';
import { type Approval, ApprovalRow, type ApprovalStatus, type StoredChange } from './approval.entity';

export type NewApproval = Pick<
  Approval,
  'organizationId' | 'changes' | 'digest' | 'proposedBy' | 'proposedAt' | 'expires'
>;

export type Decision = Pick<Approval, 'decidedBy' | 'decidedAt' | 'reason'> & { readonly status: ApprovalStatus };

const newestFirst = byId<Approval>('a.id');

@Injectable()
export class ApprovalsRepository {
  private readonly columns = this.database.columns(ApprovalRow, 'a');

  constructor(private readonly database: Database) {}

  list(scope: Scope, organizationId: number, status: ApprovalStatus | undefined, page: Page): Promise<Slice<Approval>> {
    const list = sql`FROM approvals a WHERE a.organization_id = ${organizationId} AND ${visibleTo(scope, 'a.organization_id')}
      AND (${status ?? null}::text IS NULL OR a.status = ${status ?? null})`;
    return readSlice(this.database, page, newestFirst, {
      rows: sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`,
      list,
    });
  }

  lockOne(scope: Scope, organizationId: number, id: number): Promise<Approval | undefined> {
    return this.database.row<Approval>(sql`
      SELECT ${this.columns} FROM approvals a
      WHERE a.id = ${id} AND a.organization_id = ${organizationId} AND ${visibleTo(scope, 'a.organization_id')} FOR UPDATE`);
  }

  countPending(organizationId: number): Promise<number> {
    return this.database.count(
      sql`SELECT count(*)::int AS count FROM approvals WHERE organization_id = ${organizationId} AND status = 'pending'`,
    );
  }

  countPendingOfOthers(scope: Scope, organizationId: number, userId: number): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM approvals a
      WHERE a.organization_id = ${organizationId} AND ${visibleTo(scope, 'a.organization_id')} AND a.status = 'pending' AND a.proposed_by <> ${userId}`);
  }

  /** Returns undefined if the same changes wait already. One that has expired begins anew. */
  async add({ organizationId, changes, digest, ...by }: NewApproval): Promise<number | undefined> {
    const row = await this.database.row<{ id: number }>(sql`
      INSERT INTO approvals (organization_id, changes, digest, proposed_by, proposed_at, expires)
      VALUES (${organizationId}, ${JSON.stringify(changes)}::jsonb, ${digest}, ${by.proposedBy}, ${by.proposedAt}, ${by.expires})
      ON CONFLICT (organization_id, digest) WHERE status = 'pending' DO UPDATE
        SET proposed_by = excluded.proposed_by, proposed_at = excluded.proposed_at, expires = excluded.expires
        WHERE approvals.expires <= excluded.proposed_at RETURNING id`);
    return row?.id;
  }

  async saveDecision(
    { id, organizationId }: Pick<Approval, 'id' | 'organizationId'>,
    { status, decidedBy, decidedAt, reason }: Decision,
  ): Promise<void> {
    await this.database.change(sql`
      UPDATE approvals SET status = ${status}, decided_by = ${decidedBy}, decided_at = ${decidedAt}, reason = ${reason}
      WHERE id = ${id} AND organization_id = ${organizationId}`);
  }

  async saveChanges(organizationId: number, id: number, changes: readonly StoredChange[]): Promise<void> {
    await this.database.change(sql`
      UPDATE approvals SET changes = ${JSON.stringify(changes)}::jsonb WHERE id = ${id} AND organization_id = ${organizationId}`);
  }

  listExpired(scope: Scope, at: Date, limit: number): Promise<Approval[]> {
    return this.database.rows<Approval>(sql`
      SELECT ${this.columns} FROM approvals a
      WHERE ${visibleTo(scope, 'a.organization_id')} AND a.status = 'pending' AND a.expires <= ${at} ORDER BY a.expires LIMIT ${limit}`);
  }

  /** Decided ones that expired, or would have expired, before. */
  removeBefore(scope: Scope, before: Date, limit: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM approvals WHERE ctid = ANY(ARRAY(
        SELECT a.ctid FROM approvals a
        WHERE ${ownedIn(scope, 'a.organization_id')} AND a.expires < ${before} AND a.status <> 'pending' LIMIT ${limit}))`);
  }
}
