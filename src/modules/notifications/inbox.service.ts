import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { notFound } from '../../kernel/domain-error';
import type { Page, Slice } from '../../kernel/page';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { OrganizationsService } from '../organizations';
import { PersonalNoticesRepository } from './data/personal-notices.repository';
import type { MarkReadRequest } from './http/inbox.requests';
import type { PersonalItem } from './personal-item';
import { PersonalItems } from './personal-items';

/** A page of the inbox of a member in an organization, newest first. */
export interface Inbox extends Slice<PersonalItem> {
  /** In the whole inbox. */
  readonly unread: number;
  /** The id of the newest unread entry, also of one on another page. */
  readonly newestUnread: string | null;
}

/** What concerns the caller in an organization. Users of integrators who are not members have none. */
@Injectable()
export class InboxService {
  constructor(
    private readonly notices: PersonalNoticesRepository,
    private readonly items: PersonalItems,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list(caller: Caller, organizationId: number, isUnread: boolean, page: Page): Promise<Inbox> {
    const owner = await this.ownerOf(caller, organizationId);
    const slice = await this.notices.list(owner, isUnread, page);
    const { count: unread, newest: newestUnread } = await this.notices.findUnread(owner);
    return { ...slice, items: await this.items.listFor(owner.organizationId, slice.items), unread, newestUnread };
  }

  /** Of an organization that the caller may read. */
  async countUnreadOfVisible({ facts: { userId } }: Caller, organizationId: number): Promise<number> {
    return (await this.notices.findUnread({ organizationId, userId })).count;
  }

  /** One, or all up to one, or all. Returns how many are unread then. */
  async markRead(caller: Caller, organizationId: number, { id, up_to }: MarkReadRequest): Promise<number> {
    const owner = await this.ownerOf(caller, organizationId);
    this.unitOfWork.note({ organizationId: owner.organizationId, metadata: { id, up_to } });
    const now = this.clock.now();
    if (id === undefined) await this.notices.markAllRead(owner, up_to, now);
    else if ((await this.notices.markRead(owner, id, now)) === 0) throw notFound('Inbox entry');
    return (await this.notices.findUnread(owner)).count;
  }

  private async ownerOf({ scope, facts: { userId } }: Caller, organizationId: number) {
    const { id } = await this.organizations.get(scope, organizationId);
    return { organizationId: id, userId };
  }
}
