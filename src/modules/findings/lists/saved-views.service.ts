import { Injectable } from '@nestjs/common';
import { notFound, unprocessable } from '../../../kernel/domain-error';
import type { Caller } from '../../../platform/api/caller';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { OrganizationsService } from '../../organizations';
import type { ListPreferences } from '../data/finding-preferences.entity';
import type { SavedView } from '../data/saved-view.entity';
import { SavedViewsRepository, type ViewOwner } from './data/saved-views.repository';

const MAX_VIEWS = 50;

export const MAX_VIEW_NAME_LENGTH = 80;

const viewNotFound = () => notFound('View');

/** The saved views of a user for the findings of an organization, and the user's list preferences. */
@Injectable()
export class SavedViewsService {
  constructor(
    private readonly views: SavedViewsRepository,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Sorted by name. */
  async list(caller: Caller, organizationId: number): Promise<SavedView[]> {
    return this.views.listOf(await this.owner(caller, organizationId));
  }

  async create(caller: Caller, organizationId: number, view: Pick<SavedView, 'name' | 'query'>): Promise<void> {
    const owner = await this.lock(caller, organizationId);
    if ((await this.views.listOf(owner)).length >= MAX_VIEWS)
      throw unprocessable(`You have ${MAX_VIEWS} views in this organization, which is the limit. Delete one first.`);
    const id = await this.views.add(owner, view);
    this.unitOfWork.note({ resourceId: String(id), metadata: { query: view.query } });
  }

  async rename(caller: Caller, organizationId: number, id: number, name: string): Promise<void> {
    const owner = await this.lock(caller, organizationId);
    if (!(await this.views.rename(owner, id, name))) throw viewNotFound();
  }

  async remove(caller: Caller, organizationId: number, id: number): Promise<void> {
    const owner = await this.lock(caller, organizationId);
    if (!(await this.views.remove(owner, id))) throw viewNotFound();
  }

  /** The views, and the user's list preferences. */
  async listWithPreferences(caller: Caller, organizationId: number): Promise<ListPreferences & { views: SavedView[] }> {
    const owner = await this.owner(caller, organizationId);
    const [views, found] = await Promise.all([this.views.listOf(owner), this.views.findPreferences(owner)]);
    return { views, columns: found?.columns ?? null, isCompact: found?.isCompact ?? false };
  }

  async changePreferences(caller: Caller, organizationId: number, preferences: ListPreferences): Promise<void> {
    const owner = await this.lock(caller, organizationId);
    this.unitOfWork.note({ metadata: { ...preferences } });
    await this.views.savePreferences(owner, preferences);
  }

  /** Records that the user is looking at the organization. Returns when the previous visit ended; null on the first visit. */
  async visit(caller: Caller, organizationId: number): Promise<Date | null> {
    const owner = await this.owner(caller, organizationId);
    await this.views.visit(owner);
    return (await this.views.findPreferences(owner))?.visitedBefore ?? null;
  }

  private async owner(caller: Caller, organizationId: number): Promise<ViewOwner> {
    const { id } = await this.organizations.get(caller.scope, organizationId);
    return { organizationId: id, userId: caller.facts.userId };
  }

  private async lock(caller: Caller, organizationId: number): Promise<ViewOwner> {
    const { id } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id });
    return { organizationId: id, userId: caller.facts.userId };
  }
}
