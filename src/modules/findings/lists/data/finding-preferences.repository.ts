import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { sql } from '../../../../platform/database/sql';
import { FindingPreferences } from '../../data/finding-preferences.entity';
import type { ViewOwner } from './saved-views.repository';

/** Of a user, in an organization that the caller can see. */
@Injectable()
export class FindingPreferencesRepository {
  private readonly columns = this.database.columns(FindingPreferences, 'p');

  constructor(private readonly database: Database) {}

  find({ organizationId, userId }: ViewOwner): Promise<FindingPreferences | undefined> {
    return this.database.shortRow<FindingPreferences>(sql`
      SELECT ${this.columns} FROM finding_preferences p
      WHERE p.user_id = ${userId} AND p.organization_id = ${organizationId}`);
  }

  async save(owner: ViewOwner, preferences: Pick<FindingPreferences, 'columns' | 'isCompact'>): Promise<void> {
    const repository = await this.database.repository(FindingPreferences);
    await repository.upsert({ ...owner, ...preferences }, ['userId', 'organizationId']);
  }

  /** Once a minute is enough. Returns when the visit before this one ended. */
  async visit({ organizationId, userId }: ViewOwner): Promise<Date | null> {
    await this.database.change(sql`
      INSERT INTO finding_preferences AS p (user_id, organization_id, visited) VALUES (${userId}, ${organizationId}, now())
      ON CONFLICT ON CONSTRAINT pk_finding_preferences DO UPDATE SET visited = now(),
        visited_before = CASE WHEN p.visited < now() - interval '30 minutes' THEN p.visited ELSE p.visited_before END
      WHERE p.visited IS NULL OR p.visited < now() - interval '1 minute'`);
    return (await this.find({ organizationId, userId }))?.visitedBefore ?? null;
  }
}
