import { Injectable } from '@nestjs/common';
import { nextClosing, parseWindows } from '../../kernel/opening-windows';
import { isZone } from '../../kernel/zoned-time';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { EventsService } from '../events';
import { DestinationsService, type DestinationState, type FeedRule, FeedService } from '../feed';
import { OrganizationsService } from '../organizations';
import { ChannelTargets } from './channel-targets';
import { ChannelTests } from './channel-tests';
import type { Channel } from './data/channel.entity';
import { ChannelsRepository } from './data/channels.repository';
import { quietForEver, zoneUnknown } from './domain/channel.errors';
import type { ChannelKind, Digest } from './domain/channel-vocabulary';

export interface ChannelDraft extends FeedRule {
  readonly name: string;
  readonly kind: ChannelKind;
  /** Of Slack or Teams. */
  readonly url?: string;
  /** Of mail. */
  readonly recipients: number[];
  readonly quiet: string[];
  readonly digest: Digest;
  readonly digestHour: number;
  readonly timeZone: string;
  readonly hourlyLimit: number;
}

/** Omitted fields do not change. */
export type ChannelChange = Partial<Omit<ChannelDraft, 'kind'>> & { readonly state?: DestinationState };

/** Slack, Teams or mail to which the changes of an organization are sent. Admins set it. */
@Injectable()
export class ChannelsService extends DestinationsService<Channel> {
  constructor(
    protected readonly destinations: ChannelsRepository,
    private readonly targets: ChannelTargets,
    private readonly tests: ChannelTests,
    protected readonly feed: FeedService,
    private readonly events: EventsService,
    protected readonly organizations: OrganizationsService,
    protected readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  @OwnerOf('channel')
  ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return this.destinations.findOrganization(scope, Number(id));
  }

  /** It sends what happens from now on. */
  async create(caller: Caller, organizationId: number, draft: ChannelDraft): Promise<Channel> {
    const { id: owner } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: owner, metadata: { name: draft.name, kind: draft.kind } });
    caller.requireRole('admin', owner);
    requireTiming(draft);
    await this.events.requireOfVisible(owner, draft.eventIds);
    return this.add(caller, owner, { ...draft, ...(await this.targets.resolve(owner, draft.kind, draft)) });
  }

  async change(caller: Caller, organizationId: number, id: number, change: ChannelChange): Promise<Channel> {
    const channel = await this.lockForAdmin(caller, organizationId, id);
    const { url, recipients, ...stated } = change;
    this.unitOfWork.note({ metadata: { changes: Object.keys(change) } });
    requireTiming({ quiet: stated.quiet ?? channel.quiet, timeZone: stated.timeZone ?? channel.timeZone });
    await this.events.requireOfVisible(organizationId, stated.eventIds ?? []);
    const isMoved = url !== undefined || recipients !== undefined;
    return this.save(caller, channel, {
      ...stated,
      ...(isMoved && (await this.targets.resolve(organizationId, channel.kind, { url, recipients: recipients ?? [] }))),
      // The next turn decides again when it sends.
      nextAttempt: null,
      attempts: 0,
      failingSince: null,
    });
  }

  /** Sent at once, also by a channel that is paused. */
  async sendTest(caller: Caller, organizationId: number, id: number): Promise<void> {
    await this.tests.add(await this.lockForAdmin(caller, organizationId, id));
  }
}

function requireTiming({ quiet, timeZone }: Pick<ChannelDraft, 'quiet' | 'timeZone'>): void {
  if (!isZone(timeZone)) throw zoneUnknown(timeZone);
  const windows = parseWindows(quiet);
  if (windows.length > 0 && nextClosing(windows, new Date(0)) === null) throw quietForEver();
}
