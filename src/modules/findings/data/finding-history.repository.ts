import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import { Database } from '../../../platform/database/database';
import { ListOrder, readSlice } from '../../../platform/database/list-order';
import { sql } from '../../../platform/database/sql';
import { FindingHistory } from './finding-history.entity';

export type NewHistoryEntry = Omit<FindingHistory, 'id' | 'created'>;

const newestFirst = new ListOrder<FindingHistory>(['h.id'], ({ id }) => [Number(id)]);

@Injectable()
export class FindingHistoryRepository {
  private readonly columns = this.database.columns(FindingHistory, 'h');

  constructor(private readonly database: Database) {}

  async add(entry: NewHistoryEntry): Promise<FindingHistory> {
    const [added] = await this.database.rows<FindingHistory>(sql`
      INSERT INTO finding_history AS h (organization_id, finding_id, status, previous_status, actor_type, actor_id, comment, is_comment)
      VALUES (${entry.organizationId}, ${entry.findingId}, ${entry.status}, ${entry.previousStatus}, ${entry.actorType},
        ${entry.actorId}, ${entry.comment}, ${entry.isComment})
      RETURNING ${this.columns}`);
    if (added === undefined) throw new Error('An entry of the history was not added.');
    return added;
  }

  listForVisible(findingId: number, page: Page): Promise<Slice<FindingHistory>> {
    const list = sql`FROM finding_history h WHERE h.finding_id = ${findingId}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }
}
