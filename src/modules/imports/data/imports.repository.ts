import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Actor } from '../../../platform/api/caller';
import type { Scope } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { Database } from '../../../platform/database/database';
import { byId, readSlice } from '../../../platform/database/list-order';
import { emptySql, raw, type Sql, sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { countUntestedReasons, countVerifications } from '../../findings';
import type { ImportStatus, RowResult } from '../domain/import-status';
import type { UntestedReason } from '../domain/summary-of-import';
import { type BegunImport, type Import, ImportRow, INTERNAL_COLUMNS } from './import.entity';

/** The progress that a batch adds to an import. */
export interface Advance {
  readonly rows: number;
  /** How much of the file was read. */
  readonly bytesDone: number;
  readonly format: string | null;
  readonly ignoredColumns?: readonly string[];
  readonly counts: Readonly<Partial<Record<RowResult, number>>>;
  readonly contradicting?: number;
}

const newestFirst = byId<Import>('i.id');

/** Reads few findings, because an import requests few tests. */
const verification = sql`${countVerifications(raw('i.verified_findings'), raw('i.organization_id'))} AS verification,
  ${countUntestedReasons(raw('i.verified_findings'), raw('i.organization_id'))} AS "untestedReasons"`;

const shown = raw(`i.status <> 'UPLOADING'`);

@Injectable()
export class ImportsRepository {
  private readonly columns = sql`${this.database.columns(ImportRow, 'i', INTERNAL_COLUMNS)}, ${verification}`;
  private readonly allColumns = this.database.columns(ImportRow, 'i', ['verifiedFindings']);

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, id: number): Promise<Import | undefined> {
    return this.database.row<Import>(sql`SELECT ${this.columns} ${from(scope, id)}`);
  }

  lockOne(scope: Scope, id: number): Promise<Import | undefined> {
    return this.database.row<Import>(sql`SELECT ${this.columns} ${from(scope, id)} FOR NO KEY UPDATE OF i`);
  }

  /** The caller has read the organization, and the event if there is one, in scope. */
  listForVisible(
    organizationId: number,
    eventId: number | null,
    page: Page,
    failedSince?: Date,
  ): Promise<Slice<Import>> {
    const failed = failedSince === undefined ? emptySql : sql` AND i.status = 'ERROR' AND i.created >= ${failedSince}`;
    const inEvent = eventId === null ? emptySql : sql` AND i.event_id = ${eventId}`;
    const list = sql`FROM imports i WHERE i.organization_id = ${organizationId}${inEvent}${failed} AND ${shown}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /**
   * Makes this attempt the only one that may change the import. Undefined if the import is over, deleted or taken by a later
   * attempt.
   */
  begin({ reference, attempt }: Claim): Promise<BegunImport | undefined> {
    return this.database.row<BegunImport>(sql`
      UPDATE imports i SET attempt = ${attempt}, started = coalesce(i.started, now()),
        status = CASE i.status WHEN 'PENDING' THEN 'IN_PROGRESS' ELSE i.status END
      WHERE i.id = ${Number(reference)} AND i.status IN ('PENDING', 'IN_PROGRESS', 'UNDOING') AND i.attempt < ${attempt}
      RETURNING ${this.allColumns}`);
  }

  /** An import that has ended and is not undone. */
  findEnded(id: number): Promise<BegunImport | undefined> {
    return this.database.row<BegunImport>(sql`
      SELECT ${this.allColumns} FROM imports i WHERE i.id = ${id} AND i.status IN ('FINISHED', 'ERROR', 'CANCELED')`);
  }

  /** Adds the counts of a batch, including rows that are not stored. The caller has called `lockFor`. */
  async advanceLocked(
    id: number,
    { rows, bytesDone, format, ignoredColumns, counts, contradicting = 0 }: Advance,
  ): Promise<void> {
    await this.database.change(sql`
      UPDATE imports SET rows_done = rows_done + ${rows}, bytes_done = ${bytesDone}, format = coalesce(${format}, format),
        ignored_columns = coalesce(${ignoredColumns ?? null}::text[], ignored_columns),
        rows_new = rows_new + ${counts.new ?? 0}, rows_seen_again = rows_seen_again + ${counts.seen_again ?? 0},
        rows_reopened = rows_reopened + ${counts.reopened ?? 0}, rows_unchanged = rows_unchanged + ${counts.unchanged ?? 0},
        rows_refused = rows_refused + ${counts.refused ?? 0},
        rows_contradicting = rows_contradicting + ${contradicting}
      WHERE id = ${id}`);
  }

  /** Returns false if the number was already stored. */
  async saveMissing(id: number, count: number): Promise<boolean> {
    return (
      (await this.database.change(
        sql`UPDATE imports SET rows_missing = ${count} WHERE id = ${id} AND rows_missing <> ${count}`,
      )) > 0
    );
  }

  /** Locks the import for a batch of this attempt. Returns false if the attempt is no longer current. */
  async lockFor({ id, attempt }: Pick<ImportRow, 'id' | 'attempt'>, status: ImportStatus): Promise<boolean> {
    const locked = await this.database.row(sql`
      SELECT 1 FROM imports WHERE id = ${id} AND attempt = ${attempt} AND status = ${status} FOR NO KEY UPDATE`);
    return locked !== undefined;
  }

  /** How many rows have been refused so far. */
  countRefused(id: number): Promise<number> {
    return this.database.count(sql`SELECT i.rows_refused AS count FROM imports i WHERE i.id = ${id}`);
  }

  /**
   * Locks the oldest import that has ended and still has rows, and notes that they are removed. One whose removal was
   * interrupted comes first.
   */
  async lockOldestWithRows(organizationId: number): Promise<number | undefined> {
    const row = await this.database.row<{ id: number }>(sql`
      UPDATE imports SET rows_removed = coalesce(rows_removed, now()) WHERE id = (
        SELECT i.id FROM imports i
        WHERE i.organization_id = ${organizationId} AND i.status IN ('FINISHED', 'ERROR', 'CANCELED', 'UNDONE')
          AND EXISTS (SELECT 1 FROM import_rows r WHERE r.import_id = i.id)
        ORDER BY i.rows_removed IS NULL, i.id LIMIT 1 FOR NO KEY UPDATE OF i)
      RETURNING id`);
    return row?.id;
  }

  /**
   * Whether rows that undoing the import needs were removed: its own, or those of another import that ended after this one began.
   * The latter say which findings that import also has.
   */
  async isWithoutRows(id: number): Promise<boolean> {
    const row = await this.database.row(sql`
      SELECT 1 FROM imports i JOIN imports other ON other.organization_id = i.organization_id AND other.rows_removed IS NOT NULL
      WHERE i.id = ${id} AND (other.id = i.id OR (other.finished >= i.started AND NOT other.dry_run)) LIMIT 1`);
    return row !== undefined;
  }

  async countRemoved(id: number, removed: number): Promise<void> {
    await this.database.change(sql`UPDATE imports SET removed = removed + ${removed} WHERE id = ${id}`);
  }

  /** The caller has locked the import. */
  async addVerifiedLocked(id: number, findingIds: readonly number[]): Promise<void> {
    await this.database.change(
      sql`UPDATE imports SET verified_findings = verified_findings || ${findingIds}::int[] WHERE id = ${id}`,
    );
  }

  async listVerified(id: number): Promise<number[]> {
    const row = await this.database.row<{ ids: number[] }>(
      sql`SELECT i.verified_findings AS ids FROM imports i WHERE i.id = ${id}`,
    );
    return row?.ids ?? [];
  }

  countRetests(id: number): Promise<number> {
    return this.database.count(sql`SELECT i.retests_started AS count FROM imports i WHERE i.id = ${id}`);
  }

  async addRetest(id: number): Promise<void> {
    await this.database.change(sql`UPDATE imports SET retests_started = retests_started + 1 WHERE id = ${id}`);
  }

  async saveUntested(id: number, untested: readonly UntestedReason[]): Promise<void> {
    await this.database.change(sql`UPDATE imports SET untested = ${JSON.stringify(untested)} WHERE id = ${id}`);
  }

  /** Ends the import and deletes its file, unless the file is kept. */
  async end(
    id: number,
    status: 'FINISHED' | 'ERROR' | 'CANCELED',
    error: string | null,
    isKept = false,
  ): Promise<void> {
    await this.database.change(
      sql`UPDATE imports SET status = ${status}, error = ${error}, finished = now(), waits_until = NULL WHERE id = ${id}`,
    );
    if (isKept) return;
    await this.database.change(sql`DELETE FROM import_chunks WHERE import_id = ${id}`);
  }

  async startUndoing(id: number, { type, id: userId }: Actor): Promise<void> {
    await this.database.change(sql`
      UPDATE imports SET status = 'UNDOING', attempt = 0, undone_by_type = ${type}, undone_by_id = ${userId}
      WHERE id = ${id}`);
  }

  async endUndoing(id: number, kept: number): Promise<void> {
    await this.database.change(
      sql`UPDATE imports SET status = 'UNDONE', undone = now(), kept = ${kept}, untested = '[]' WHERE id = ${id}`,
    );
    await this.database.change(sql`DELETE FROM import_proposals WHERE import_id = ${id}`);
  }

  /** A part of the file; undefined after the last one, or if the import has ended. */
  async findChunk(id: number, number: number): Promise<Buffer | undefined> {
    const row = await this.database.row<{ content: Buffer }>(
      sql`SELECT c.content FROM import_chunks c WHERE c.import_id = ${id} AND c.number = ${number}`,
    );
    return row?.content;
  }
}

const from = (scope: Scope, id: number): Sql =>
  sql`FROM imports i WHERE i.id = ${id} AND ${shown} AND ${visibleTo(scope, 'i.organization_id')}`;
