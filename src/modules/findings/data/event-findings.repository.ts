import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import type { EventFinding } from './event-finding.entity';
import type { Finding } from './finding.entity';

@Injectable()
export class EventFindingsRepository {
  constructor(private readonly database: Database) {}

  async saveSeen(link: Omit<EventFinding, 'firstSeen' | 'lastSeen'>): Promise<void> {
    const { eventId, findingId, organizationId, severity, priority } = link;
    await this.database.change(sql`
      INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority)
      VALUES (${eventId}, ${findingId}, ${organizationId}, ${severity}, ${priority})
      ON CONFLICT (event_id, finding_id, organization_id) DO UPDATE SET last_seen = excluded.last_seen`);
  }

  /** In all events of a finding whose priority changed. */
  async savePriority({ id, priority }: Pick<Finding, 'id' | 'priority'>): Promise<void> {
    await this.database.change(sql`UPDATE event_findings SET priority = ${priority} WHERE finding_id = ${id}`);
  }
}
