import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { ReportFiles, type StoredFile } from '../report-files';

const chunkBytes = 256 * 1024;
const removedAtOnce = 5;

/** Files in the database: what is in its backup is all there is, and they go with their organization by themselves. */
@Injectable()
export class DatabaseReportFiles extends ReportFiles {
  constructor(private readonly database: Database) {
    super();
  }

  override async put(organizationId: number, content: Buffer): Promise<StoredFile> {
    const sha256 = createHash('sha256').update(content).digest();
    const size = content.length;
    // Found again it is as good as new: nobody who clears up may take it for one that nobody needs.
    const row = await this.database.row<{ id: number; isNew: boolean }>(sql`
      INSERT INTO report_files AS f (organization_id, sha256, size) VALUES (${organizationId}, ${sha256}, ${size})
      ON CONFLICT (organization_id, sha256) DO UPDATE SET created = excluded.created
      RETURNING f.id, (f.xmax = 0) AS "isNew"`);
    if (row === undefined) throw new Error('an insert that updates on conflict answers its row');
    for (let number = 0; row.isNew && number * chunkBytes < size; number++) {
      const chunk = content.subarray(number * chunkBytes, (number + 1) * chunkBytes);
      await this.database.change(sql`
        INSERT INTO report_file_chunks (file_id, number, organization_id, content)
        VALUES (${row.id}, ${number}, ${organizationId}, ${chunk})`);
    }
    return { id: row.id, sha256: sha256.toString('hex'), size };
  }

  override async *read({ id }: StoredFile, { from, to }: { from: number; to: number }): AsyncGenerator<Buffer> {
    for (let number = Math.floor(from / chunkBytes); number * chunkBytes <= to; number++) {
      const start = number * chunkBytes;
      const row = await this.database.row<{ content: Buffer }>(
        sql`SELECT c.content FROM report_file_chunks c WHERE c.file_id = ${id} AND c.number = ${number}`,
      );
      // Its organization has been deleted while somebody was reading.
      if (row === undefined) throw new Error(`report file ${id} has no piece ${number} any more`);
      yield row.content.subarray(Math.max(0, from - start), to - start + 1);
    }
  }

  /** An hour old: whoever is about to refer to it has done so by then. */
  override removeUnusedBatch(): Promise<number> {
    return this.database.change(sql`
      DELETE FROM report_files WHERE id IN (
        SELECT f.id FROM report_files f
        WHERE f.created < now() - interval '1 hour' AND NOT EXISTS (SELECT 1 FROM reports r WHERE r.file_id = f.id AND r.organization_id = f.organization_id)
        LIMIT ${removedAtOnce})
      AND created < now() - interval '1 hour'`);
  }
}
