import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import { Database } from '../../../platform/database/database';
import { countUpTo, ListOrder, readSlice } from '../../../platform/database/list-order';
import { emptySql, forEachRow, type Sql, sql } from '../../../platform/database/sql';
import type { RowResult } from '../domain/import-status';
import type { FileRow } from '../domain/repeated-rows';
import { ImportResult } from './import-result.entity';

/** A row as the API returns it. */
export type ShownResult = Omit<ImportResult, 'organizationId' | 'severity' | 'fingerprint' | 'seenAt' | 'place'>;

export type NewResult = Omit<ImportResult, 'importId' | 'organizationId' | 'fingerprint'> & {
  /** In hex. */
  readonly fingerprint: string | null;
};

/** A row of the import before a batch. */
export type EarlierRow = FileRow & { readonly seenAt: Date | null };

interface Replaced {
  readonly before: string;
  readonly reason: string;
}

const listOf = (importId: number, result?: RowResult): Sql =>
  sql`FROM import_rows r WHERE r.import_id = ${importId}${result === undefined ? emptySql : sql` AND r.result = ${result}`}`;

export const inOrder = new ListOrder<ShownResult>(['(-r.number)'], ({ number }) => [-number]);

@Injectable()
export class ImportResultsRepository {
  private readonly columns = this.database.columns(ImportResult, 'r', [
    'organizationId',
    'severity',
    'fingerprint',
    'seenAt',
    'place',
  ]);

  constructor(private readonly database: Database) {}

  listForVisible(importId: number, result: RowResult | undefined, page: Page): Promise<Slice<ShownResult>> {
    const list = listOf(importId, result);
    const rows = sql`SELECT ${this.columns} ${list}${inOrder.page(page)}`;
    return readSlice(this.database, page, inOrder, { rows, list });
  }

  count(importId: number, result: RowResult | undefined, most: number): Promise<number> {
    return countUpTo(this.database, listOf(importId, result), most);
  }

  async addMany(importId: number, organizationId: number, results: readonly NewResult[]): Promise<void> {
    const rows = results.map(({ fingerprint, ...result }) => ({
      importId,
      organizationId,
      fingerprint: fingerprint === null ? null : Buffer.from(fingerprint, 'hex'),
      ...result,
    }));
    await this.database.change(sql`INSERT INTO import_rows ${this.database.insertedRows(ImportResult, rows)}`);
  }

  /** The first row of each of these findings; in a dry run, also the later rows that are sightings. In the order of the file. */
  listEarlier(importId: number, fingerprints: readonly string[]): Promise<EarlierRow[]> {
    const wanted = fingerprints.map((text) => Buffer.from(text, 'hex'));
    const earlier = sql`SELECT * FROM import_rows WHERE import_id = ${importId} AND fingerprint = wanted.fingerprint`;
    return this.database.rows(sql`
      SELECT encode(r.fingerprint, 'hex') AS fingerprint, r.seen_at AS "seenAt", r.number, r.line, r.title, r.result,
        coalesce(r.severity, 0) AS severity
      FROM unnest(${wanted}::bytea[]) AS wanted (fingerprint) ${forEachRow(earlier, 'r')}
      ORDER BY r.number`);
  }

  async saveSeverities(importId: number, rows: readonly Pick<FileRow, 'number' | 'severity'>[]): Promise<void> {
    if (rows.length === 0) return;
    await this.database.change(sql`
      UPDATE import_rows r SET severity = n.severity
      FROM unnest(${rows.map(({ number }) => number)}::int[], ${rows.map(({ severity }) => severity)}::int[]) AS n (number, severity)
      WHERE r.import_id = ${importId} AND r.number = n.number`);
  }

  /** The resolved findings that rows contradict and that have no retest yet; the most severe first. */
  async listContradicted(importId: number, limit: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT r.finding_id AS id FROM import_rows r
      WHERE r.import_id = ${importId} AND r.contradiction = 'contradicts' AND r.finding_id IS NOT NULL
      GROUP BY r.finding_id ORDER BY max(r.severity) DESC, r.finding_id LIMIT ${limit}`);
    return rows.map(({ id }) => id);
  }

  /** Returns whether there were rows without a retest. `before` is their previous reason. */
  async saveRetest(importId: number, findingId: number, { before, reason }: Replaced): Promise<boolean> {
    const changed = await this.database.change(sql`
      UPDATE import_rows SET contradiction = 'retest_started', reason = CASE WHEN reason = ${before} THEN ${reason} ELSE reason END
      WHERE import_id = ${importId} AND finding_id = ${findingId} AND contradiction = 'contradicts'`);
    return changed > 0;
  }

  /** The scanners that wrote the file. */
  async listScanners(importId: number): Promise<string[]> {
    const rows = await this.database.rows<{ scanner: string }>(
      sql`SELECT DISTINCT r.scanner FROM import_rows r WHERE r.import_id = ${importId} AND r.scanner IS NOT NULL ORDER BY 1`,
    );
    return rows.map(({ scanner }) => scanner);
  }

  /** The assets that the file has results for. Its scanner has tested these. */
  async listAssetValues(importId: number): Promise<Set<string>> {
    const rows = await this.database.rows<{ value: string }>(sql`
      SELECT DISTINCT r.asset_value AS value FROM import_rows r
      WHERE r.import_id = ${importId} AND r.asset_value IS NOT NULL AND r.result NOT IN ('refused', 'missing')`);
    return new Set(rows.map(({ value }) => value));
  }

  /** The hosts and ports that the file has results for. */
  async listPlaces(importId: number): Promise<string[]> {
    const rows = await this.database.rows<{ place: string }>(
      sql`SELECT DISTINCT r.place FROM import_rows r WHERE r.import_id = ${importId} AND r.place IS NOT NULL`,
    );
    return rows.map(({ place }) => place);
  }

  /** Returns how many were removed. */
  removeSome(importId: number, limit: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM import_rows WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM import_rows WHERE import_id = ${importId} LIMIT ${limit}))`);
  }

  /** Which of these findings the file has. */
  async listAmong(importId: number, findingIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT DISTINCT r.finding_id AS id FROM import_rows r
      WHERE r.finding_id = ANY(${findingIds}::int[]) AND r.import_id = ${importId}`);
    return new Set(rows.map(({ id }) => id));
  }

  /** Which of these findings have the same results in other imports that are not undone, with the newest such import. */
  async listAlsoIn(importId: number, findingIds: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.database.rows<{ findingId: number; importId: number }>(sql`
      SELECT r.finding_id AS "findingId", max(r.import_id) AS "importId" FROM import_rows r
      JOIN imports i ON i.id = r.import_id AND i.organization_id = r.organization_id
      WHERE r.finding_id = ANY(${findingIds}::int[]) AND r.import_id <> ${importId} AND r.result = 'unchanged'
        AND NOT i.dry_run AND i.status NOT IN ('UNDOING', 'UNDONE')
      GROUP BY r.finding_id`);
    return new Map(rows.map(({ findingId, importId: other }) => [findingId, other]));
  }
}
