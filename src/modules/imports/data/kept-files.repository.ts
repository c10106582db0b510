import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/api/caller';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { raw, sql } from '../../../platform/database/sql';
import { ownedIn } from '../../../platform/database/visible';
import type { Upload } from './uploads.repository';

const KEPT_HOURS = 24;
/** Per organization; the newest ones are kept. */
const MAX_KEPT = 3;
const REMOVAL_BATCH = 5;

const options = raw(`organization_id, event_id, name, stated_format, csv_mapping, unknown_assets, asset_labels,
  asset_value, beacon_id, test_replays, asks_places, size, chunks, sha256`);
/** Removes unanswered questions, which are asked again. */
const answered = raw(`CASE WHEN NOT jsonb_path_exists(questions, '$[*] ? (@.answer == null)') THEN questions END`);

/** The files of dry runs that have finished. */
@Injectable()
export class KeptFilesRepository {
  constructor(private readonly database: Database) {}

  /** The caller has locked the dry run. Deletes older files of the organization beyond the limit. */
  async keep(id: number): Promise<void> {
    await this.database.change(sql`
      UPDATE imports SET file_kept_until = now() + make_interval(hours => ${KEPT_HOURS}) WHERE id = ${id}`);
    await this.database.change(sql`
      UPDATE imports SET file_kept_until = now() WHERE id IN (
        SELECT i.id FROM imports i WHERE i.file_kept_until > now()
          AND i.organization_id = (SELECT own.organization_id FROM imports own WHERE own.id = ${id})
        ORDER BY i.file_kept_until DESC OFFSET ${MAX_KEPT})`);
  }

  /** Creates an upload with the options and the file of a dry run. Undefined if the file is not kept. */
  async takeOver(
    organizationId: number,
    id: number,
    actor: Actor,
  ): Promise<(Upload & { readonly sha256: Buffer }) | undefined> {
    const upload = await this.database.row<Upload & { readonly sha256: Buffer }>(sql`
      WITH kept AS (
        UPDATE imports SET file_kept_until = NULL
        WHERE id = ${id} AND organization_id = ${organizationId} AND file_kept_until > now() RETURNING *)
      INSERT INTO imports AS i (${options}, questions, dry_run, actor_type, actor_id)
      SELECT ${options}, ${answered}, false, ${actor.type}, ${actor.id} FROM kept
      RETURNING i.id, i.organization_id AS "organizationId", i.sha256`);
    if (upload !== undefined)
      await this.database.change(sql`
        UPDATE import_chunks SET import_id = ${upload.id} WHERE import_id = ${id} AND organization_id = ${organizationId}`);
    return upload;
  }

  /** Returns how many parts of files were removed. */
  removeExpired(scope: Scope): Promise<number> {
    return this.database.change(sql`
      WITH expired AS (
        UPDATE imports SET file_kept_until = NULL WHERE id IN (
          SELECT i.id FROM imports i WHERE i.file_kept_until <= now() AND ${ownedIn(scope, 'i.organization_id')}
          LIMIT ${REMOVAL_BATCH} FOR UPDATE SKIP LOCKED)
        RETURNING id, organization_id)
      DELETE FROM import_chunks c USING expired e WHERE c.import_id = e.id AND c.organization_id = e.organization_id`);
  }
}
