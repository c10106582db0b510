import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { raw, type Sql, sql } from '../../../../platform/database/sql';
import type { Totals } from '../../domain/asset-totals';
import { RISK_WEIGHTS } from '../../domain/risk-score';
import { AssetTotalsRow } from '../../data/asset-totals.entity';

/** Joins the stored totals of each asset, for statements that read assets. */
export const joinedTotals = (asset: string): Sql =>
  raw(`LEFT JOIN asset_totals t ON t.asset_id = ${asset}.id AND t.organization_id = ${asset}.organization_id`);

/** The totals that are shown. Those of proved and refuted findings are only used for sorting. */
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

  /**
   * Recomputes the totals of proved and refuted findings of some assets after an id. Returns the last id. The rows are locked
   * before the statement that reads the findings, so that it sees what other transactions have added.
   */
  async recountBeliefs(after: number, limit: number): Promise<number | undefined> {
    const locked = await this.database.rows<{ id: number }>(sql`
      SELECT t.asset_id AS id FROM asset_totals t WHERE t.asset_id > ${after} ORDER BY t.asset_id LIMIT ${limit} FOR UPDATE`);
    const weight = (
      result: string,
    ): Sql => sql`coalesce((SELECT sum((${RISK_WEIGHTS}::int[])[f.severity + 1]) FROM findings f
      WHERE f.asset_id = t.asset_id AND f.organization_id = t.organization_id AND f.merged_into IS NULL AND f.status <= 4
        AND f.verification = ${result}), 0)`;
    await this.database.change(sql`
      UPDATE asset_totals t SET proved = ${weight('confirmed')}, refuted = ${weight('refuted')}
      WHERE t.asset_id = ANY(${locked.map(({ id }) => id)}::int[])`);
    return locked.at(-1)?.id;
  }

  async add(assetId: number, organizationId: number, change: Totals): Promise<void> {
    await this.database.change(sql`
      INSERT INTO asset_totals AS t (asset_id, organization_id, findings, cosmic, critical, high, medium, low, proved, refuted)
      VALUES (${assetId}, ${organizationId}, ${change.findings}, ${change.cosmic}, ${change.critical}, ${change.high},
        ${change.medium}, ${change.low}, ${change.proved}, ${change.refuted})
      ON CONFLICT (asset_id, organization_id) DO UPDATE SET findings = t.findings + excluded.findings, cosmic = t.cosmic + excluded.cosmic,
        critical = t.critical + excluded.critical, high = t.high + excluded.high, medium = t.medium + excluded.medium,
        low = t.low + excluded.low, proved = t.proved + excluded.proved, refuted = t.refuted + excluded.refuted`);
  }
}
