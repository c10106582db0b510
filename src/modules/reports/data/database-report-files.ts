import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { everything, type Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { ownedIn, visibleTo } from '../../../platform/database/visible';
import { ReportFiles, type StoredFile } from '../report-files';

const CHUNK_BYTES = 256 * 1024;
const REMOVAL_BATCH = 5;
const ofReadReport = everything('the caller has read the report');

/** Files in the database: its backup contains them, and they are deleted with their organization. */
@Injectable()
export class DatabaseReportFiles extends ReportFiles {
  constructor(private readonly database: Database) {
    super();
  }

  override async put(organizationId: number, content: Buffer): Promise<StoredFile> {
    const sha256 = createHash('sha256').update(content).digest();
    const size = content.length;
    // A reused file counts as new, so that the removal of unused files does not delete it.
    const row = await this.database.row<{ id: number; isNew: boolean }>(sql`
      INSERT INTO report_files AS f (organization_id, sha256, size) VALUES (${organizationId}, ${sha256}, ${size})
      ON CONFLICT (organization_id, sha256) DO UPDATE SET created = excluded.created
      RETURNING f.id, (f.xmax = 0) AS "isNew"`);
    if (row === undefined) throw new Error('INSERT ... ON CONFLICT DO UPDATE returned no row');
    for (let number = 0; row.isNew && number * CHUNK_BYTES < size; number++) {
      const chunk = content.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES);
      await this.database.change(sql`
        INSERT INTO report_file_chunks (file_id, number, organization_id, content)
        VALUES (${row.id}, ${number}, ${organizationId}, ${chunk})`);
    }
    return { id: row.id, sha256: sha256.toString('hex'), size };
  }

  override async *read({ id }: StoredFile, { from, to }: { from: number; to: number }): AsyncGenerator<Buffer> {
    for (let number = Math.floor(from / CHUNK_BYTES); number * CHUNK_BYTES <= to; number++) {
      const start = number * CHUNK_BYTES;
      const row = await this.database.row<{ content: Buffer }>(
        sql`SELECT c.content FROM report_file_chunks c
          WHERE c.file_id = ${id} AND c.number = ${number} AND ${visibleTo(ofReadReport, 'c.organization_id')}`,
      );
      // The organization was deleted during the download.
      if (row === undefined) throw new Error(`chunk ${number} of report file ${id} no longer exists`);
      yield row.content.subarray(Math.max(0, from - start), to - start + 1);
    }
  }

  /** Only files older than an hour: a newer one may be about to get its report. */
  override removeUnusedBatch(scope: Scope): Promise<number> {
    return this.database.change(sql`
      DELETE FROM report_files WHERE id IN (
        SELECT f.id FROM report_files f
        WHERE f.created < now() - interval '1 hour' AND ${ownedIn(scope, 'f.organization_id')} AND NOT EXISTS (SELECT 1 FROM reports r WHERE r.file_id = f.id AND r.organization_id = f.organization_id)
        LIMIT ${REMOVAL_BATCH})
      AND created < now() - interval '1 hour'`);
  }
}
