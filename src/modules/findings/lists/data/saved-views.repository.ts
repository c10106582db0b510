import { Injectable } from '@nestjs/common';
import { conflict } from '../../../../kernel/domain-error';
import { Database } from '../../../../platform/database/database';
import { onViolation } from '../../../../platform/database/database-errors';
import { sql } from '../../../../platform/database/sql';
import { FindingPreferences, type ListPreferences } from '../../data/finding-preferences.entity';
import { SavedView } from '../../data/saved-view.entity';

/** The user whose views these are, in an organization that the caller can see. */
export type ViewOwner = Pick<SavedView, 'organizationId' | 'userId'>;

const nameTaken = () => conflict('You have a view with this name. Choose another name, or delete that view.');

@Injectable()
export class SavedViewsRepository {
  private readonly columns = this.database.columns(SavedView, 'v');
  private readonly preferenceColumns = this.database.columns(FindingPreferences, 'p');

  constructor(private readonly database: Database) {}

  /** Sorted by name. */
  listOf({ organizationId, userId }: ViewOwner): Promise<SavedView[]> {
    return this.database.shortRows<SavedView>(sql`
      SELECT ${this.columns} FROM saved_views v
      WHERE v.organization_id = ${organizationId} AND v.user_id = ${userId} ORDER BY v.name`);
  }

  findPreferences({ organizationId, userId }: ViewOwner): Promise<FindingPreferences | undefined> {
    return this.database.shortRow<FindingPreferences>(sql`
      SELECT ${this.preferenceColumns} FROM finding_preferences p
      WHERE p.user_id = ${userId} AND p.organization_id = ${organizationId}`);
  }

  async savePreferences(owner: ViewOwner, preferences: ListPreferences): Promise<void> {
    const repository = await this.database.repository(FindingPreferences);
    await repository.upsert({ ...owner, ...preferences }, ['userId', 'organizationId']);
  }

  /** Records at most once a minute that the user is looking at the organization. */
  async visit({ organizationId, userId }: ViewOwner): Promise<void> {
    await this.database.change(sql`
      INSERT INTO finding_preferences AS p (user_id, organization_id, visited) VALUES (${userId}, ${organizationId}, now())
      ON CONFLICT ON CONSTRAINT pk_finding_preferences DO UPDATE SET visited = now(),
        visited_before = CASE WHEN p.visited < now() - interval '30 minutes' THEN p.visited ELSE p.visited_before END
      WHERE p.visited IS NULL OR p.visited < now() - interval '1 minute'`);
  }

  async add(
    { organizationId, userId }: ViewOwner,
    { name, query }: Pick<SavedView, 'name' | 'query'>,
  ): Promise<number> {
    const repository = await this.database.repository(SavedView);
    const inserted = repository.insert({ organizationId, userId, name, query });
    const { identifiers } = await onViolation(inserted, { uq_saved_views_name: nameTaken });
    return (identifiers[0] as { id: number }).id;
  }

  /** Returns false if there is no such view. */
  async rename({ organizationId, userId }: ViewOwner, id: number, name: string): Promise<boolean> {
    const repository = await this.database.repository(SavedView);
    const updated = repository.update({ id, organizationId, userId }, { name });
    return (await onViolation(updated, { uq_saved_views_name: nameTaken })).affected === 1;
  }

  async remove({ organizationId, userId }: ViewOwner, id: number): Promise<boolean> {
    const repository = await this.database.repository(SavedView);
    return (await repository.delete({ id, organizationId, userId })).affected === 1;
  }
}
