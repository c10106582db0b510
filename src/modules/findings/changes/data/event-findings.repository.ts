import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { sql } from '../../../../platform/database/sql';
import { copiedColumns, copiedToEvents } from './belief-columns';

@Injectable()
export class EventFindingsRepository {
  constructor(private readonly database: Database) {}

  async saveSeen(eventId: number, organizationId: number, findingIds: readonly number[]): Promise<void> {
    if (findingIds.length === 0) return;
    await this.database.change(sql`
      INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority, belief_rank)
      SELECT ${eventId}, f.id, f.organization_id, ${copiedColumns} FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.id = ANY(${findingIds}::int[]) ORDER BY f.id
      ON CONFLICT (event_id, finding_id, organization_id) DO UPDATE SET last_seen = excluded.last_seen`);
  }

  /** Updates the sort columns of these findings in all their events. */
  async copy(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await this.database.change(copiedToEvents(ids));
  }
}
