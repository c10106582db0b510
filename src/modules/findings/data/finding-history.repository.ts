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

  /** Whether the finding is resolved, without a change of its status since then. */
  async isResolvedSince(organizationId: number, findingId: number, since: Date): Promise<boolean> {
    const row = await this.database.row(sql`
      SELECT 1 FROM findings f WHERE f.organization_id = ${organizationId} AND f.id = ${findingId} AND f.status = 5
        AND NOT EXISTS (
          SELECT 1 FROM finding_history h
          WHERE h.finding_id = f.id AND h.organization_id = f.organization_id AND NOT h.is_comment AND h.created > ${since})`);
    return row !== undefined;
  }

  listForVisible(findingId: number, page: Page): Promise<Slice<FindingHistory>> {
    const list = sql`FROM finding_history h WHERE h.finding_id = ${findingId}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }
}
