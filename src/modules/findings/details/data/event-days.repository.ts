import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../../platform/api/scope';
import { Database } from '../../../../platform/database/database';
import { raw, sql } from '../../../../platform/database/sql';
import { visibleTo } from '../../../../platform/database/visible';
import { StoredEventDays } from '../../data/event-days.entity';
import type { FindingsOfDay } from '../../domain/finding-overview';

const isFixed = raw('h.status = 5 AND h.previous_status IS DISTINCT FROM 5');

/** What was found and fixed on the days of an event. */
@Injectable()
export class EventDaysRepository {
  private readonly columns = this.database.columns(StoredEventDays, 'd');

  constructor(private readonly database: Database) {}

  /** The findings of an event, up to a limit. */
  count(scope: Scope, eventId: number, limit: number): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM (
        SELECT 1 FROM event_findings e WHERE e.event_id = ${eventId} AND ${visibleTo(scope, 'e.organization_id')}
        LIMIT ${limit}) list`);
  }

  /** Of the findings that were seen in the event. Newest day first. */
  list(scope: Scope, eventId: number, since: Date, limit: number): Promise<FindingsOfDay[]> {
    return this.database.rows<FindingsOfDay>(sql`
      SELECT to_char(h.created AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
        count(*) FILTER (WHERE h.previous_status IS NULL)::int AS found, count(*) FILTER (WHERE ${isFixed})::int AS fixed
      FROM event_findings e
      JOIN finding_history h ON h.finding_id = e.finding_id AND h.organization_id = e.organization_id AND NOT h.is_comment
      WHERE e.event_id = ${eventId} AND h.created >= ${since} AND ${visibleTo(scope, 'e.organization_id')}
        AND (h.previous_status IS NULL OR ${isFixed})
        AND NOT EXISTS (SELECT 1 FROM findings f WHERE f.id = e.finding_id AND f.organization_id = e.organization_id AND f.merged_into IS NOT NULL)
      GROUP BY 1 ORDER BY 1 DESC LIMIT ${limit}`);
  }

  findStored(scope: Scope, eventId: number): Promise<StoredEventDays | undefined> {
    return this.database.row<StoredEventDays>(sql`
      SELECT ${this.columns} FROM event_days d WHERE d.event_id = ${eventId} AND ${visibleTo(scope, 'd.organization_id')}`);
  }

  /** Those that something changed since, the oldest first. */
  listOutdated(scope: Scope, before: Date, limit: number): Promise<StoredEventDays[]> {
    return this.database.rows<StoredEventDays>(sql`
      SELECT ${this.columns} FROM event_days d
      WHERE d.computed < ${before} AND ${visibleTo(scope, 'd.organization_id')} AND EXISTS (
        SELECT 1 FROM finding_history h WHERE h.organization_id = d.organization_id AND h.created > d.computed)
      ORDER BY d.computed LIMIT ${limit}`);
  }

  async save({ eventId, organizationId, since, computed, days }: StoredEventDays): Promise<void> {
    const repository = await this.database.repository(StoredEventDays);
    const row = { eventId, organizationId, since, computed, days: [...days] };
    await repository.upsert(row, ['eventId', 'organizationId']);
  }
}
