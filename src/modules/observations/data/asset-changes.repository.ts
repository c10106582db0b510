import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import { minUuidV7, uuidV7 } from '../../../kernel/uuid-v7';
import { Database } from '../../../platform/database/database';
import { ListOrder, readSlice } from '../../../platform/database/list-order';
import { allOf, emptySql, type Sql, sql } from '../../../platform/database/sql';
import { type Change, CHANGE_KINDS, type ChangeKind } from '../domain/asset-change';
import { AssetChangeRow } from './asset-change.entity';

export interface ChangeFilter {
  readonly organizationId: number;
  readonly assetId?: number;
  readonly kind?: ChangeKind;
  readonly since?: Date;
  readonly until?: Date;
}

export interface KindCount {
  readonly kind: ChangeKind;
  readonly count: number;
}

export interface Period {
  readonly from: Date;
  /** By default now. */
  readonly to?: Date;
}

/** The partition of a month is dropped when the newest of its changes are too old. */
const KEPT_DAYS = 400;
const kept = sql`seen >= now() - make_interval(days => ${KEPT_DAYS})`;

const newestIn = (organizationId: number, { from, to }: Period, limit: number): Sql => sql`
  SELECT * FROM asset_changes WHERE organization_id = ${organizationId} AND seen >= ${from} AND ${kept}
    AND id >= ${minUuidV7(from.getTime())} ${to === undefined ? emptySql : sql`AND seen <= ${to}`}
  ORDER BY id DESC LIMIT ${limit}`;

/** The ids begin with their time. */
const newestFirst = new ListOrder<AssetChangeRow>(['c.id'], ({ id }) => [id], 'uuid');

@Injectable()
export class AssetChangesRepository {
  private readonly columns = this.database.columns(AssetChangeRow, 'c');

  constructor(private readonly database: Database) {}

  /** The caller has checked that the organization is visible. */
  listForVisible(filter: ChangeFilter, page: Page): Promise<Slice<AssetChangeRow>> {
    const { organizationId, assetId, kind, since, until } = filter;
    const list = sql`FROM asset_changes c WHERE ${allOf([
      sql`c.organization_id = ${organizationId} AND c.${kept}`,
      assetId === undefined ? undefined : sql`c.asset_id = ${assetId}`,
      kind === undefined ? undefined : sql`c.kind = ${kind}`,
      since && sql`c.seen >= ${since}`,
      until && sql`c.seen <= ${until}`,
    ])}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /** Of the newest changes of a period, up to a limit. */
  countKindsOfVisible(organizationId: number, period: Period, limit: number): Promise<KindCount[]> {
    return this.database.rows<KindCount>(sql`
      SELECT c.kind, count(*)::int AS count FROM (${newestIn(organizationId, period, limit)}) c
      GROUP BY c.kind ORDER BY count DESC, c.kind`);
  }

  /** The most important of these, each kind with the newest first. */
  listImportantOfVisible(
    organizationId: number,
    period: Period,
    limit: number,
    shown: number,
  ): Promise<AssetChangeRow[]> {
    return this.database.rows<AssetChangeRow>(sql`
      SELECT ${this.columns} FROM (${newestIn(organizationId, period, limit)}) c
      ORDER BY array_position(${[...CHANGE_KINDS]}::text[], c.kind), c.id DESC LIMIT ${shown}`);
  }

  /** Their order within a list of the newest first, because changes of one look have the same time. */
  async save(
    asset: Pick<AssetChangeRow, 'organizationId' | 'assetId'>,
    changes: readonly Change[],
    seen: Date,
  ): Promise<void> {
    if (changes.length === 0) return;
    const at = { seen: seen.toISOString(), ...asset };
    const ids = changes
      .map(() => uuidV7(seen.getTime()))
      .sort()
      .toReversed();
    const rows = changes.map((change, index) => ({ id: ids[index], ...at, ...change }));
    await this.database.change(sql`INSERT INTO asset_changes ${this.database.insertedRows(AssetChangeRow, rows)}`);
  }

  /** Adds the partitions of the next months, and drops those of more than 400 days ago. */
  async keepPartitions(): Promise<void> {
    await this.database.rows(sql`SELECT asset_changes_keep_partitions()`);
  }
}
