import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { sql } from '../../../../platform/database/sql';
import type { Finding } from '../../data/finding.entity';

@Injectable()
export class EventFindingsRepository {
  constructor(private readonly database: Database) {}

  async saveSeen(eventId: number, organizationId: number, findingIds: readonly number[]): Promise<void> {
    if (findingIds.length === 0) return;
    await this.database.change(sql`
      INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority)
      SELECT ${eventId}, f.id, f.organization_id, f.severity, f.priority FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.id = ANY(${findingIds}::int[]) ORDER BY f.id
      ON CONFLICT (event_id, finding_id, organization_id) DO UPDATE SET last_seen = excluded.last_seen`);
  }

  /** In all events of a finding whose priority changed. */
  async savePriority({ id, priority }: Pick<Finding, 'id' | 'priority'>): Promise<void> {
    await this.database.change(sql`UPDATE event_findings SET priority = ${priority} WHERE finding_id = ${id}`);
  }
}
