import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { type Sql, emptySql, raw, sql } from '../../../platform/database/sql';
import { isUnfiltered, readSlice } from '../../../platform/database/list-order';
import { visibleOrganization, visibleTo } from '../../../platform/database/visible';
import { beaconNotFound } from '../../beacons';
import type { Owner } from '../../identity';
import { joinedTotals, type StoredTotals, totalsColumns } from '../../findings';
import { assetExists } from '../domain/asset.errors';
import { valuesCovering } from '../domain/asset-coverage';
import { AssetTechnology } from './asset-technology.entity';
import { Asset } from './asset.entity';
import { type AssetFilter, conditionsOf } from './asset-filter';
import { type AssetOrder, ORDERS, POSITIONS } from './asset-orders';

export type NewAsset = Pick<
  Asset,
  | 'organizationId'
  | 'beaconId'
  | 'value'
  | 'type'
  | 'tier'
  | 'tld'
  | 'ip'
  | 'purl'
  | 'cpe'
  | 'labels'
  | 'ownerUserId'
  | 'ownerGroupId'
>;

/** Only the fields that change; null removes a value. */
export type AssetChange = Partial<
  Pick<
    Asset,
    'tier' | 'purl' | 'cpe' | 'labels' | 'activeTests' | 'requestsPerSecond' | 'allowedPaths' | 'forbiddenPaths'
  > & { readonly owner: Owner | null; readonly confirmFull: string }
>;
type StoredOwner = Pick<Asset, 'proofDue' | 'ownerUserId' | 'ownerGroupId'>;
type StoredChange = Omit<AssetChange, 'owner' | 'confirmFull'> & Partial<StoredOwner>;

export type AssetWithOrganization = Asset & { readonly organizationName: string };

/** What a list does not show: arrays take the most time to parse. */
const DETAILS = [
  'tld',
  'ip',
  'services',
  'ports',
  'observe',
  'observationDue',
  'purl',
  'cpe',
  'activeTests',
  'requestsPerSecond',
  'proofSecret',
  'proofDue',
  'allowedPaths',
  'forbiddenPaths',
  'created',
] as const satisfies readonly (keyof Asset)[];

export type ListedAsset = Omit<Asset, (typeof DETAILS)[number]>;

@Injectable()
export class AssetsRepository {
  private readonly columns = this.database.columns(Asset, 'a');
  private readonly listedColumns = sql`${this.database.columns(Asset, 'a', DETAILS)}, ${totalsColumns}`;
  private readonly technologyColumns = this.database.columns(AssetTechnology, 't');

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, id: number): Promise<Asset | undefined> {
    return this.one(scope, sql`a.id = ${id}`);
  }

  findIn(scope: Scope, organizationId: number, id: number): Promise<Asset | undefined> {
    return this.one(scope, sql`a.id = ${id} AND a.organization_id = ${organizationId}`);
  }

  /** If several assets have this value, prefers the one without a beacon. */
  findByValue(
    scope: Scope,
    organizationId: number,
    value: string,
    beaconId: number | null,
  ): Promise<Asset | undefined> {
    const behind = beaconId === null ? emptySql : sql` AND a.beacon_id = ${beaconId}`;
    return this.one(
      scope,
      sql`a.organization_id = ${organizationId} AND a.value COLLATE "C" = ${value}${behind}`,
      raw('ORDER BY a.beacon_id NULLS FIRST LIMIT 1'),
    );
  }

  lockOne(scope: Scope, id: number): Promise<Asset | undefined> {
    return this.one(scope, sql`a.id = ${id}`, raw('FOR UPDATE'));
  }

  /** `FOR KEY SHARE` prevents only its deletion. */
  lockForKeyShare(scope: Scope, id: number): Promise<Asset | undefined> {
    return this.one(scope, sql`a.id = ${id}`, raw('FOR KEY SHARE'));
  }

  findWithOrganization(scope: Scope, id: number): Promise<AssetWithOrganization | undefined> {
    return this.database.shortRow<AssetWithOrganization>(sql`
      SELECT ${this.columns}, o.name AS "organizationName" FROM assets a JOIN organizations o ON o.id = a.organization_id
      WHERE a.id = ${id} AND ${visibleOrganization(scope, 'o')}`);
  }

  listByIds(scope: Scope, ids: readonly number[]): Promise<Asset[]> {
    return this.database.rows<Asset>(sql`
      SELECT ${this.columns} FROM assets a
      WHERE a.id = ANY(${ids}::int[]) AND ${visibleTo(scope, 'a.organization_id')} ORDER BY a.id DESC`);
  }

  /** Those of these values that are assets behind the beacon. */
  listBehindBeacon(
    scope: Scope,
    organizationId: number,
    beaconId: number,
    values: readonly string[],
  ): Promise<Pick<Asset, 'id' | 'value'>[]> {
    return this.database.rows(sql`
      SELECT a.id, a.value FROM assets a
      WHERE a.organization_id = ${organizationId} AND a.beacon_id = ${beaconId}
        AND a.value COLLATE "C" = ANY(${values}::text[]) AND ${visibleTo(scope, 'a.organization_id')}`);
  }

  /** The assets that may cover one of these hosts, without being deleted until the transaction ends. Check with `covers`. */
  lockCovering(organizationId: number, hosts: readonly string[]): Promise<Asset[]> {
    const covering = hosts.map(valuesCovering);
    const ranges = covering.flatMap((one) => one.ranges);
    return this.database.rows<Asset>(sql`
      SELECT ${this.columns} FROM assets a WHERE a.organization_id = ${organizationId} AND a.id = ANY(ARRAY(
        SELECT exact.id FROM assets exact WHERE exact.organization_id = ${organizationId}
          AND exact.value COLLATE "C" = ANY(${[...new Set(covering.flatMap((one) => one.values))]}::text[])
        UNION ALL
        SELECT url.id FROM unnest(${ranges.map(({ from }) => from)}::text[], ${ranges.map(({ below }) => below)}::text[]) AS range (first, below)
        CROSS JOIN LATERAL (SELECT u.id FROM assets u WHERE u.organization_id = ${organizationId}
          AND u.value COLLATE "C" >= range.first AND u.value COLLATE "C" < range.below) url))
      ORDER BY a.id FOR KEY SHARE OF a`);
  }

  listFor(scope: Scope, organizationId: number, page: Page): Promise<Slice<Asset>> {
    return this.list(scope, organizationId, {}, page, this.columns, emptySql);
  }

  /** In one statement. */
  listWithTotals(
    scope: Scope,
    organizationId: number,
    filter: AssetFilter,
    page: Page,
    order: AssetOrder,
  ): Promise<Slice<ListedAsset & StoredTotals>> {
    return this.list(scope, organizationId, filter, page, this.listedColumns, joinedTotals('a'), order);
  }

  async listIds(scope: Scope, organizationId: number, filter: AssetFilter, limit: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT a.id FROM assets a WHERE ${conditionsOf(scope, organizationId, filter)} ORDER BY a.id LIMIT ${limit}`);
    return rows.map(({ id }) => id);
  }

  listTechnologiesOfVisible(assetId: number): Promise<AssetTechnology[]> {
    return this.database.shortRows<AssetTechnology>(
      sql`SELECT ${this.technologyColumns} FROM asset_technologies t WHERE t.asset_id = ${assetId} ORDER BY t.id`,
    );
  }

  async countOf(organizationId: number): Promise<number> {
    const row = await this.database.row<{ assets: number }>(
      sql`SELECT count(*)::int AS assets FROM assets WHERE organization_id = ${organizationId}`,
    );
    return row?.assets ?? 0;
  }

  async save(asset: NewAsset): Promise<number> {
    const repository = await this.database.repository(Asset);
    const row = repository.create(asset);
    await onViolation(repository.insert(row), { uq_assets_value: assetExists, fk_assets_beacon: beaconNotFound });
    return row.id;
  }

  /** Returns the id of the new asset; undefined if it exists. */
  async saveIfMissing({
    organizationId,
    beaconId,
    value,
    type,
    tld,
    ip,
    labels,
  }: NewAsset): Promise<number | undefined> {
    const insert = this.database.row<{ id: number }>(sql`
      INSERT INTO assets (organization_id, beacon_id, value, type, tld, ip, labels)
      VALUES (${organizationId}, ${beaconId}, ${value}, ${type}, ${tld}, ${ip}, ${labels}::text[])
      ON CONFLICT ON CONSTRAINT uq_assets_value DO NOTHING RETURNING id`);
    return (await onViolation(insert, { fk_assets_beacon: beaconNotFound }))?.id;
  }

  async change(id: number, change: StoredChange): Promise<void> {
    const repository = await this.database.repository(Asset);
    await repository.update({ id }, change);
  }

  async remove(id: number): Promise<void> {
    const repository = await this.database.repository(Asset);
    await repository.delete({ id });
  }

  /** Returns the ids of the assets that had the owner, of at most `limit`. */
  async removeOwner(organizationId: number, owner: Owner, limit: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      UPDATE assets SET owner_user_id = NULL, owner_group_id = NULL
      WHERE organization_id = ${organizationId} AND id = ANY(ARRAY(
        SELECT owned.id FROM owned_assets(${organizationId}, ${owner}) AS owned (id) LIMIT ${limit})) RETURNING id`);
    return rows.map(({ id }) => id);
  }

  private list<Row extends ListedAsset>(
    scope: Scope,
    organizationId: number,
    filter: AssetFilter,
    page: Page,
    columns: Sql,
    joined: Sql,
    named: AssetOrder = 'newest',
  ): Promise<Slice<Row>> {
    const conditions = conditionsOf(scope, organizationId, filter);
    const list = sql`FROM assets a WHERE ${conditions}`;
    const [order, isNewest] = [ORDERS[named], named === 'newest'];
    const sorted = isNewest ? list : sql`FROM assets a ${joined} WHERE ${conditions}`;
    // As a page of findings is read: one plan for every page.
    const rows = sql`
      SELECT ${columns}${POSITIONS[named]} FROM assets a ${joined} WHERE a.id = ANY(ARRAY(SELECT a.id ${sorted}${order.page(page)}))
      ${order.by(page)}`;
    return readSlice<Row>(this.database, page, order, { rows, list, isShort: isNewest && isUnfiltered(filter) });
  }

  private one(scope: Scope, condition: Sql, suffix: Sql = emptySql): Promise<Asset | undefined> {
    return this.database.row<Asset>(
      sql`SELECT ${this.columns} FROM assets a WHERE ${condition} AND ${visibleTo(scope, 'a.organization_id')} ${suffix}`,
    );
  }
}
