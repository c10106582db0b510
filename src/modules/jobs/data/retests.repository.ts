import { Injectable } from '@nestjs/common';
import type { SignedEvidence } from '../../../engine';
import type { Scope } from '../../../platform/auth/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { retestUnderWay } from '../domain/retest.errors';
import type { RetestResult, RetestStatus } from '../domain/retest-status';
import { type Retest, RetestRow } from './retest.entity';

export type NewRetest = Pick<
  Retest,
  'uuid' | 'organizationId' | 'findingId' | 'eventSlug' | 'checkId' | 'checkDefinition'
>;

/** How a retest ends. */
export interface RetestEnd {
  readonly status: Extract<RetestStatus, 'finished' | 'error' | 'canceled'>;
  readonly result: RetestResult | null;
  readonly reason: string | null;
  readonly evidence: SignedEvidence | null;
}

@Injectable()
export class RetestsRepository {
  private readonly columns = this.database.columns(RetestRow, 'r', ['evidence']);

  constructor(private readonly database: Database) {}

  /** The last one of a finding that the caller of this has found in its scope. */
  findLastOfVisible(findingId: number): Promise<Retest | undefined> {
    return this.database.row<Retest>(
      sql`SELECT ${this.columns} FROM retests r WHERE r.finding_id = ${findingId} ORDER BY r.id DESC LIMIT 1`,
    );
  }

  async findEvidenceOfVisible(id: number): Promise<SignedEvidence | null> {
    const row = await this.database.row<Pick<RetestRow, 'evidence'>>(
      sql`SELECT r.evidence FROM retests r WHERE r.id = ${id}`,
    );
    return row?.evidence ?? null;
  }

  findOne(scope: Scope, uuid: string): Promise<Retest | undefined> {
    return this.database.row<Retest>(sql`
      SELECT ${this.columns} FROM retests r WHERE r.uuid = ${uuid} AND ${visibleTo(scope, 'r.organization_id')}`);
  }

  lockOne(scope: Scope, uuid: string): Promise<Retest | undefined> {
    return this.database.row<Retest>(sql`
      SELECT ${this.columns} FROM retests r WHERE r.uuid = ${uuid} AND ${visibleTo(scope, 'r.organization_id')} FOR UPDATE`);
  }

  /** The caller holds the organization for counting, so that nobody else starts one meanwhile. */
  async countUnfinishedOfHeld(organizationId: number): Promise<number> {
    const row = await this.database.row<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM retests
      WHERE organization_id = ${organizationId} AND status IN ('pending', 'in_progress')`);
    return row?.count ?? 0;
  }

  /** One unfinished retest a finding, whoever is quicker. */
  async add(retest: NewRetest): Promise<Retest> {
    const checkDefinition = retest.checkDefinition === null ? null : JSON.stringify(retest.checkDefinition);
    const added = this.database.row<Retest>(sql`
      INSERT INTO retests AS r (uuid, organization_id, finding_id, event_slug, check_id, recipe)
      VALUES (${retest.uuid}, ${retest.organizationId}, ${retest.findingId}, ${retest.eventSlug}, ${retest.checkId}, ${checkDefinition})
      RETURNING ${this.columns}`);
    const row = await onViolation(added, { uq_retests_unfinished: retestUnderWay });
    if (row === undefined) throw new Error('an insert without a conflict clause answers its row');
    return row;
  }

  /** Answers what it was for; nothing if it has begun before. */
  async begin(uuid: string): Promise<Retest | undefined> {
    return this.database.row<Retest>(sql`
      UPDATE retests r SET status = 'in_progress', started = now() WHERE r.uuid = ${uuid} AND r.status = 'pending'
      RETURNING ${this.columns}`);
  }

  async end(id: number, { status, result, reason, evidence }: RetestEnd): Promise<void> {
    await this.database.change(sql`
      UPDATE retests SET status = ${status}, result = ${result}, reason = ${reason}, finished = now(),
        evidence = ${evidence === null ? null : JSON.stringify(evidence)}
      WHERE id = ${id}`);
  }
}
