import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import type { JobRow } from './job.entity';

/** What messages say about a job that has ended. The query of its URL may carry a token. */
export type NotifiedJob = Pick<JobRow, 'uuid' | 'eventId' | 'gate' | 'startedBy'> & {
  readonly page: string;
  /** The accounts as which it was not proved to be signed in. */
  readonly unproved: readonly number[];
};

/** For organizations that the caller has checked. */
@Injectable()
export class NotifiedJobsRepository {
  constructor(private readonly database: Database) {}

  listOfVisible(organizationId: number, uuids: readonly string[]): Promise<NotifiedJob[]> {
    return this.database.rows<NotifiedJob>(sql`
      SELECT j.uuid, j.event_id AS "eventId", j.gate, j.started_by AS "startedBy", substring(j.url FROM '^[^?#]*') AS page,
        ARRAY(SELECT (l->'account'->>'id')::int FROM json_array_elements(j.lanes) l WHERE l->>'isProved' = 'false') AS unproved
      FROM jobs j WHERE j.organization_id = ${organizationId} AND j.uuid = ANY(${uuids}::uuid[])`);
  }
}
