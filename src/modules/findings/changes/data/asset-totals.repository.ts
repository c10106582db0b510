import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { raw, type Sql, sql } from '../../../../platform/database/sql';
import type { Totals } from '../../domain/asset-totals';
import { AssetTotalsRow } from '../../data/asset-totals.entity';

/** For statements with assets: joins what is stored of each. */
export const joinedTotals = (asset: string): Sql =>
  raw(`LEFT JOIN asset_totals t ON t.asset_id = ${asset}.id AND t.organization_id = ${asset}.organization_id`);

export const totalsColumns = raw('t.findings, t.cosmic, t.critical, t.high, t.medium, t.low');

@Injectable()
export class AssetTotalsRepository {
  private readonly columns = this.database.columns(AssetTotalsRow, 't');

  constructor(private readonly database: Database) {}

  listForVisible(assetIds: readonly number[]): Promise<AssetTotalsRow[]> {
    return this.database.shortRows<AssetTotalsRow>(
      sql`SELECT ${this.columns} FROM asset_totals t WHERE t.asset_id = ANY(${assetIds}::int[])`,
    );
  }

  async add(assetId: number, organizationId: number, change: Totals): Promise<void> {
    await this.database.change(sql`
      INSERT INTO asset_totals AS t (asset_id, organization_id, findings, cosmic, critical, high, medium, low)
      VALUES (${assetId}, ${organizationId}, ${change.findings}, ${change.cosmic}, ${change.critical}, ${change.high},
        ${change.medium}, ${change.low})
      ON CONFLICT (asset_id, organization_id) DO UPDATE SET findings = t.findings + excluded.findings, cosmic = t.cosmic + excluded.cosmic,
        critical = t.critical + excluded.critical, high = t.high + excluded.high, medium = t.medium + excluded.medium,
        low = t.low + excluded.low`);
  }
}
