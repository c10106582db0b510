import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Written } from '../../../engine';
import type { Page, Slice } from '../../../kernel/page';
import { asLine } from '../../../kernel/plain-text';
import { storableJson } from '../../../kernel/storable-json';
import { Database } from '../../../platform/database/database';
import { ListOrder, readSlice } from '../../../platform/database/list-order';
import { sql } from '../../../platform/database/sql';
import type { Job } from './job.entity';
import type { JobSubmission } from './job-submission.entity';

/** Addresses of a job. Each has at most two hundred submissions. */
const MOST = 500;
const MAX_PATH_LENGTH = 2_000;

export type WrittenByJob = Pick<
  JobSubmission,
  'key' | 'method' | 'path' | 'mark' | 'submissions' | 'shownAt' | 'left' | 'deleted' | 'updated'
>;

const order = new ListOrder<WrittenByJob>(['s.key'], ({ key }) => [key]);
const columns = sql`
  s.key, s.method, s.path, s.mark, s.submissions, s.shown_at AS "shownAt", s.remaining AS "left", s.deleted, s.updated`;

const digest = ({ method, path }: Written): string => createHash('sha256').update(`${method} ${path}`).digest('hex');

const short = (paths: readonly string[]): string[] => paths.map((path) => asLine(path).slice(0, MAX_PATH_LENGTH));

/** What jobs have written to their targets. */
@Injectable()
export class JobSubmissionsRepository {
  constructor(private readonly database: Database) {}

  listAllOfVisible({ id }: Pick<Job, 'id'>): Promise<Written[]> {
    return this.database.rows<Written>(
      sql`SELECT ${columns} FROM job_submissions s WHERE s.job_id = ${id} LIMIT ${MOST}`,
    );
  }

  /** The caller has found the job in a scope. */
  listOfVisible({ id, organizationId }: Pick<Job, 'id' | 'organizationId'>, page: Page): Promise<Slice<WrittenByJob>> {
    const list = sql`FROM job_submissions s WHERE s.job_id = ${id} AND s.organization_id = ${organizationId}`;
    return readSlice(this.database, page, order, { rows: sql`SELECT ${columns} ${list}${order.page(page)}`, list });
  }

  /** Before each submission. False if it cannot be listed, because there is no room or the job is gone. */
  async keep({ id, organizationId }: Pick<Job, 'id' | 'organizationId'>, written: Written): Promise<boolean> {
    const { method, path, mark, submissions, shownAt, left, deleted } = written;
    const key = digest(written);
    const stored = await this.database.change(sql`
      INSERT INTO job_submissions (job_id, key, organization_id, method, path, mark, submissions, shown_at, remaining, deleted)
      SELECT j.id, ${key}, j.organization_id, ${asLine(method)}, ${asLine(path).slice(0, MAX_PATH_LENGTH)}, ${mark}::text,
        ${submissions}::int, ${storableJson(short(shownAt))}::json, ${storableJson(short(left))}::json, ${deleted}::int
      FROM jobs j WHERE j.id = ${id} AND j.organization_id = ${organizationId} AND (
        SELECT count(*) FROM job_submissions s WHERE s.job_id = ${id} AND s.key <> ${key}) < ${MOST}
      ON CONFLICT ON CONSTRAINT pk_job_submissions DO UPDATE SET mark = excluded.mark, submissions = excluded.submissions,
        shown_at = excluded.shown_at, remaining = excluded.remaining, deleted = excluded.deleted, updated = now()`);
    return stored > 0;
  }
}
