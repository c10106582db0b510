import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import type { ObservedAsset, ObservedTechnology } from '../domain/observed-asset';

@Injectable()
export class AssetSummaryRepository {
  constructor(private readonly database: Database) {}

  /** Returns false if the asset no longer exists. An asset of type ip keeps its address. */
  async save(organizationId: number, assetId: number, { ip, services, ports }: ObservedAsset): Promise<boolean> {
    const changed = await this.database.change(sql`
      UPDATE assets SET ip = CASE WHEN type = 'ip' THEN ip ELSE ${ip} END,
        services = ${services}::text[], ports = ${ports}::int[]
      WHERE id = ${assetId} AND organization_id = ${organizationId}`);
    return changed > 0;
  }

  /** The caller has locked the asset. A technology that is still there in its version keeps its id. */
  async replaceTechnologies(
    organizationId: number,
    assetId: number,
    technologies: readonly ObservedTechnology[],
  ): Promise<void> {
    const seen = sql`jsonb_to_recordset(${JSON.stringify(technologies)}::jsonb)
      AS seen (name text, vendor text, version text, os text, cpe text, source text)`;
    const ofAsset = sql`t.asset_id = ${assetId} AND t.organization_id = ${organizationId}`;
    await this.database.change(sql`
      DELETE FROM asset_technologies t WHERE ${ofAsset}
        AND NOT EXISTS (SELECT FROM ${seen} WHERE (seen.name, seen.version) = (t.name, t.version))`);
    await this.database.change(sql`
      UPDATE asset_technologies t SET vendor = seen.vendor, os = seen.os, cpe = seen.cpe, source = seen.source FROM ${seen}
      WHERE ${ofAsset} AND (seen.name, seen.version) = (t.name, t.version)
        AND (seen.vendor, seen.os, seen.cpe, seen.source) IS DISTINCT FROM (t.vendor, t.os, t.cpe, t.source)`);
    await this.database.change(sql`
      INSERT INTO asset_technologies (organization_id, asset_id, name, vendor, version, os, cpe, source)
      SELECT ${organizationId}, ${assetId}, seen.name, seen.vendor, seen.version, seen.os, seen.cpe, seen.source FROM ${seen}
      WHERE NOT EXISTS (SELECT FROM asset_technologies t WHERE ${ofAsset} AND (seen.name, seen.version) = (t.name, t.version))
      ORDER BY lower(seen.name), seen.version`);
  }
}
