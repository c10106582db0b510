import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { join, raw, type Sql, sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { valuesCovering } from '../domain/asset-coverage';
import type { AcceptanceKind } from '../domain/acceptance-kinds';
import type { AssetType } from '../domain/asset-value';
import { AcceptedCheck } from './accepted-check.entity';

export interface AcceptedCheckOfAsset extends Pick<
  AcceptedCheck,
  'assetId' | 'checkId' | 'reason' | 'until' | 'acceptedBy'
> {
  readonly assetType: AssetType;
  readonly assetValue: string;
  readonly beaconId: number | null;
  /** The label of the assets on which it is accepted; empty for all assets, null for this asset alone. */
  readonly acceptedFor: string | null;
}

const columns = raw(
  `c.asset_id AS "assetId", c.check_id AS "checkId", c.reason,
   CASE WHEN c.until > c.accepted_at THEN c.until ELSE coalesce(c.incomplete_until, c.until) END AS until, c.accepted_by AS "acceptedBy",
   a.type AS "assetType", a.value AS "assetValue", a.beacon_id AS "beaconId", NULL AS "acceptedFor"`,
);
const accepted = raw('accepted_checks c ON c.asset_id = a.id AND c.organization_id = a.organization_id');
/** In effect after a moment, by what they cover. */
const ACTIVE: Readonly<Record<AcceptanceKind, (at: Date) => Sql>> = {
  findings: (at) => sql`c.until > ${at}`,
  incompleteness: (at) => sql`c.incomplete_until > ${at} AND c.until <= c.accepted_at`,
};
const value = raw('a.value COLLATE "C"');
const PORTION = 4_000;

@Injectable()
export class AcceptedChecksRepository {
  private readonly columns = this.database.columns(AcceptedCheck, 'c');

  constructor(private readonly database: Database) {}

  listForVisible(assetId: number): Promise<AcceptedCheck[]> {
    return this.database.rows<AcceptedCheck>(
      sql`SELECT ${this.columns} FROM accepted_checks c WHERE c.asset_id = ${assetId} ORDER BY c.check_id`,
    );
  }

  findOneOfVisible(assetId: number, checkId: string): Promise<AcceptedCheck | undefined> {
    return this.database.row<AcceptedCheck>(
      sql`SELECT ${this.columns} FROM accepted_checks c WHERE c.asset_id = ${assetId} AND c.check_id = ${checkId}`,
    );
  }

  /**
   * Those that end after a moment, on assets that may contain locations of a host. One SELECT for each condition, so that the
   * index on the values of assets is used.
   */
  listActiveOnHost(
    scope: Scope,
    organizationId: number,
    host: string,
    covers: AcceptanceKind,
    at: Date,
  ): Promise<AcceptedCheckOfAsset[]> {
    const { values, ranges } = valuesCovering(host);
    const conditions = [
      sql`${value} = ANY(${values}::text[])`,
      ...ranges.map(({ from, below }) => sql`${value} >= ${from} AND ${value} < ${below}`),
    ];
    const selects = conditions.map(
      (condition) => sql`
        SELECT ${columns} FROM assets a JOIN ${accepted}
        WHERE a.organization_id = ${organizationId} AND ${visibleTo(scope, 'a.organization_id')} AND ${condition} AND ${ACTIVE[covers](at)}`,
    );
    return this.database.rows<AcceptedCheckOfAsset>(sql`${join(selects, ' UNION ALL ')} ORDER BY 1`);
  }

  listActive(scope: Scope, at: Date, limit: number): Promise<AcceptedCheckOfAsset[]> {
    return this.listInPortions(sql`${visibleTo(scope, 'c.organization_id')} AND ${ACTIVE.findings(at)}`, limit);
  }

  /** Those of an organization that the caller has read in scope. */
  listActiveForVisible(organizationId: number, checkIds: readonly string[], at: Date): Promise<AcceptedCheckOfAsset[]> {
    const ofChecks = sql`c.organization_id = ${organizationId} AND c.check_id = ANY(${checkIds}::text[])`;
    return this.listInPortions(sql`${ofChecks} AND ${ACTIVE.findings(at)}`, Infinity);
  }

  /** Reading very many at once would keep others waiting. */
  private async listInPortions(condition: Sql, limit: number): Promise<AcceptedCheckOfAsset[]> {
    const all: AcceptedCheckOfAsset[] = [];
    for (let last = { assetId: 0, checkId: '' }; all.length < limit;) {
      const portion = await this.database.rows<AcceptedCheckOfAsset>(sql`
        SELECT ${columns} FROM assets a JOIN ${accepted}
        WHERE ${condition} AND (c.asset_id, c.check_id) > (${last.assetId}, ${last.checkId})
        ORDER BY c.asset_id, c.check_id LIMIT ${Math.min(PORTION, limit - all.length)}`);
      all.push(...portion);
      const next = portion.at(-1);
      if (next === undefined || portion.length < PORTION) break;
      last = next;
    }
    return all;
  }

  async save(check: AcceptedCheck): Promise<void> {
    const repository = await this.database.repository(AcceptedCheck);
    await repository.upsert(check, ['assetId', 'checkId', 'organizationId']);
  }

  /** In all organizations. */
  removeName(userId: number, replacement: string): Promise<number> {
    return this.database.change(
      sql`UPDATE accepted_checks SET accepted_by = ${replacement}, accepted_by_id = NULL WHERE accepted_by_id = ${userId}`,
    );
  }

  /** Returns the removed row; undefined if there is none. */
  remove(assetId: number, checkId: string): Promise<AcceptedCheck | undefined> {
    return this.database.row<AcceptedCheck>(
      sql`DELETE FROM accepted_checks c WHERE c.asset_id = ${assetId} AND c.check_id = ${checkId} RETURNING ${this.columns}`,
    );
  }
}
