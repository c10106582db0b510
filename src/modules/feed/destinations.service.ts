import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import type { Caller } from '../../platform/api/caller';
import type { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { OrganizationsService } from '../organizations';
import type { Destination } from './data/destination';
import type { DestinationsRepository } from './data/destinations.repository';
import { destinationNotFound, type DestinationState, tooManyDestinations } from './domain/destinations';
import type { FeedService } from './feed.service';

/** Per organization, of each kind. */
const MAX_DESTINATIONS = 20;

/** What admins do with each kind of destinations. */
export abstract class DestinationsService<D extends Destination> {
  protected abstract readonly destinations: DestinationsRepository<D>;
  protected abstract readonly feed: FeedService;
  protected abstract readonly organizations: OrganizationsService;
  protected abstract readonly unitOfWork: UnitOfWork;

  async list(caller: Caller, organizationId: number, page: Page): Promise<Slice<D>> {
    const { id } = await this.organizations.get(caller.scope, organizationId);
    caller.requireRole('admin', id);
    return this.destinations.listFor(caller.scope, id, page);
  }

  async get(caller: Caller, organizationId: number, id: number): Promise<D> {
    const destination = this.found(await this.destinations.findOne(caller.scope, organizationId, id));
    caller.requireRole('admin', organizationId);
    return destination;
  }

  /** Who changes it answers for it from then on. Resumed, it continues with what happened since it was paused. */
  abstract change(
    caller: Caller,
    organizationId: number,
    id: number,
    change: { readonly state?: DestinationState },
  ): Promise<D>;

  /** With what waits for it. */
  async delete(caller: Caller, organizationId: number, id: number): Promise<void> {
    const destination = await this.lockForAdmin(caller, organizationId, id);
    this.unitOfWork.note({ metadata: { name: destination.name } });
    await this.destinations.remove(destination);
  }

  /** For what an admin does with it. */
  async lockForAdmin(caller: Caller, organizationId: number, id: number): Promise<D> {
    const destination = this.found(await this.destinations.lockOne(caller.scope, organizationId, id));
    this.unitOfWork.note({ organizationId, resourceId: String(id) });
    caller.requireRole('admin', organizationId);
    await this.unitOfWork.checkCondition();
    return destination;
  }

  /** It gets the entries from now on. The caller has locked the organization for counting. */
  protected async add(caller: Caller, organizationId: number, columns: Partial<D>): Promise<D> {
    if ((await this.destinations.countOfLocked(organizationId)) >= MAX_DESTINATIONS)
      throw tooManyDestinations(this.destinations.kind, MAX_DESTINATIONS);
    await this.feed.requireOwner(organizationId, columns.owner);
    const cursor = String(await this.feed.newestOfVisible(organizationId));
    const id = await this.destinations.save({ ...columns, organizationId, cursor, makerId: caller.facts.userId });
    this.unitOfWork.note({ resourceId: String(id) });
    return this.get(caller, organizationId, id);
  }

  protected async save(
    caller: Caller,
    destination: D,
    { state = destination.state, ...columns }: Partial<D>,
  ): Promise<D> {
    await this.feed.requireOwner(destination.organizationId, columns.owner);
    await this.destinations.change(destination, {
      ...columns,
      makerId: caller.facts.userId,
      state,
      pauseReason: state === 'active' ? null : (destination.pauseReason ?? 'admin'),
    } as Partial<D>);
    return this.get(caller, destination.organizationId, destination.id);
  }

  private found(destination: D | undefined): D {
    return orThrow(destination, () => destinationNotFound(this.destinations.kind));
  }
}
