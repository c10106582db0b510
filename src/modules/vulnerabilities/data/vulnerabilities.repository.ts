import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import type { EpssScore } from './epss-score.entity';
import type { KevEntry } from './kev-entry.entity';
import { type SourceName, VulnerabilitySource } from './vulnerability-source.entity';

/** What the loaded files say about a CVE. Columns of a file that does not list it are null. */
export interface CveRow {
  readonly cve: string;
  readonly score: number | null;
  readonly percentile: number | null;
  readonly epssReleased: Date | null;
  readonly epssVersion: string | null;
  readonly dateAdded: string | null;
  readonly dueDate: string | null;
  readonly ransomware: boolean | null;
  readonly kevReleased: Date | null;
  readonly kevVersion: string | null;
  /** Of `findFiles`. */
  readonly files: string;
}

export type LoadedFile = Omit<VulnerabilitySource, 'loaded'>;

const REMOVAL_BATCH = 20_000;
const LOCKS = { epss: 1, kev: 2 } as const satisfies Record<SourceName, number>;

/** The data belongs to no organization: it is public and the same for all. */
@Injectable()
export class VulnerabilitiesRepository {
  private readonly columns = this.database.columns(VulnerabilitySource, 's');

  constructor(private readonly database: Database) {}

  listOf(cves: readonly string[]): Promise<CveRow[]> {
    return this.database.rows<CveRow>(sql`
      SELECT wanted.cve, e.score, e.percentile, es.released AS "epssReleased", es.version AS "epssVersion",
        k.date_added AS "dateAdded", k.due_date AS "dueDate", k.ransomware, ks.released AS "kevReleased", ks.version AS "kevVersion",
        (es.loaded, ks.loaded)::text AS files
      FROM unnest(${cves}::text[]) AS wanted (cve)
      LEFT JOIN epss_scores e ON e.cve = wanted.cve LEFT JOIN vulnerability_sources es ON es.name = 'epss'
      LEFT JOIN kev_entries k ON k.cve = wanted.cve LEFT JOIN vulnerability_sources ks ON ks.name = 'kev'`);
  }

  /** Another text after each load. */
  async findFiles(): Promise<string | undefined> {
    const row = await this.database.shortRow<{ files: string }>(sql`
      SELECT (max(s.loaded) FILTER (WHERE s.name = 'epss'), max(s.loaded) FILTER (WHERE s.name = 'kev'))::text AS files
      FROM vulnerability_sources s`);
    return row?.files;
  }

  listSources(): Promise<VulnerabilitySource[]> {
    return this.database.rows<VulnerabilitySource>(sql`SELECT ${this.columns} FROM vulnerability_sources s`);
  }

  findSource(name: SourceName): Promise<VulnerabilitySource | undefined> {
    return this.database.row<VulnerabilitySource>(
      sql`SELECT ${this.columns} FROM vulnerability_sources s WHERE s.name = ${name}`,
    );
  }

  /** Waits for another load of this source, until the end of the transaction. The source may have no row yet. */
  async lock(name: SourceName): Promise<void> {
    await this.database.rows(sql`SELECT pg_advisory_xact_lock(715830422, ${LOCKS[name]}::int)`);
  }

  async save(file: LoadedFile): Promise<void> {
    const repository = await this.database.repository(VulnerabilitySource);
    await repository.upsert({ ...file, loaded: () => 'now()' }, ['name']);
  }

  /** In pieces, because one statement for all scores could exceed its time limit. Others read them until the commit. */
  async removeScores(): Promise<void> {
    for (let last: string | null = ''; last !== null;) {
      const row: { last: string | null } | undefined = await this.database.row<{ last: string | null }>(sql`
        WITH batch AS (SELECT cve FROM epss_scores WHERE cve > ${last} ORDER BY cve LIMIT ${REMOVAL_BATCH}),
        removed AS (DELETE FROM epss_scores e USING batch b WHERE e.cve = b.cve)
        SELECT max(cve) AS last FROM batch`);
      last = row?.last ?? null;
    }
  }

  async removeEntries(): Promise<void> {
    await this.database.change(sql`DELETE FROM kev_entries`);
  }

  /** Returns how many were added: fewer if a CVE was added before. */
  addScores(scores: readonly EpssScore[]): Promise<number> {
    return this.database.change(sql`
      INSERT INTO epss_scores (cve, score, percentile)
      SELECT * FROM unnest(${scores.map(({ cve }) => cve)}::text[], ${scores.map(({ score }) => score)}::float8[],
        ${scores.map(({ percentile }) => percentile)}::float8[])
      ON CONFLICT (cve) DO NOTHING`);
  }

  addEntries(entries: readonly KevEntry[]): Promise<number> {
    return this.database.change(sql`
      INSERT INTO kev_entries (cve, date_added, due_date, ransomware)
      SELECT * FROM unnest(${entries.map(({ cve }) => cve)}::text[], ${entries.map(({ dateAdded }) => dateAdded)}::date[],
        ${entries.map(({ dueDate }) => dueDate)}::date[], ${entries.map(({ ransomware }) => ransomware)}::boolean[])
      ON CONFLICT (cve) DO NOTHING`);
  }
}
