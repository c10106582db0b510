import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { ownedIn } from '../../../platform/database/visible';
import type { Job } from './job.entity';
import type { JobRequestsPart } from './job-request.entity';

const KEPT_DAYS = 30;

/** How many requests a job has sent, and how long its list is. */
export interface ListedRequests {
  readonly requests: number;
  readonly bytes: number;
}

/** The lists of the requests of active jobs. */
@Injectable()
export class JobRequestsRepository {
  constructor(private readonly database: Database) {}

  /** What earlier attempts of the job have listed. */
  async listedOf(jobId: number): Promise<ListedRequests> {
    const row = await this.database.row<ListedRequests>(sql`
      SELECT coalesce(sum(r.requests), 0)::int AS requests, coalesce(sum(octet_length(r.lines)), 0)::int AS bytes
      FROM job_requests r WHERE r.job_id = ${jobId}`);
    return row ?? { requests: 0, bytes: 0 };
  }

  /** Does nothing if the job was deleted meanwhile. */
  async add(jobId: number, { lines, requests }: Pick<JobRequestsPart, 'lines' | 'requests'>): Promise<void> {
    await this.database.change(sql`
      INSERT INTO job_requests (job_id, part, organization_id, lines, requests)
      SELECT j.id, coalesce((SELECT max(r.part) FROM job_requests r WHERE r.job_id = j.id), 0) + 1, j.organization_id, ${lines}, ${requests}
      FROM jobs j WHERE j.id = ${jobId}`);
  }

  /** The caller has found the job in a scope. */
  async textOfVisible({ id }: Pick<Job, 'id'>): Promise<string> {
    const row = await this.database.row<{ text: string }>(sql`
      SELECT coalesce(string_agg(r.lines, '' ORDER BY r.part), '') AS text FROM job_requests r WHERE r.job_id = ${id}`);
    return row?.text ?? '';
  }

  /** Deletes up to `most` parts, in all organizations. */
  deletePast(scope: Scope, most: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM job_requests WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM job_requests
        WHERE created < now() - make_interval(days => ${KEPT_DAYS}) AND ${ownedIn(scope, 'organization_id')} LIMIT ${most}))`);
  }
}
