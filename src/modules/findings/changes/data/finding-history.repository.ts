import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../../kernel/page';
import { type Actor, system } from '../../../../platform/api/caller';
import { Database } from '../../../../platform/database/database';
import { ListOrder, readSlice } from '../../../../platform/database/list-order';
import { sql } from '../../../../platform/database/sql';
import { visibleTo } from '../../../../platform/database/visible';
import type { Scope } from '../../../../platform/api/scope';
import type { FindingRow } from '../../data/finding.entity';
import { type FieldChange, fieldChange } from '../../domain/field-change';
import { type Knowledge, knowledgeOf, needsResolution, type Resolution } from '../../domain/observation';
import { FindingHistory } from '../../data/finding-history.entity';
import type { Markdown } from '../../rendering/markdown-renderer';
import { changedByService } from './changed-by-service';

type KnownRow = Pick<FindingRow, 'id' | 'status' | 'lastSeen' | 'verification' | 'verifiedAt' | 'fixedAt' | 'statedAt'>;

/** Added to the history when a finding with a proved fix is seen again. */
export const TERM_RENEWED = 'Its SLA counts again from this day.';

type ChangedFinding = Pick<FindingRow, 'id' | 'organizationId' | 'status' | 'previousStatus'>;

type Dated = Pick<FindingRow, 'dueDate'>;

const idsOf = (findings: readonly Pick<FindingRow, 'id'>[]): number[] => findings.map(({ id }) => id);

const newestFirst = new ListOrder<FindingHistory>(['h.id'], ({ id }) => [Number(id)]);

@Injectable()
export class FindingHistoryRepository {
  private readonly columns = this.database.columns(FindingHistory, 'h');

  constructor(private readonly database: Database) {}

  /** `finding` is as it is after the change. */
  async add(
    actor: Actor,
    finding: ChangedFinding,
    comment: string | null,
    {
      html = null,
      changes = null,
      decided = null,
      justification = null,
      byAgent = false,
    }: Partial<Pick<FindingHistory, 'html' | 'changes' | 'decided' | 'justification' | 'byAgent'>> = {},
  ): Promise<FindingHistory> {
    const [added] = await this.database.rows<FindingHistory>(sql`
      INSERT INTO finding_history AS h (organization_id, finding_id, status, previous_status, actor_type, actor_id, comment, is_comment, html, changes,
        decided, justification, by_agent)
      VALUES (${finding.organizationId}, ${finding.id}, ${finding.status}, ${finding.previousStatus}, ${actor.type},
        ${actor.id}, ${comment}, ${html !== null}, ${html}, ${changes === null ? null : JSON.stringify(changes)},
        ${decided}, ${justification}, ${byAgent})
      RETURNING ${this.columns}`);
    if (added === undefined) throw new Error('An entry of the history was not added.');
    return added;
  }

  /** Adds an entry that is not a transition. */
  addNote(actor: Actor, finding: Omit<ChangedFinding, 'previousStatus'>, comment: string): Promise<FindingHistory> {
    return this.add(actor, { ...finding, previousStatus: finding.status }, comment);
  }

  /** Records the fields that a person changed, with old and new values and the reason. */
  addEdit(
    actor: Actor,
    finding: ChangedFinding,
    changes: readonly FieldChange[],
    reason: string | null,
  ): Promise<FindingHistory> {
    return this.add(actor, { ...finding, previousStatus: finding.status }, reason, { changes });
  }

  /** Records that the SLA or a merge changed a due date. Adds nothing if the date is the same. */
  async addDueDate(
    from: Dated,
    finding: Omit<ChangedFinding, 'previousStatus'> & Dated,
    reason: string,
  ): Promise<void> {
    const change = fieldChange('due_date', from.dueDate, finding.dueDate);
    if (change === undefined) return;
    await this.addEdit(system, { ...finding, previousStatus: finding.status }, [change], reason);
  }

  /** Records that the asset was added after the finding. */
  async addAsset(
    actor: Actor,
    finding: Omit<ChangedFinding, 'previousStatus'> & Pick<FindingRow, 'assetValue'>,
  ): Promise<void> {
    const change = { field: 'asset', from: null, to: finding.assetValue };
    await this.addEdit(actor, { ...finding, previousStatus: finding.status }, [change], 'The asset was added.');
  }

  addComment(actor: Actor, finding: ChangedFinding, { md, html }: Markdown, byAgent: boolean): Promise<FindingHistory> {
    return this.add(actor, { ...finding, previousStatus: finding.status }, md, { html, byAgent });
  }

  lockComment(scope: Scope, findingId: number, id: string): Promise<FindingHistory | undefined> {
    return this.database.row<FindingHistory>(sql`
      SELECT ${this.columns} FROM finding_history h
      WHERE h.id = ${id} AND h.finding_id = ${findingId} AND h.is_comment AND ${visibleTo(scope, 'h.organization_id')} FOR UPDATE`);
  }

  async saveComment({ id, organizationId }: FindingHistory, { md, html }: Markdown): Promise<FindingHistory> {
    const [saved] = await this.database.rows<FindingHistory>(sql`
      UPDATE finding_history h SET comment = ${md}, html = ${html}, edited = now()
      WHERE h.id = ${id} AND h.organization_id = ${organizationId} RETURNING ${this.columns}`);
    if (saved === undefined) throw new Error('A comment was not saved.');
    return saved;
  }

  /**
   * Adds the first entry of each history, which names who recorded the finding, and an entry if the service assigned it. Returns
   * the ids of the first entries by finding id.
   */
  async addCreated(
    actor: Actor,
    organizationId: number,
    findings: readonly Pick<FindingRow, 'id' | 'assigneeId'>[],
  ): Promise<Map<number, string>> {
    if (findings.length === 0) return new Map();
    const rows = await this.database.rows<{ id: string; findingId: number }>(sql`
      INSERT INTO finding_history AS h (organization_id, finding_id, status, actor_type, actor_id)
      SELECT ${organizationId}, id, 1, ${actor.type}, ${actor.id} FROM unnest(${idsOf(findings)}::int[]) AS created (id) ORDER BY id
      RETURNING h.id, h.finding_id AS "findingId"`);
    const assigned = idsOf(findings.filter(({ assigneeId }) => assigneeId !== null));
    if (assigned.length > 0) {
      const changed = sql`SELECT f.id, f.status, NULL AS was, f.assignee_id::text AS now FROM findings f
        WHERE f.organization_id = ${organizationId} AND f.id = ANY(${assigned}::int[])`;
      await this.database.change(changedByService(organizationId, 'assignee_id', 'The owner of its asset.', changed));
    }
    return new Map(rows.map(({ id, findingId }) => [findingId, id]));
  }

  /** When each of these findings was last resolved. Only tests resolve findings as the service. */
  async listResolutions(ids: readonly number[]): Promise<Map<number, Resolution>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.rows<Resolution & { id: number }>(sql`
      SELECT DISTINCT ON (h.finding_id) h.finding_id AS id, h.created AS at, h.actor_type = 'system' AS "isTested"
      FROM finding_history h
      WHERE h.finding_id = ANY(${ids}::int[]) AND h.status = 5 AND h.previous_status IS DISTINCT FROM 5
      ORDER BY h.finding_id, h.id DESC`);
    return new Map(rows.map(({ id, ...resolution }) => [id, resolution]));
  }

  /** What is known about whether each weakness still exists, by finding id. */
  async listKnowledge(findings: readonly KnownRow[]): Promise<Map<number, Knowledge>> {
    const resolutions = await this.listResolutions(findings.filter(needsResolution).map(({ id }) => id));
    return new Map(findings.map((finding) => [finding.id, knowledgeOf(finding, resolutions.get(finding.id))]));
  }

  /** Whether the finding is resolved, without a change of its status since then. */
  async isResolvedSince(organizationId: number, findingId: number, since: Date): Promise<boolean> {
    const row = await this.database.row(sql`
      SELECT 1 FROM findings f WHERE f.organization_id = ${organizationId} AND f.id = ${findingId} AND f.status = 5
        AND NOT EXISTS (
          SELECT 1 FROM finding_history h
          WHERE h.finding_id = f.id AND h.organization_id = f.organization_id AND NOT h.is_comment AND h.changes IS NULL AND h.created > ${since})`);
    return row !== undefined;
  }

  listForVisible(findingId: number, page: Page): Promise<Slice<FindingHistory>> {
    const list = sql`FROM finding_history h WHERE h.finding_id = ${findingId}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }
}
