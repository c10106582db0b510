import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleOrganization } from '../../../platform/database/visible';
import { Asset } from './asset.entity';
import type { Domain } from './domain.entity';

/** How many assets of an organization one statement plans. */
const BATCH = 1_000;

const visible = (scope: Scope) => sql`o.observation_enabled AND ${visibleOrganization(scope, 'o')}`;

@Injectable()
export class ObservationPlansRepository {
  private readonly columns = this.database.columns(Asset, 'a');

  constructor(private readonly database: Database) {}

  /** The first assets of each organization, longest due first, in turns. */
  listDue(scope: Scope, ofEach: number, limit: number): Promise<Asset[]> {
    return this.database.rows<Asset>(sql`
      SELECT ${this.columns} FROM organizations o CROSS JOIN LATERAL (
        SELECT own.*, row_number() OVER (ORDER BY own.observation_due) AS turn FROM (
          SELECT * FROM assets WHERE organization_id = o.id AND observe AND observation_due <= now()
          ORDER BY observation_due LIMIT ${ofEach}) own) a
      WHERE ${visible(scope)} ORDER BY a.turn, random() LIMIT ${limit}`);
  }

  /** Plans the first observations after an admin turned them on, over a week. Returns how many it planned. */
  spread(scope: Scope): Promise<number> {
    return this.database.change(sql`
      UPDATE assets SET observation_due = now() + random() * interval '7 days'
      FROM (
        SELECT first.id, first.organization_id FROM organizations o CROSS JOIN LATERAL (
          SELECT id, organization_id, observation_due FROM assets WHERE organization_id = o.id AND observe
          ORDER BY observation_due NULLS FIRST LIMIT ${BATCH}) first
        WHERE ${visible(scope)} AND (first.observation_due IS NULL OR first.observation_due < o.observation_since)
          AND o.observation_since IS NOT NULL) planned
      WHERE assets.id = planned.id AND assets.organization_id = planned.organization_id`);
  }

  async plan(id: number, due: Date): Promise<void> {
    await this.database.change(sql`UPDATE assets SET observation_due = ${due} WHERE id = ${id}`);
  }

  /**
   * The assets of a domain that was verified now: until then they could not be observed. Those that someone changes at the same
   * time keep their plan.
   */
  async planFirstBelow({ organizationId, value }: Pick<Domain, 'organizationId' | 'value'>, due: Date): Promise<void> {
    const below = `.${value}`;
    const host = sql`CASE a.type WHEN 'url' THEN substring(a.value from '^https?://([^/:]+)') ELSE a.value END`;
    await this.database.change(sql`
      UPDATE assets SET observation_due = ${due} WHERE organization_id = ${organizationId} AND id IN (
        SELECT a.id FROM assets a WHERE a.organization_id = ${organizationId} AND a.beacon_id IS NULL AND a.observe
          AND a.type IN ('domain', 'url') AND a.observation_due > ${due}
          AND (${host} = ${value} OR right(${host}, ${below.length}) = ${below})
          AND NOT EXISTS (SELECT 1 FROM observed_assets s WHERE s.asset_id = a.id
            AND s.organization_id = ${organizationId} AND s.observed IS NOT NULL)
        ORDER BY a.id FOR NO KEY UPDATE SKIP LOCKED)`);
  }

  async saveObserve(id: number, observe: boolean): Promise<void> {
    await this.database.change(sql`UPDATE assets SET observe = ${observe} WHERE id = ${id}`);
  }

  /** Of these addresses and blocks. */
  async listTurnedOffForVisible({ organizationId, beaconId }: Asset, values: readonly string[]): Promise<string[]> {
    const rows = await this.database.rows<{ value: string }>(sql`
      SELECT a.value FROM assets a WHERE a.organization_id = ${organizationId}
        AND a.beacon_id IS NOT DISTINCT FROM ${beaconId} AND NOT a.observe AND a.type IN ('ip', 'cidr')
        AND a.value = ANY(${values}::text[])`);
    return rows.map(({ value }) => value);
  }
}
