import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { join, type Sql, sql } from '../../../platform/database/sql';
import { valuesCovering } from '../domain/asset-coverage';
import { ObservedAssetRow } from './observed-asset.entity';

type Key = Pick<ObservedAssetRow, 'assetId' | 'organizationId'>;

export type AssetDecisions = Partial<Pick<ObservedAssetRow, 'observePorts' | 'ownTarget' | 'permittedTarget'>>;

export type LookResult = Pick<
  ObservedAssetRow,
  'watched' | 'addresses' | 'records' | 'aliases' | 'hostedBy' | 'hostedTarget' | 'observed'
>;

export type BlockLook = Pick<
  ObservedAssetRow,
  'blockPosition' | 'blockSearched' | 'blockSearchedAt' | 'blockCompleted'
> &
  Partial<Pick<ObservedAssetRow, 'watched'>>;

/** What is known and decided about the observation of assets. The row of an asset is made with the first of it. */
@Injectable()
export class ObservedAssetsRepository {
  private readonly columns = this.database.columns(ObservedAssetRow, 's');

  constructor(private readonly database: Database) {}

  findOfVisible(assetId: number): Promise<ObservedAssetRow | undefined> {
    return this.database.row<ObservedAssetRow>(
      sql`SELECT ${this.columns} FROM observed_assets s WHERE s.asset_id = ${assetId}`,
    );
  }

  /** Of the assets on a host that is behind no beacon, the one that was observed last first. */
  listOfHost(organizationId: number, host: string): Promise<ObservedAssetRow[]> {
    return this.database.rows<ObservedAssetRow>(sql`
      SELECT ${this.columns} FROM (${idsOnHost(organizationId, host)}) a
      JOIN observed_assets s ON s.asset_id = a.id AND s.organization_id = ${organizationId}
      ORDER BY s.observed DESC NULLS LAST`);
  }

  async decide(key: Key, decisions: AssetDecisions): Promise<void> {
    await this.save({ ...key, ...decisions });
  }

  async saveReason(key: Key, reason: string | null): Promise<void> {
    await this.save({ ...key, reason });
  }

  async saveBlock(key: Key, block: BlockLook): Promise<void> {
    await this.save({ ...key, ...block });
  }

  /** The end of a look at a block. */
  async saveObserved(key: Key, observed: Date): Promise<void> {
    await this.save({ ...key, observed, reason: null });
  }

  /**
   * Decisions for another target end, on all assets of a host that is behind no beacon: they were about another host, also if
   * the target returns.
   */
  async saveLook(key: Key, look: LookResult, host: string): Promise<void> {
    const { assetId, organizationId } = key;
    const target = look.hostedTarget;
    await this.save({ ...key, ...look, reason: null });
    await this.database.change(sql`
      UPDATE observed_assets SET own_target = CASE WHEN own_target = ${target}::text THEN own_target END,
        permitted_target = CASE WHEN permitted_target = ${target}::text THEN permitted_target END
      WHERE organization_id = ${organizationId}
        AND asset_id IN (SELECT ${assetId}::int UNION ALL ${idsOnHost(organizationId, host)})
        AND (own_target IS DISTINCT FROM ${target}::text AND own_target IS NOT NULL
          OR permitted_target IS DISTINCT FROM ${target}::text AND permitted_target IS NOT NULL)`);
  }

  private async save(row: Key & Partial<ObservedAssetRow>): Promise<void> {
    const repository = await this.database.repository(ObservedAssetRow);
    await repository.upsert(row, ['assetId', 'organizationId']);
  }
}

/** Of the assets on a host, which are behind no beacon. By the index of values. */
function idsOnHost(organizationId: number, host: string): Sql {
  const value = sql`a.value COLLATE "C"`;
  const { ranges } = valuesCovering(host);
  const places = [
    sql`${value} = ${host}`,
    ...ranges.map(({ from, below }) => sql`${value} >= ${from} AND ${value} < ${below}`),
  ];
  const ids = (place: Sql): Sql =>
    sql`SELECT a.id FROM assets a WHERE a.organization_id = ${organizationId} AND a.beacon_id IS NULL AND ${place}`;
  return join(places.map(ids), ' UNION ALL ');
}
