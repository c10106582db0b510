import { Injectable } from '@nestjs/common';
import { type Page, type Slice, MAX_COUNT } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { type Sql, raw, sql } from '../../../platform/database/sql';
import { byId, readSlice } from '../../../platform/database/list-order';
import { ofEachOrganization, visibleTo } from '../../../platform/database/visible';
import type { StoredFile } from '../report-files';
import type { EarlierReport, ReportContents } from '../domain/report-comparison';
import { type Report, ReportRow } from './report.entity';

export type NewReport = Pick<
  Report,
  'organizationId' | 'eventId' | 'jobUuid' | 'options' | 'startDate' | 'endDate' | 'startedBy'
>;

/** The subject of a report. */
export type ReportKey = Pick<Report, 'organizationId' | 'eventId' | 'jobUuid'>;

/** A report that ended, for the user who ordered it. */
export type StartedReport = Pick<Report, 'id' | 'error' | 'startedBy'>;

/** A report that waits to be generated, with the key of its event, if that is its subject. */
export type PendingReport = Report & { readonly eventSlug: string | null };

/** A report for download. */
export interface ReportWithFile extends Report {
  /** Null for a report of another subject. */
  readonly eventName: string | null;
  /** Null until it is generated. */
  readonly file: StoredFile | null;
}

const unfinished = raw('generation_date IS NULL AND error IS NULL');

const newestFirst = byId<Report>('r.id');
const newestOwn = byId<Report>('own.id');

const newestOfEach = (scope: Scope, pageOfEach: Sql): Sql =>
  ofEachOrganization(scope, sql`SELECT r.id FROM reports r WHERE r.organization_id = o.id${pageOfEach}`);

@Injectable()
export class ReportsRepository {
  private readonly columns = this.database.columns(ReportRow, 'r', ['contents']);

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, id: number): Promise<Report | undefined> {
    return this.database.row<Report>(
      sql`SELECT ${this.columns} FROM reports r WHERE r.id = ${id} AND ${visibleTo(scope, 'r.organization_id')}`,
    );
  }

  findPending(scope: Scope, id: number): Promise<PendingReport | undefined> {
    return this.database.row<PendingReport>(sql`
      SELECT ${this.columns}, e.slug AS "eventSlug" FROM reports r LEFT JOIN events e ON e.id = r.event_id AND e.organization_id = r.organization_id
      WHERE r.id = ${id} AND ${visibleTo(scope, 'r.organization_id')} AND ${unfinished}`);
  }

  lockPending(scope: Scope, id: number): Promise<Report | undefined> {
    return this.database.row<Report>(sql`
      SELECT ${this.columns} FROM reports r
      WHERE r.id = ${id} AND ${visibleTo(scope, 'r.organization_id')} AND ${unfinished} FOR UPDATE`);
  }

  async findWithFile(scope: Scope, id: number): Promise<ReportWithFile | undefined> {
    const row = await this.database.row<
      Report & { eventName: string | null; sha256: string | null; size: number | null }
    >(sql`
      SELECT ${this.columns}, e.name AS "eventName", encode(f.sha256, 'hex') AS sha256, f.size
      FROM reports r LEFT JOIN events e ON e.id = r.event_id AND e.organization_id = r.organization_id
        LEFT JOIN report_files f ON f.id = r.file_id AND f.organization_id = r.organization_id
      WHERE r.id = ${id} AND ${visibleTo(scope, 'r.organization_id')}`);
    if (row === undefined) return undefined;
    const { sha256, size, ...report } = row;
    const { fileId } = report;
    return {
      ...report,
      file: fileId === null || sha256 === null || size === null ? null : { id: fileId, sha256, size },
    };
  }

  /** Of an organization that the caller has checked. */
  listStartedOfVisible(organizationId: number, ids: readonly number[]): Promise<StartedReport[]> {
    return this.database.rows<StartedReport>(sql`
      SELECT r.id, r.error, r.started_by AS "startedBy" FROM reports r
      WHERE r.organization_id = ${organizationId} AND r.id = ANY(${ids}::int[])`);
  }

  listFor(scope: Scope, page: Page): Promise<Slice<Report>> {
    const list = newestOfEach(scope, sql` LIMIT ${MAX_COUNT + 1}`);
    const rows = sql`
      SELECT ${this.columns} FROM reports r WHERE r.id = ANY(ARRAY(
        SELECT own.id ${newestOfEach(scope, newestFirst.pageToMerge(page))}${newestOwn.page(page)}))
      ${newestFirst.by(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /** Newest first. */
  listNewestOfEvent(scope: Scope, eventId: number, limit: number): Promise<Report[]> {
    return this.database.rows<Report>(sql`
      SELECT ${this.columns} FROM reports r WHERE r.event_id = ${eventId} AND ${visibleTo(scope, 'r.organization_id')}
      ORDER BY r.id DESC LIMIT ${limit}`);
  }

  /** Its options and contents, if a later report can be compared with it. */
  findEarlier(scope: Scope, id: number): Promise<EarlierReport | undefined> {
    return this.database.row<EarlierReport>(sql`
      SELECT r.id, r.organization_id AS "organizationId", r.event_id AS "eventId", r.job_uuid AS "jobUuid", r.options,
        r.start_date AS "startDate", r.end_date AS "endDate", r.contents FROM reports r
      WHERE r.id = ${id} AND ${visibleTo(scope, 'r.organization_id')} AND r.contents IS NOT NULL`);
  }

  /** Reports of this subject that a later one can be compared with, newest first. */
  listComparable(scope: Scope, { organizationId, eventId, jobUuid }: ReportKey, limit: number): Promise<Report[]> {
    return this.database.rows<Report>(sql`
      SELECT ${this.columns} FROM reports r WHERE r.organization_id = ${organizationId} AND ${visibleTo(scope, 'r.organization_id')}
        AND r.event_id IS NOT DISTINCT FROM ${eventId}::int AND r.job_uuid IS NOT DISTINCT FROM ${jobUuid}::uuid
        AND r.contents IS NOT NULL ORDER BY r.id DESC LIMIT ${limit}`);
  }

  lockOne(scope: Scope, id: number): Promise<Report | undefined> {
    return this.database.row<Report>(sql`
      SELECT ${this.columns} FROM reports r WHERE r.id = ${id} AND ${visibleTo(scope, 'r.organization_id')} FOR UPDATE`);
  }

  /** Its file is removed later if no other report uses it. */
  async remove(id: number): Promise<void> {
    const repository = await this.database.repository(ReportRow);
    await repository.delete({ id });
  }

  /** The caller has locked the organization, so no other report is created at the same time. */
  countUnfinishedOfLocked(organizationId: number): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM reports WHERE organization_id = ${organizationId} AND ${unfinished}`);
  }

  /** The oldest that is generated or failed. Its file is removed later, if no other report has it. */
  async removeOldest(organizationId: number): Promise<void> {
    await this.database.change(sql`
      DELETE FROM reports WHERE id = (
        SELECT id FROM reports WHERE organization_id = ${organizationId} AND NOT (${unfinished}) ORDER BY id LIMIT 1)`);
  }

  async save(report: NewReport): Promise<number> {
    const repository = await this.database.repository(ReportRow);
    const { identifiers } = await repository.insert(report);
    return (identifiers[0] as { id: number }).id;
  }

  async saveGenerated(id: number, fileId: number, notice: string | null, contents: ReportContents): Promise<void> {
    await this.database.change(sql`
      UPDATE reports SET file_id = ${fileId}, notice = ${notice}, contents = ${JSON.stringify(contents)}, generation_date = now()
      WHERE id = ${id}`);
  }

  async saveFailed(id: number, error: string): Promise<void> {
    const repository = await this.database.repository(ReportRow);
    await repository.update({ id }, { error });
  }
}
