import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../../platform/api/scope';
import { Database } from '../../../../platform/database/database';
import { type Sql, raw, sql } from '../../../../platform/database/sql';
import { visibleTo } from '../../../../platform/database/visible';
import type { OwnerFilter } from '../../../identity';
import { countedSeverityOf } from '../../data/counted-severity';
import { FindingRow } from '../../data/finding.entity';
import { FindingHistory } from '../../data/finding-history.entity';
import { beliefRankIn } from '../../domain/belief';
import { isOwnedBy } from '../../lists/data/finding-filter';

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

/** The findings that were seen in an event, those with these ids (at any time), or those of an organization. */
export type FindingsOf =
  { readonly eventId: number } | { readonly ids: readonly number[] } | { readonly organizationId: number };

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

/**
 * Selects findings with one of these statuses and at least this severity that the subject saw in the period: a result with a
 * date in it counts, and so do a scan, an import and an own test that happened in it.
 */
export interface FindingSelection {
  readonly minSeverity: number;
  readonly statuses: readonly number[];
  readonly seenFrom: Date;
  readonly seenTo: Date;
  readonly withoutIds: readonly number[];
  /** Only findings on assets of this owner; null for any. */
  readonly owner: OwnerFilter | null;
  readonly organizationId: number;
}

/** Reports count the higher of what people and scanners say. */
const counted = countedSeverityOf('f');
/** The findings of a subject, and the times at which it saw one first and last. */
interface Source {
  readonly rows: Sql;
  readonly firstSeen: Sql;
  readonly lastSeen: Sql;
  readonly inPeriod: (selection: FindingSelection) => Sql;
}

function sourceOf(subject: FindingsOf): Source {
  if ('ids' in subject) {
    const rows = sql`FROM findings f WHERE f.id = ANY(${subject.ids}::int[])`;
    return { rows, firstSeen: sql`f.created`, lastSeen: sql`f.last_seen`, inPeriod: () => sql`true` };
  }
  if ('eventId' in subject) {
    return seenSource(
      sql`FROM event_findings l JOIN findings f ON f.id = l.finding_id AND f.organization_id = l.organization_id
        WHERE l.event_id = ${subject.eventId}`,
      sql`l.first_seen`,
      sql`greatest(f.last_seen, f.verified_at, l.last_seen)`,
      sql`s.finding_id = f.id AND s.event_id = l.event_id`,
    );
  }
  return seenSource(
    sql`FROM findings f WHERE f.organization_id = ${subject.organizationId} AND f.merged_into IS NULL`,
    sql`f.created`,
    sql`greatest(f.last_seen, f.verified_at, f.created)`,
    sql`s.finding_id = f.id`,
  );
}

/** An import stores a sighting now, but its result may be older: both times count. */
const seenSource = (rows: Sql, firstSeen: Sql, lastSeen: Sql, sightings: Sql): Source => ({
  rows,
  firstSeen,
  lastSeen,
  inPeriod: ({ seenFrom, seenTo }) => sql`(${firstSeen} <= ${seenTo} AND ${lastSeen} >= ${seenFrom} OR EXISTS (
    SELECT 1 FROM finding_sightings s WHERE ${sightings}
      AND (s.seen_at BETWEEN ${seenFrom} AND ${seenTo} OR s.created BETWEEN ${seenFrom} AND ${seenTo})))`,
});

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

  /** Findings of the subject that the selection leaves out, most urgent first. */
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

  /** Counts all findings of the subject, or only the selected ones. */
  count(scope: Scope, subject: FindingsOf, selection?: FindingSelection): Promise<number> {
    const source = sourceOf(subject);
    return this.database.count(sql`
      SELECT count(*)::int AS count ${source.rows} AND ${visibleTo(scope, 'f.organization_id')}
        AND ${selection === undefined ? sql`true` : isSelected(source, selection)}`);
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
