import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import type { EventFinding } from './event-finding.entity';

@Injectable()
export class EventFindingsRepository {
  constructor(private readonly database: Database) {}

  async saveSeen({ eventId, findingId, organizationId }: Omit<EventFinding, 'firstSeen' | 'lastSeen'>): Promise<void> {
    await this.database.change(sql`
      INSERT INTO event_findings (event_id, finding_id, organization_id)
      VALUES (${eventId}, ${findingId}, ${organizationId})
      ON CONFLICT (event_id, finding_id, organization_id) DO UPDATE SET last_seen = excluded.last_seen`);
  }
}
