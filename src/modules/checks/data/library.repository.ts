import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { Page, Slice } from '../../../kernel/page';
import { ListOrder, readSlice } from '../../../platform/database/list-order';
import { allOf, raw, type Sql, sql } from '../../../platform/database/sql';
import type { BUILT_IN_ROWS, CheckSource } from '../domain/listed-check';
import type { LibraryTemplate } from '../domain/library-template';
import { LibraryCheckRow } from './library-check.entity';

/** A template of the installation's library, with the YAML of its current version. Its id has no prefix. */
export type LibraryCheck = Pick<LibraryCheckRow, 'id' | 'missingValues'> & { readonly source: string };

export interface LoadedVersion {
  readonly id: string;
  readonly version: number;
  /** In hex. */
  readonly sha256: string;
  readonly isRetired: boolean;
}

/** A check in the list: a built-in one or a template. */
export interface CheckRow extends Omit<LibraryCheckRow, 'version' | 'loaded' | 'retired' | 'requests'> {
  readonly isBuiltIn: boolean;
  readonly version: number | null;
  readonly loaded: Date | null;
}

/** A loaded template with one of its versions. */
export interface VersionedCheck extends LibraryCheckRow {
  readonly source: string;
  readonly sourceVersion: number;
  readonly sourceLoaded: Date;
  readonly versions: number[];
}

export interface CheckFilter {
  readonly source?: CheckSource | undefined;
  readonly minSeverity?: number | undefined;
  readonly tag?: string | undefined;
  readonly cwe?: number | undefined;
  readonly runsInJobs?: boolean | undefined;
  readonly searchText?: string | undefined;
}

const inOrder = new ListOrder<CheckRow>(['c.number'], ({ number }) => [number]);

/** A number that no other code uses: it separates this advisory lock from others. */
const LOCK = 318_772_904;

/** The library belongs to no organization: it is the same for all. */
@Injectable()
export class LibraryRepository {
  private readonly columns = this.database.columns(LibraryCheckRow, 'c');

  constructor(private readonly database: Database) {}

  /** The built-in checks, which are given, and then the templates that are not retired, newest first. */
  list(builtIn: typeof BUILT_IN_ROWS, filter: CheckFilter, page: Page): Promise<Slice<CheckRow>> {
    const checks = sql`
      FROM (
        SELECT b.number, b.id, true AS "isBuiltIn", NULL::int AS version, b.title, b.severity, b.cwe,
          ARRAY['built-in'] AS tags, '' AS detects, '{}'::text[] AS unsafe_methods, '{}'::text[] AS missing_values,
          NULL::timestamptz AS loaded
        FROM json_to_recordset(${JSON.stringify(builtIn)}::json) AS b (number int, id text, title text,
          severity smallint, cwe int[])
        UNION ALL
        SELECT c.number, 'http:' || c.id, false, c.version, c.title, c.severity, c.cwe, c.tags, c.detects,
          c.unsafe_methods, c.missing_values, c.loaded
        FROM library_checks c WHERE c.retired IS NULL) c
      WHERE ${conditionOf(filter)}`;
    const rows = sql`
      SELECT c.number, c.id, c."isBuiltIn", c.version, c.title, c.severity, c.cwe, c.tags, c.detects,
        c.unsafe_methods AS "unsafeMethods", c.missing_values AS "missingValues", c.loaded
      ${checks}${inOrder.page(page)}`;
    return readSlice(this.database, page, inOrder, { rows, list: checks });
  }

  /** By default the current version. */
  findVersion(id: string, version?: number): Promise<VersionedCheck | undefined> {
    return this.database.row<VersionedCheck>(sql`
      SELECT ${this.columns}, v.source, v.version AS "sourceVersion", v.loaded AS "sourceLoaded",
        ARRAY(SELECT a.version FROM library_check_versions a WHERE a.check_id = c.id ORDER BY a.version) AS versions
      FROM library_checks c
      JOIN library_check_versions v ON v.check_id = c.id AND v.version = coalesce(${version ?? null}::int, c.version)
      WHERE c.id = ${id}`);
  }

  /** Without retired ones. */
  listCurrent(ids: readonly string[]): Promise<LibraryCheck[]> {
    return this.database.rows<LibraryCheck>(sql`
      SELECT c.id, c.missing_values AS "missingValues", v.source FROM library_checks c
      JOIN library_check_versions v ON v.check_id = c.id AND v.version = c.version
      WHERE c.id = ANY(${ids}::text[]) AND c.retired IS NULL`);
  }

  /** Those with one of the ids or tags that are not retired, the most severe first. */
  listByIdsAndTags(ids: readonly string[], tags: readonly string[]): Promise<LibraryCheckRow[]> {
    return this.database.rows<LibraryCheckRow>(sql`
      SELECT ${this.columns} FROM library_checks c
      WHERE c.retired IS NULL AND (c.id = ANY(${ids}::text[]) OR c.tags && ${tags}::text[])
      ORDER BY c.severity DESC, c.id COLLATE "C"`);
  }

  /** By the ids, in their order. */
  async listSources(
    versions: readonly { readonly id: string; readonly version: number }[],
  ): Promise<Map<string, string>> {
    const rows = await this.database.rows<{ id: string; source: string }>(sql`
      SELECT v.check_id AS id, v.source
      FROM unnest(${versions.map(({ id }) => id)}::text[], ${versions.map(({ version }) => version)}::int[])
        WITH ORDINALITY AS wanted (id, version, place)
      JOIN library_check_versions v ON v.check_id = wanted.id AND v.version = wanted.version ORDER BY wanted.place`);
    return new Map(rows.map(({ id, source }) => [id, source]));
  }

  async hasSource(id: string, source: string): Promise<boolean> {
    const row = await this.database.row(sql`
      SELECT 1 FROM library_check_versions v WHERE v.check_id = ${id} AND v.source = ${source} LIMIT 1`);
    return row !== undefined;
  }

  /** At most three similar ids, the most similar first. */
  async listSimilar(id: string): Promise<string[]> {
    const parts = id
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((part) => part.length > 2);
    const rows = await this.database.rows<{ id: string }>(sql`
      SELECT c.id FROM library_checks c CROSS JOIN LATERAL (
        SELECT coalesce(sum(length(part)), 0) AS length FROM unnest(${parts}::text[]) AS part
        WHERE position(part IN lower(c.id)) > 0) shared
      WHERE c.retired IS NULL AND shared.length > 0 ORDER BY shared.length DESC, abs(length(c.id) - ${id.length}::int), c.id LIMIT 3`);
    return rows.map((row) => row.id);
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

const IN_JOBS = raw(`c.unsafe_methods = '{}' AND c.missing_values = '{}'`);

function conditionOf({ source, minSeverity, tag, cwe, runsInJobs, searchText }: CheckFilter): Sql {
  return allOf([
    source === undefined ? undefined : sql`c."isBuiltIn" = ${source === 'built_in'}`,
    minSeverity === undefined ? undefined : sql`c.severity >= ${minSeverity}`,
    tag === undefined ? undefined : sql`${tag} = ANY(c.tags)`,
    cwe === undefined ? undefined : sql`${cwe} = ANY(c.cwe)`,
    runsInJobs === undefined ? undefined : sql`(${IN_JOBS}) = ${runsInJobs}`,
    searchText === undefined ? undefined : sql`strpos(lower(c.id || ' ' || c.title), lower(${searchText})) > 0`,
  ]);
}
