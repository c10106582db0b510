import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { raw, sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import type { AssetAccount } from './asset-account.entity';

/** What notices say of an account. */
export type NotifiedAccount = Pick<AssetAccount, 'id' | 'organizationId' | 'assetId' | 'name' | 'expires'>;

const columns = raw('a.id, a.organization_id AS "organizationId", a.asset_id AS "assetId", a.name, a.expires');

@Injectable()
export class NotifiedAccountsRepository {
  constructor(private readonly database: Database) {}

  listOfVisible(organizationId: number, ids: readonly number[]): Promise<NotifiedAccount[]> {
    return this.database.rows<NotifiedAccount>(sql`
      SELECT ${columns} FROM asset_accounts a WHERE a.organization_id = ${organizationId} AND a.id = ANY(${ids}::int[])`);
  }

  /** The accounts whose cookie or header ends within this number of days. */
  listExpiring(scope: Scope, [from, to]: readonly [string, string]): Promise<NotifiedAccount[]> {
    return this.database.rows<NotifiedAccount>(sql`
      SELECT ${columns} FROM asset_accounts a
      WHERE a.expires BETWEEN ${from} AND ${to} AND ${visibleTo(scope, 'a.organization_id')}`);
  }
}
