import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { type Sql, emptySql, sql } from '../database/sql';
import type { Claim } from './claim';
import { claimColumns, type ClaimedRow, claimOf } from './claimed-row';
import { keepOrganization, lockInIdOrder, unfinished } from './work.repository';

/** Ends work whose result does not count any more. */
@Injectable()
export class CanceledWorkRepository {
  constructor(private readonly database: Database) {}

  async cancel(kind: string, reference: string): Promise<number> {
    const which = sql`kind = ${kind} AND reference = ${reference}`;
    await this.database.rows(
      keepOrganization(sql`(SELECT organization_id FROM work WHERE ${which} AND ${unfinished})`),
    );
    return this.cancelAll(which);
  }

  /** For the operator, who ends it: whatever waits or runs. Undefined if it has ended. */
  async claimOne(id: string): Promise<Claim | undefined> {
    const row = await this.database.row<ClaimedRow>(sql`
      UPDATE work SET state = 'running', attempt = attempt + 1, progress = NULL, lease_until = now() + interval '1 minute'
      WHERE id = ${id} AND ${unfinished} RETURNING ${claimColumns}`);
    return row && claimOf(row);
  }

  /** The caller has locked the organization. */
  cancelAllOf(organizationId: number): Promise<number> {
    return this.cancelAll(sql`organization_id = ${organizationId}`);
  }

  /** On one asset, or on all. */
  cancelOfEvent(eventId: number, kinds: readonly string[], assetId: number | null): Promise<number> {
    const onAsset = assetId === null ? emptySql : sql`AND asset_id = ${assetId}`;
    return this.cancelAll(sql`event_id = ${eventId} AND kind = ANY(${kinds}::text[]) ${onAsset}`);
  }

  private cancelAll(which: Sql): Promise<number> {
    return this.database.change(sql`
      UPDATE work SET state = 'canceled', lease_until = NULL, finished = now(), progress = NULL
      WHERE id IN (SELECT id FROM work WHERE ${which} AND ${unfinished} ${lockInIdOrder})`);
  }
}
