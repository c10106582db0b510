import { Injectable } from '@nestjs/common';
import { type Page, type Slice, offsetOf, sliceOf } from '../../../kernel/page';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { FindingHistory } from './finding-history.entity';

export type NewHistoryEntry = Omit<FindingHistory, 'id' | 'created'>;

@Injectable()
export class FindingHistoryRepository {
  private readonly columns = this.database.columns(FindingHistory, 'h');

  constructor(private readonly database: Database) {}

  async add(entry: NewHistoryEntry): Promise<void> {
    await this.database.change(sql`
      INSERT INTO finding_history (organization_id, finding_id, status, previous_status, actor_type, actor_id, comment)
      VALUES (${entry.organizationId}, ${entry.findingId}, ${entry.status}, ${entry.previousStatus}, ${entry.actorType},
        ${entry.actorId}, ${entry.comment})`);
  }

  async listForVisible(findingId: number, page: Page): Promise<Slice<FindingHistory>> {
    const rows = await this.database.rows<FindingHistory>(sql`
      SELECT ${this.columns} FROM finding_history h WHERE h.finding_id = ${findingId}
      ORDER BY h.id DESC LIMIT ${page.perPage + 1} OFFSET ${offsetOf(page)}`);
    return sliceOf(rows, page);
  }
}
