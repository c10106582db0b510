import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { ownedIn } from '../../../platform/database/visible';
import { uploadAbandoned } from '../domain/import.errors';
import { ImportRow } from './import.entity';

export type NewImport = Pick<
  ImportRow,
  | 'organizationId'
  | 'eventId'
  | 'name'
  | 'statedFormat'
  | 'csvMapping'
  | 'dryRun'
  | 'unknownAssets'
  | 'assetLabels'
  | 'assetValue'
  | 'beaconId'
  | 'testReplays'
  | 'asksPlaces'
  | 'actorType'
  | 'actorId'
>;

/** An import whose file is being uploaded. */
export interface Upload {
  readonly id: number;
  readonly organizationId: number;
}

/** An upload without new data for this long is abandoned: its process has ended. It no longer counts. */
const LOST_AFTER_SECONDS = 90;
const REMOVED_AFTER_SECONDS = 300;
const REMOVAL_BATCH = 5;

@Injectable()
export class UploadsRepository {
  constructor(private readonly database: Database) {}

  /** The caller has locked the organization. */
  async countUnfinishedOfLocked(organizationId: number): Promise<{ uploads: number; unfinished: number }> {
    const row = await this.database.row<{ uploads: number; unfinished: number }>(sql`
      SELECT (count(*) FILTER (WHERE status = 'UPLOADING'))::int AS uploads, count(*)::int AS unfinished FROM imports
      WHERE organization_id = ${organizationId} AND status IN ('UPLOADING', 'PENDING', 'IN_PROGRESS', 'UNDOING')
        AND (status <> 'UPLOADING' OR touched > now() - make_interval(secs => ${LOST_AFTER_SECONDS}))`);
    return row ?? { uploads: 0, unfinished: 0 };
  }

  async add(upload: NewImport): Promise<Upload> {
    const added = await this.database.row<Upload>(sql`
      INSERT INTO imports AS i (organization_id, event_id, name, stated_format, csv_mapping, dry_run, unknown_assets,
        asset_labels, asset_value, beacon_id, test_replays, asks_places, actor_type, actor_id)
      VALUES (${upload.organizationId}, ${upload.eventId}, ${upload.name}, ${upload.statedFormat},
        ${upload.csvMapping === null ? null : JSON.stringify(upload.csvMapping)}, ${upload.dryRun}, ${upload.unknownAssets},
        ${upload.assetLabels}::text[], ${upload.assetValue}, ${upload.beaconId}, ${upload.testReplays}, ${upload.asksPlaces},
        ${upload.actorType}, ${upload.actorId})
      RETURNING i.id, i.organization_id AS "organizationId"`);
    if (added === undefined) throw new Error('An import was not added.');
    return added;
  }

  /** Each part is one statement, and so one transaction. */
  async addChunk({ id, organizationId }: Upload, number: number, content: Buffer): Promise<void> {
    const added = await this.database.change(sql`
      WITH upload AS (
        UPDATE imports SET size = size + ${content.length}, chunks = chunks + 1, touched = now()
        WHERE id = ${id} AND organization_id = ${organizationId} AND status = 'UPLOADING' RETURNING id)
      INSERT INTO import_chunks (import_id, number, organization_id, content)
      SELECT id, ${number}, ${organizationId}, ${content} FROM upload`);
    if (added === 0) throw uploadAbandoned();
  }

  /**
   * Ends the upload. Results without a time get that of the first import of the same file that is not undone, so that importing
   * the file again changes nothing.
   */
  async complete({ id, organizationId }: Upload, sha256: Buffer): Promise<void> {
    const completed = await this.database.change(sql`
      UPDATE imports SET status = 'PENDING', sha256 = ${sha256}, sighted_at = coalesce((
        SELECT min(same.sighted_at) FROM imports same
        WHERE same.organization_id = ${organizationId} AND same.sha256 = ${sha256} AND NOT same.dry_run
          AND same.status NOT IN ('UPLOADING', 'UNDONE')), now())
      WHERE id = ${id} AND organization_id = ${organizationId} AND status = 'UPLOADING'`);
    if (completed === 0) throw uploadAbandoned();
  }

  /** Deletes everything that was stored of the upload. */
  async remove({ id, organizationId }: Upload): Promise<void> {
    await this.database.change(
      sql`DELETE FROM imports WHERE id = ${id} AND organization_id = ${organizationId} AND status = 'UPLOADING'`,
    );
  }

  /** Removes uploads whose process was killed, and returns how many. */
  removeAbandoned(scope: Scope): Promise<number> {
    return this.database.change(sql`
      DELETE FROM imports WHERE status = 'UPLOADING' AND id IN (
        SELECT i.id FROM imports i
        WHERE i.status = 'UPLOADING' AND i.touched < now() - make_interval(secs => ${REMOVED_AFTER_SECONDS})
          AND ${ownedIn(scope, 'i.organization_id')} LIMIT ${REMOVAL_BATCH})`);
  }
}
