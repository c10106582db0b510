import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../../platform/api/scope';
import { Database } from '../../../../platform/database/database';
import { sql } from '../../../../platform/database/sql';
import { visibleTo } from '../../../../platform/database/visible';
import { countedSeverityOf } from '../../data/counted-severity';
import { FindingRow } from '../../data/finding.entity';
import { FindingHistory } from '../../data/finding-history.entity';

export type FindingOutline = Pick<FindingRow, 'id' | 'assetId'>;

/** Columns that neither reports nor pages show. */
const UNREPORTED_COLUMNS = [
  'organizationId',
  'eventId',
  'searched',
  'previousStatus',
  'requestedScore',
  'dueByHand',
  'deadlineStart',
  'dueOrder',
] as const satisfies readonly (keyof FindingRow)[];

export type ReportedFinding = Omit<FindingRow, (typeof UNREPORTED_COLUMNS)[number]>;

/**
 * Selects findings of an event that have one of these statuses and at least this severity, were first seen in the event
 * before the end of the period, and were last seen (in any event or none) after its start.
 */
export interface FindingSelection {
  readonly minSeverity: number;
  readonly statuses: readonly number[];
  readonly seenFrom: Date;
  readonly seenTo: Date;
}

/** Reports count the higher of what people and scanners say. */
const counted = countedSeverityOf('f');

/** Reads many findings at once, with one statement for each table and not for each finding. */
@Injectable()
export class FindingDetailsRepository {
  private readonly columns = this.database.columns(FindingRow, 'f', UNREPORTED_COLUMNS);
  private readonly historyColumns = this.database.columns(FindingHistory, 'h');

  constructor(private readonly database: Database) {}

  /** Most urgent first. */
  listOutlines(scope: Scope, eventId: number, selection: FindingSelection, limit: number): Promise<FindingOutline[]> {
    const { minSeverity, statuses, seenFrom, seenTo } = selection;
    return this.database.rows<FindingOutline>(sql`
      SELECT f.id, f.asset_id AS "assetId"
      FROM event_findings l JOIN findings f ON f.id = l.finding_id AND f.organization_id = l.organization_id
      WHERE l.event_id = ${eventId} AND ${visibleTo(scope, 'f.organization_id')} AND ${counted} >= ${minSeverity}
        AND f.status = ANY(${statuses}::int[]) AND l.first_seen <= ${seenTo} AND f.last_seen >= ${seenFrom}
      ORDER BY f.priority, ${counted} DESC, f.id DESC LIMIT ${limit}`);
  }

  /** The same for all findings of an organization, seen in an event or not. */
  listOutlinesOfOrganization(
    scope: Scope,
    organizationId: number,
    { minSeverity, statuses, seenFrom, seenTo }: FindingSelection,
    limit: number,
  ): Promise<FindingOutline[]> {
    return this.database.rows<FindingOutline>(sql`
      SELECT f.id, f.asset_id AS "assetId" FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.merged_into IS NULL AND ${visibleTo(scope, 'f.organization_id')}
        AND ${counted} >= ${minSeverity} AND f.status = ANY(${statuses}::int[])
        AND f.created <= ${seenTo} AND f.last_seen >= ${seenFrom}
      ORDER BY f.priority, ${counted} DESC, f.id DESC LIMIT ${limit}`);
  }

  async countOfOrganization(scope: Scope, organizationId: number): Promise<number> {
    const row = await this.database.row<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.merged_into IS NULL AND ${visibleTo(scope, 'f.organization_id')}`);
    return row?.count ?? 0;
  }

  /** Of these findings, at any time. */
  listOutlinesOfIds(
    scope: Scope,
    ids: readonly number[],
    { minSeverity, statuses }: Pick<FindingSelection, 'minSeverity' | 'statuses'>,
    limit: number,
  ): Promise<FindingOutline[]> {
    return this.database.rows<FindingOutline>(sql`
      SELECT f.id, f.asset_id AS "assetId" FROM findings f
      WHERE f.id = ANY(${ids}::int[]) AND ${visibleTo(scope, 'f.organization_id')}
        AND ${counted} >= ${minSeverity} AND f.status = ANY(${statuses}::int[])
      ORDER BY f.priority, ${counted} DESC, f.id DESC LIMIT ${limit}`);
  }

  async countOfEvent(scope: Scope, eventId: number): Promise<number> {
    const row = await this.database.row<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM event_findings l
      WHERE l.event_id = ${eventId} AND ${visibleTo(scope, 'l.organization_id')}`);
    return row?.count ?? 0;
  }

  listByIds(scope: Scope, ids: readonly number[]): Promise<ReportedFinding[]> {
    return this.database.rows<ReportedFinding>(sql`
      SELECT ${this.columns} FROM findings f
      WHERE f.id = ANY(${ids}::int[]) AND ${visibleTo(scope, 'f.organization_id')}`);
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
