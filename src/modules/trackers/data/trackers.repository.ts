import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { type DestinationReference, DestinationsRepository } from '../../feed';
import { trackerKind } from '../domain/tracker-vocabulary';
import { Tracker } from './tracker.entity';

@Injectable()
export class TrackersRepository extends DestinationsRepository<Tracker> {
  constructor(database: Database) {
    super(database, Tracker, trackerKind);
  }

  /** Those that have something to do now. A test is done at once, also of a tracker that is paused. */
  listDue(scope: Scope, now: Date): Promise<DestinationReference[]> {
    return this.database.rows(sql`
      SELECT k.id, k.organization_id AS "organizationId" FROM trackers k
      WHERE (k.test_requested IS NOT NULL OR (k.state = 'active' AND coalesce(k.resume_at <= ${now}, true)
          AND (coalesce(k.next_poll <= ${now}, true) OR EXISTS (SELECT 1 FROM tickets t
            WHERE t.tracker_id = k.id AND t.organization_id = k.organization_id AND t.next_attempt <= ${now}))))
        AND ${visibleTo(scope, 'k.organization_id')} ORDER BY k.id`);
  }

  /** What a test has found. Returns false if the settings that it has read have changed since. */
  async changeTested(
    { id, organizationId, address, project, issueType, sealed, testRequested }: Tracker,
    change: Partial<Tracker>,
  ): Promise<boolean> {
    const repository = await this.database.repository(Tracker);
    const [key, request] = [sealed ?? IsNull(), testRequested ?? IsNull()];
    const unchanged = { id, organizationId, address, project, issueType, sealed: key, testRequested: request };
    return (await repository.update(unchanged, change)).affected === 1;
  }

  async findByHook(scope: Scope, hook: string): Promise<Tracker | undefined> {
    const row = await this.database.row<DestinationReference>(sql`
      SELECT k.id, k.organization_id AS "organizationId" FROM trackers k
      WHERE k.hook = ${hook} AND ${visibleTo(scope, 'k.organization_id')}`);
    return row && this.findOne(scope, row.organizationId, row.id);
  }
}
