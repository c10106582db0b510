import { Injectable } from '@nestjs/common';
import { notFound, unprocessable } from '../../../kernel/domain-error';
import type { Caller } from '../../../platform/api/caller';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { OrganizationsService } from '../../organizations';
import type { SavedView } from '../data/saved-view.entity';
import { SavedViewsRepository, type ViewOwner } from './data/saved-views.repository';

const MAX_VIEWS = 50;

export const MAX_VIEW_NAME_LENGTH = 80;

const viewNotFound = () => notFound('View');

/** The views that a user has saved of the findings of an organization. No other user sees them. */
@Injectable()
export class SavedViewsService {
  constructor(
    private readonly views: SavedViewsRepository,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** By name. */
  async list(caller: Caller, organizationId: number): Promise<SavedView[]> {
    const { id } = await this.organizations.get(caller.scope, organizationId);
    return this.views.listOf({ organizationId: id, userId: caller.facts.userId });
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

  private async lock(caller: Caller, organizationId: number): Promise<ViewOwner> {
    const { id } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id });
    return { organizationId: id, userId: caller.facts.userId };
  }
}
