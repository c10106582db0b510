import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { raw, type Sql, sql } from '../../../platform/database/sql';
import { ownedIn, visibleTo } from '../../../platform/database/visible';
import { conflict } from '../../../kernel/domain-error';
import type {
  RefusedItem,
  SelectedFinding,
  SelectedItem,
  SelectionOutcome,
  SelectionStatus,
} from '../domain/selection';
import { FindingSelectionRow, type StoredSelection } from './finding-selection.entity';

type SelectionKey = Pick<StoredSelection, 'id' | 'organizationId'>;

/** Of a user, beside the one that runs. */
const MAX_KEPT = 10;
const REMOVAL_BATCH = 10;

/** A `SelectedFinding`. */
const shown = raw(`jsonb_build_object('status', f.status, 'severity', f.severity, 'assigneeId', f.assignee_id,
  'dueDate', f.due_date::text, 'dueByHand', f.due_by_hand, 'labels', f.labels, 'mergedInto', f.merged_into)`);

const isRunning = raw(`s.status IN ('running', 'undoing')`);

/** The findings that the run, or undoing it, has not processed. It leaves alone what another worker has done. */
const isLeft = ({ status }: Pick<StoredSelection, 'status'>): Sql =>
  raw(status === 'undoing' ? `i.result = 'changed'` : 'i.result IS NULL');

const anotherRuns = () => conflict('Another of your changes of all findings is running. Wait until it ends.');

@Injectable()
export class FindingSelectionsRepository {
  private readonly columns = this.database.columns(FindingSelectionRow, 's');

  constructor(private readonly database: Database) {}

  /** Each state of these findings once, with how many have it. */
  listStates(organizationId: number, findingIds: readonly number[]) {
    return this.database.rows<{ state: SelectedFinding; findings: number }>(sql`
      SELECT ${shown} AS state, count(*)::int AS findings FROM findings f
      WHERE f.id = ANY(${findingIds}::int[]) AND f.organization_id = ${organizationId} GROUP BY state`);
  }

  /** With the findings as they are now. The oldest of the user that do not run are removed. */
  async add(
    row: Pick<StoredSelection, 'organizationId' | 'userId' | 'action' | 'dryRun'>,
    findingIds: readonly number[],
  ): Promise<number> {
    const { organizationId, userId } = row;
    const values = [{ ...row, findings: findingIds.length }];
    const added = await this.database.rows<{ id: number }>(sql`
      WITH added AS (
        INSERT INTO finding_selections ${this.database.insertedRows(FindingSelectionRow, values)} RETURNING id)
      INSERT INTO finding_selection_items (selection_id, finding_id, organization_id, before)
      SELECT added.id, f.id, f.organization_id, ${shown} FROM added, findings f
      WHERE f.id = ANY(${findingIds}::int[]) AND f.organization_id = ${organizationId} RETURNING selection_id AS id`);
    await this.database.change(sql`
      DELETE FROM finding_selections WHERE id = ANY(ARRAY(
        SELECT s.id FROM finding_selections s
        WHERE s.user_id = ${userId} AND s.organization_id = ${organizationId} AND NOT ${isRunning}
        ORDER BY s.id DESC OFFSET ${MAX_KEPT})) AND organization_id = ${organizationId}`);
    return added[0]?.id ?? 0;
  }

  findOne(scope: Scope, organizationId: number, id: number): Promise<StoredSelection | undefined> {
    return this.database.row(this.one(scope, organizationId, id));
  }

  lockOne(scope: Scope, organizationId: number, id: number): Promise<StoredSelection | undefined> {
    return this.database.row(sql`${this.one(scope, organizationId, id)} FOR UPDATE OF s`);
  }

  listOutcomesOfVisible({ id, organizationId }: SelectionKey): Promise<SelectionOutcome[]> {
    return this.database.rows(sql`
      SELECT i.result, i.reason, count(*)::int AS findings,
        (array_agg(i.finding_id ORDER BY i.finding_id))[1:100] AS "findingIds"
      FROM finding_selection_items i WHERE i.selection_id = ${id} AND i.organization_id = ${organizationId}
      GROUP BY i.result, i.reason ORDER BY findings DESC, i.reason`);
  }

  async saveStatus({ id, organizationId }: SelectionKey, status: SelectionStatus): Promise<void> {
    const saved = this.database.change(sql`
      UPDATE finding_selections SET status = ${status},
        finished = CASE WHEN ${status} IN ('finished', 'failed') THEN coalesce(finished, now()) ELSE finished END
      WHERE id = ${id} AND organization_id = ${organizationId}`);
    await onViolation(saved, { uq_finding_selections_running: anotherRuns });
  }

  listNext(selection: StoredSelection, limit: number): Promise<SelectedItem[]> {
    const { id, organizationId } = selection;
    return this.database.rows(sql`
      SELECT i.finding_id AS "findingId", i.before, i.after FROM finding_selection_items i
      WHERE i.selection_id = ${id} AND i.organization_id = ${organizationId} AND ${isLeft(selection)}
      ORDER BY i.finding_id LIMIT ${limit}`);
  }

  /** As it is now. */
  async findFinding(organizationId: number, id: number): Promise<SelectedFinding | undefined> {
    const row = await this.database.row<{ now: SelectedFinding }>(
      sql`SELECT ${shown} AS now FROM findings f WHERE f.id = ${id} AND f.organization_id = ${organizationId}`,
    );
    return row?.now;
  }

  /** In the transaction that changes the finding, or changes it back. False if another worker has done it. */
  async saveDone(selection: StoredSelection, findingId: number): Promise<boolean> {
    const { id, organizationId, action, status } = selection;
    const isChanged = sql`${action.kind === 'comment'} OR f.shown <> i.before`;
    const saved = await this.database.change(sql`
      UPDATE finding_selection_items i SET after = f.shown,
        result = CASE WHEN ${status === 'undoing'} THEN 'undone' WHEN ${isChanged} THEN 'changed' ELSE 'unchanged' END
      FROM (SELECT ${shown} AS shown FROM findings f WHERE f.id = ${findingId} AND f.organization_id = ${organizationId}) f
      WHERE i.selection_id = ${id} AND i.finding_id = ${findingId} AND i.organization_id = ${organizationId}
        AND ${isLeft(selection)}`);
    return saved === 1;
  }

  async saveRefused(selection: StoredSelection, refused: readonly RefusedItem[]): Promise<void> {
    const { id, organizationId } = selection;
    await this.database.change(sql`
      UPDATE finding_selection_items i SET result = r.result, reason = r.reason
      FROM jsonb_to_recordset(${JSON.stringify(refused)}::jsonb) AS r ("findingId" int, result text, reason text)
      WHERE i.selection_id = ${id} AND i.organization_id = ${organizationId} AND i.finding_id = r."findingId"
        AND ${isLeft(selection)}`);
  }

  removeOld(scope: Scope): Promise<number> {
    return this.database.change(sql`
      DELETE FROM finding_selections s WHERE s.id = ANY(ARRAY(
        SELECT s.id FROM finding_selections s WHERE s.created < now() - interval '1 day' AND NOT ${isRunning}
          AND ${ownedIn(scope, 's.organization_id')} LIMIT ${REMOVAL_BATCH}))`);
  }

  private one = (scope: Scope, organizationId: number, id: number): Sql => sql`
    SELECT ${this.columns} FROM finding_selections s
    WHERE s.id = ${id} AND s.organization_id = ${organizationId} AND ${visibleTo(scope, 's.organization_id')}`;
}
