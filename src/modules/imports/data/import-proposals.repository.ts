import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Actor } from '../../../platform/api/caller';
import { Database } from '../../../platform/database/database';
import { ListOrder, readSlice } from '../../../platform/database/list-order';
import { allOf, emptySql, sql } from '../../../platform/database/sql';
import type { ProposalKind, ProposalStatus } from '../domain/proposal';
import { ImportProposal } from './import-proposal.entity';

/** A proposal as the API returns it. */
export type ShownProposal = Omit<ImportProposal, 'organizationId' | 'digest'>;

export type NewProposal = Omit<
  ImportProposal,
  | 'id'
  | 'organizationId'
  | 'importId'
  | 'status'
  | 'actorType'
  | 'actorId'
  | 'decided'
  | 'bound'
  | 'notBound'
  | 'notBoundReason'
>;

export interface ProposalFilter {
  readonly kind?: ProposalKind;
  readonly status?: ProposalStatus;
  /** Whether it cannot be approved. */
  readonly isRefused?: boolean;
}

/** The digests of what the sightings of a finding carry from one import, or null. */
export interface CarriedDigests {
  readonly importId: number;
  readonly template: string | null;
  readonly replay: string | null;
}

const mostSevereFirst = new ListOrder<ShownProposal>(['p.severity', 'p.id'], ({ severity, id }) => [severity, id]);

@Injectable()
export class ImportProposalsRepository {
  private readonly columns = this.database.columns(ImportProposal, 'p', ['organizationId', 'digest']);
  private readonly allColumns = this.database.columns(ImportProposal, 'p');

  constructor(private readonly database: Database) {}

  listForVisible(
    importId: number,
    { kind, status, isRefused }: ProposalFilter,
    page: Page,
  ): Promise<Slice<ShownProposal>> {
    const matching = allOf([
      sql`p.import_id = ${importId}`,
      kind === undefined ? undefined : sql`p.kind = ${kind}`,
      status === undefined ? undefined : sql`p.status = ${status}`,
      isRefused === undefined ? undefined : sql`(p.refusal IS NOT NULL) = ${isRefused}`,
    ]);
    const list = sql`FROM import_proposals p WHERE ${matching}`;
    const rows = sql`SELECT ${this.columns} ${list}${mostSevereFirst.page(page)}`;
    return readSlice(this.database, page, mostSevereFirst, { rows, list });
  }

  /** Newest first. The caller has read the finding in scope. */
  listCarried(carried: readonly CarriedDigests[]): Promise<ShownProposal[]> {
    return this.database.rows<ShownProposal>(sql`
      SELECT ${this.columns} FROM import_proposals p
      WHERE EXISTS (
        SELECT 1 FROM jsonb_to_recordset(${JSON.stringify(carried)}::jsonb) AS r ("importId" int, template text, replay text)
        WHERE p.import_id = r."importId" AND p.digest = CASE p.kind WHEN 'template' THEN r.template ELSE r.replay END)
        AND p.import_id = ANY(${carried.map(({ importId }) => importId)}::int[])
      ORDER BY p.id DESC LIMIT 100`);
  }

  findOne(id: number): Promise<ImportProposal | undefined> {
    return this.database.row<ImportProposal>(sql`SELECT ${this.allColumns} FROM import_proposals p WHERE p.id = ${id}`);
  }

  /** Ordered by id. The caller has locked the import. */
  listLocked(importId: number, ids: readonly number[]): Promise<ImportProposal[]> {
    return this.database.rows<ImportProposal>(sql`
      SELECT ${this.allColumns} FROM import_proposals p
      WHERE p.import_id = ${importId} AND p.id = ANY(${ids}::int[]) ORDER BY p.id FOR UPDATE`);
  }

  /** The digests of the templates of an import that can be approved. */
  async listAcceptedTemplates(importId: number): Promise<string[]> {
    const rows = await this.database.rows<{ digest: string }>(sql`
      SELECT p.digest FROM import_proposals p
      WHERE p.import_id = ${importId} AND p.kind = 'template' AND p.refusal IS NULL`);
    return rows.map(({ digest }) => digest);
  }

  /** Existing proposals stay as they are. */
  async addMany(importId: number, organizationId: number, proposals: readonly NewProposal[]): Promise<void> {
    await this.database.change(sql`
      INSERT INTO import_proposals (import_id, organization_id, kind, digest, scanner, rule_id, title, severity, findings,
        location, check_id, definition, requests, request_count, unsafe_methods, missing_values, refusal)
      SELECT ${importId}, ${organizationId}, kind, digest, scanner, "ruleId", title, severity, findings, location, "checkId",
        definition, requests, "requestCount", "unsafeMethods", "missingValues", refusal
      FROM jsonb_to_recordset(${JSON.stringify(proposals)}::jsonb) AS r (kind text, digest text, scanner text, "ruleId" text,
        title text, severity int, findings int, location text, "checkId" text, definition text, requests jsonb, "requestCount" int,
        "unsafeMethods" text[], "missingValues" text[], refusal text)
      ON CONFLICT ON CONSTRAINT uq_import_proposals DO NOTHING`);
  }

  /**
   * Copies proposals to other imports that have the same results, before the sightings of an undone import move there. Declined
   * ones stay declined.
   */
  async copyTo(importId: number, others: readonly number[]): Promise<void> {
    await this.database.change(sql`
      INSERT INTO import_proposals (import_id, organization_id, kind, digest, scanner, rule_id, title, severity, findings,
        location, check_id, definition, requests, request_count, unsafe_methods, missing_values, refusal, status, actor_type, actor_id, decided)
      SELECT other.id, p.organization_id, p.kind, p.digest, p.scanner, p.rule_id, p.title, p.severity, p.findings, p.location,
        p.check_id, p.definition, p.requests, p.request_count, p.unsafe_methods, p.missing_values, p.refusal,
        coalesce(declined.status, 'proposed'), declined.actor_type, declined.actor_id, declined.decided
      FROM import_proposals p
      LEFT JOIN import_proposals declined ON declined.id = p.id AND declined.status = 'declined'
      CROSS JOIN unnest(${others}::int[]) AS other (id) WHERE p.import_id = ${importId}
      ON CONFLICT ON CONSTRAINT uq_import_proposals DO NOTHING`);
  }

  async saveDecision(ids: readonly number[], status: ProposalStatus, { type, id }: Actor): Promise<void> {
    await this.database.change(sql`
      UPDATE import_proposals SET status = ${status}, actor_type = ${type}, actor_id = ${id}, decided = now()
      WHERE id = ANY(${ids}::int[])`);
  }

  /** Undoes approvals whose findings could not be bound, so that they can be approved again. */
  async withdrawApprovals(importId: number, id: number | null, reason: string): Promise<void> {
    const one = id === null ? emptySql : sql` AND id = ${id}`;
    await this.database.change(sql`
      UPDATE import_proposals SET status = 'proposed', actor_type = NULL, actor_id = NULL, decided = NULL,
        not_bound_reason = ${reason}
      WHERE import_id = ${importId} AND status = 'approved'${one}`);
  }

  /** Approves all replays of an import whose uploader approved them in advance. Returns their ids. */
  async approveReplays(importId: number, { type, id }: Actor): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      UPDATE import_proposals SET status = 'approved', actor_type = ${type}, actor_id = ${id}, decided = now()
      WHERE import_id = ${importId} AND kind = 'replay' AND status = 'proposed' AND refusal IS NULL RETURNING id`);
    return rows.map((row) => row.id);
  }

  async listApproved(importId: number): Promise<ImportProposal[]> {
    return this.database.rows<ImportProposal>(sql`
      SELECT ${this.allColumns} FROM import_proposals p
      WHERE p.import_id = ${importId} AND p.status = 'approved' ORDER BY p.severity DESC, p.id`);
  }

  /** Called before each binding, because one that was interrupted runs again. */
  async resetNotBound(id: number): Promise<void> {
    await this.database.change(
      sql`UPDATE import_proposals SET not_bound = 0, not_bound_reason = NULL WHERE id = ${id} AND not_bound_reason IS NOT NULL`,
    );
  }

  async countBound(id: number, bound: number, notBound: readonly string[]): Promise<void> {
    await this.database.change(sql`
      UPDATE import_proposals SET bound = bound + ${bound}, not_bound = not_bound + ${notBound.length},
        not_bound_reason = coalesce(not_bound_reason, ${notBound[0] ?? null})
      WHERE id = ${id}`);
  }
}
