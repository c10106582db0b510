import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import type { LibraryTemplate } from '../domain/library-template';
import { LibraryCheckRow } from './library-check.entity';

/** A loaded template with the YAML of its current version. */
export interface CurrentCheck extends LibraryCheckRow {
  readonly source: string;
}

export interface LoadedVersion {
  readonly id: string;
  readonly version: number;
  /** In hex. */
  readonly sha256: string;
  readonly isRetired: boolean;
}

/** A number that no other code uses: it separates this advisory lock from others. */
const LOCK = 318_772_904;

/** The library belongs to no organization: it is the same for all. */
@Injectable()
export class LibraryRepository {
  private readonly columns = this.database.columns(LibraryCheckRow, 'c');

  constructor(private readonly database: Database) {}

  /** Without retired ones. */
  listCurrent(ids: readonly string[]): Promise<CurrentCheck[]> {
    return this.database.rows<CurrentCheck>(sql`
      SELECT ${this.columns}, v.source FROM library_checks c
      JOIN library_check_versions v ON v.check_id = c.id AND v.version = c.version
      WHERE c.id = ANY(${ids}::text[]) AND c.retired IS NULL`);
  }

  /** Waits for another load, until the end of the transaction. */
  async lock(): Promise<void> {
    await this.database.rows(sql`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`);
  }

  listVersions(ids: readonly string[]): Promise<LoadedVersion[]> {
    return this.database.rows<LoadedVersion>(sql`
      SELECT c.id, c.version, encode(v.sha256, 'hex') AS sha256, c.retired IS NOT NULL AS "isRetired"
      FROM library_checks c JOIN library_check_versions v ON v.check_id = c.id AND v.version = c.version
      WHERE c.id = ANY(${ids}::text[])`);
  }

  /** What is derived from a template is saved again even if its content is the same, because Assay may read it differently now. */
  async save(templates: readonly (LibraryTemplate & { readonly version: number })[]): Promise<void> {
    const rows = JSON.stringify(
      templates.map(({ unsafeMethods: unsafe_methods, missingValues: missing_values, ...row }) => ({
        ...row,
        unsafe_methods,
        missing_values,
      })),
    );
    await this.database.change(sql`
      INSERT INTO library_checks AS c
        (id, version, title, severity, cwe, tags, detects, unsafe_methods, missing_values, requests)
      SELECT id, version, title, severity, cwe, tags, detects, unsafe_methods, missing_values, requests
      FROM json_to_recordset(${rows}::json) AS r (id text, version int, title text, severity smallint, cwe int[],
        tags text[], detects text, unsafe_methods text[], missing_values text[], requests int)
      ON CONFLICT (id) DO UPDATE SET version = excluded.version, title = excluded.title, severity = excluded.severity,
        cwe = excluded.cwe, tags = excluded.tags, detects = excluded.detects, unsafe_methods = excluded.unsafe_methods,
        missing_values = excluded.missing_values, requests = excluded.requests, retired = NULL,
        loaded = CASE WHEN c.version = excluded.version THEN c.loaded ELSE now() END`);
    await this.database.change(sql`
      INSERT INTO library_check_versions (check_id, version, sha256, source)
      SELECT * FROM unnest(${templates.map(({ id }) => id)}::text[], ${templates.map(({ version }) => version)}::int[],
        ${templates.map(({ sha256 }) => Buffer.from(sha256, 'hex'))}::bytea[], ${templates.map(({ source }) => source)}::text[])
      ON CONFLICT (check_id, version) DO NOTHING`);
  }

  /** Returns the ids of those that were not retired before. */
  async retireAllBut(ids: readonly string[]): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(sql`
      UPDATE library_checks SET retired = now() WHERE retired IS NULL AND NOT id = ANY(${ids}::text[]) RETURNING id`);
    return rows.map(({ id }) => id).sort();
  }
}
