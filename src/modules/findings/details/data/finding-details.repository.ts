import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../../platform/api/scope';
import { Database } from '../../../../platform/database/database';
import { type Sql, raw, sql } from '../../../../platform/database/sql';
import { visibleTo } from '../../../../platform/database/visible';
import { countedSeverityOf } from '../../data/counted-severity';
import { FindingRow } from '../../data/finding.entity';
import { FindingHistory } from '../../data/finding-history.entity';
import { beliefRankIn } from '../../domain/belief';
import { isOwnedBy } from '../../lists/data/finding-filter';
import { type FindingSelection, type FindingsOf, type Source, sourceOf } from './finding-source';

/** The fields of a finding that a report needs before it reads the whole finding. */
export type FindingOutline = Pick<
  FindingRow,
  | 'id'
  | 'assetId'
  | 'assetValue'
  | 'title'
  | 'severity'
  | 'status'
  | 'checkId'
  | 'verification'
  | 'verificationReason'
  | 'created'
> & {
  /** When it was last resolved; null while it is not. */
  readonly resolved: Date | null;
  /** When the subject first saw it. */
  readonly firstSeen: Date;
  readonly lastSeen: Date;
};

/** A finding of the subject that the selection left out. */
export type UnselectedFinding = FindingOutline & { readonly inPeriod: boolean; readonly isOwned: boolean };

/** Columns that neither reports nor pages show. */
const UNREPORTED_COLUMNS = [
  'organizationId',
  'eventId',
  'searched',
  'titleKey',
  'previousStatus',
  'requestedScore',
  'dueByHand',
  'deadlineStart',
  'dueOrder',
] as const satisfies readonly (keyof FindingRow)[];

export type ReportedFinding = Omit<FindingRow, (typeof UNREPORTED_COLUMNS)[number]> & {
  /** Where a scanner or a job saw it last. */
  readonly seenLocation: string | null;
};

/** Reports count the higher of what people and scanners say. */
const counted = countedSeverityOf('f');
const isSelected = (
  { inPeriod }: Source,
  selection: FindingSelection,
): Sql => sql`(${counted} >= ${selection.minSeverity}
  AND f.status = ANY(${selection.statuses}::int[]) AND f.id <> ALL(${selection.withoutIds}::int[]) AND ${inPeriod(selection)}
  AND ${isOwned(selection)})`;

/** Never null: a finding with null would be neither selected nor unselected. */
const isOwned = ({ owner, organizationId }: FindingSelection): Sql =>
  owner === null ? sql`true` : sql`coalesce(${isOwnedBy(owner, sql`${organizationId}`)}, false)`;

const outlineOf = ({
  firstSeen,
  lastSeen,
}: Source): Sql => sql`f.id, f.asset_id AS "assetId", f.asset_value AS "assetValue",
  f.title, ${counted} AS severity, f.status, f.check_id AS "checkId", f.verification, f.created,
  f.verification_reason AS "verificationReason", ${firstSeen} AS "firstSeen", ${lastSeen} AS "lastSeen",
  CASE WHEN f.status = 5 THEN (SELECT h.created FROM finding_history h WHERE h.finding_id = f.id AND h.status = 5
    AND h.previous_status IS DISTINCT FROM 5 ORDER BY h.id DESC LIMIT 1) END AS resolved`;

const mostUrgentFirst = sql`ORDER BY f.priority, ${raw(beliefRankIn('f'))} DESC, ${counted} DESC, f.id DESC`;

/** Reads many findings at once, with one statement for each table and not for each finding. */
@Injectable()
export class FindingDetailsRepository {
  private readonly columns = this.database.columns(FindingRow, 'f', UNREPORTED_COLUMNS);
  private readonly historyColumns = this.database.columns(FindingHistory, 'h');

  constructor(private readonly database: Database) {}

  /** Most urgent first. */
  listOutlines(
    scope: Scope,
    subject: FindingsOf,
    selection: FindingSelection,
    limit: number,
  ): Promise<FindingOutline[]> {
    const source = sourceOf(subject);
    return this.database.rows<FindingOutline>(sql`
      SELECT ${outlineOf(source)} ${source.rows} AND ${visibleTo(scope, 'f.organization_id')} AND ${isSelected(source, selection)}
      ${mostUrgentFirst} LIMIT ${limit}`);
  }

  /** Of the `examined` most urgent findings alone: the others are not read. */
  listMostUrgent(
    scope: Scope,
    subject: FindingsOf,
    selection: FindingSelection,
    { examined, limit }: { readonly examined: number; readonly limit: number },
  ): Promise<FindingOutline[]> {
    const source = sourceOf(subject);
    return this.database.rows<FindingOutline>(sql`
      SELECT ${outlineOf(source)} ${source.rows} AND ${source.isMostUrgent(examined)}
        AND ${visibleTo(scope, 'f.organization_id')} AND ${isSelected(source, selection)}
      ${mostUrgentFirst} LIMIT ${limit}`);
  }

  /** Those that the selection leaves out, most urgent first. */
  listUnselected(
    scope: Scope,
    subject: FindingsOf,
    selection: FindingSelection,
    limit: number,
  ): Promise<UnselectedFinding[]> {
    const source = sourceOf(subject);
    return this.database.rows<UnselectedFinding>(sql`
      SELECT ${outlineOf(source)}, ${source.inPeriod(selection)} AS "inPeriod", ${isOwned(selection)} AS "isOwned"
        ${source.rows}
        AND ${visibleTo(scope, 'f.organization_id')} AND NOT ${isSelected(source, selection)}
      ${mostUrgentFirst} LIMIT ${limit}`);
  }

  /** Leaves out merged findings. */
  listOutlinesByIds(scope: Scope, ids: readonly number[]): Promise<FindingOutline[]> {
    const source = sourceOf({ ids });
    return this.database.rows<FindingOutline>(sql`
      SELECT ${outlineOf(source)} ${source.rows} AND f.merged_into IS NULL AND ${visibleTo(scope, 'f.organization_id')}`);
  }

  /** All of the subject. */
  count(scope: Scope, subject: FindingsOf): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count ${sourceOf(subject).rows} AND ${visibleTo(scope, 'f.organization_id')}`);
  }

  /** Of the newest so many of the subject: how many there are, and how many are selected. */
  async countNewest(scope: Scope, subject: FindingsOf, selection: FindingSelection, most: number) {
    const source = sourceOf(subject);
    const row = await this.database.row<{ examined: number; selected: number }>(sql`
      SELECT count(*)::int AS examined, count(*) FILTER (WHERE ${isSelected(source, selection)})::int AS selected
      ${source.rows} AND ${source.isNewest(most)} AND ${visibleTo(scope, 'f.organization_id')}`);
    return { examined: row?.examined ?? 0, selected: row?.selected ?? 0 };
  }

  listByIds(scope: Scope, ids: readonly number[]): Promise<ReportedFinding[]> {
    return this.database.rows<ReportedFinding>(sql`
      SELECT ${this.columns}, (SELECT s.location FROM finding_sightings s WHERE s.finding_id = f.id AND s.location IS NOT NULL
        ORDER BY s.id DESC LIMIT 1) AS "seenLocation" FROM findings f
      WHERE f.id = ANY(${ids}::int[]) AND ${visibleTo(scope, 'f.organization_id')}`);
  }

  async listLastOpenOfVisible(findingIds: readonly number[]): Promise<Map<number, Date>> {
    const rows = await this.database.rows<{ id: number; created: Date }>(sql`
      SELECT wanted.id, h.created FROM unnest(${findingIds}::int[]) AS wanted (id)
      CROSS JOIN LATERAL (
        SELECT t.created FROM finding_history t WHERE t.finding_id = wanted.id AND t.status <= 4 AND NOT t.is_comment
        ORDER BY t.id DESC LIMIT 1) h`);
    return new Map(rows.map(({ id, created }) => [id, created]));
  }

  /** The newest transitions of each finding, newest first. */
  listTransitionsOfVisible(findingIds: readonly number[], limitEach: number): Promise<FindingHistory[]> {
    return this.database.rows<FindingHistory>(sql`
      SELECT ${this.historyColumns} FROM unnest(${findingIds}::int[]) AS wanted (id)
      CROSS JOIN LATERAL (
        SELECT * FROM finding_history t WHERE t.finding_id = wanted.id ORDER BY t.id DESC LIMIT ${limitEach}) h
      ORDER BY h.id DESC`);
  }
}
