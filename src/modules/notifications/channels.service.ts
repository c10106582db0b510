import { Injectable } from '@nestjs/common';
import { nextClosing, parseWindows } from '../../kernel/opening-windows';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { isZone } from '../../kernel/zoned-time';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { EventsService } from '../events';
import { FeedService } from '../feed';
import { OrganizationsService } from '../organizations';
import type { WebhookFilter } from '../webhooks';
import { ChannelTargets } from './channel-targets';
import { ChannelTests } from './channel-tests';
import type { Channel } from './data/channel.entity';
import { ChannelsRepository } from './data/channels.repository';
import { channelNotFound, quietForEver, tooManyChannels, zoneUnknown } from './domain/channel.errors';
import type { ChannelKind, ChannelState, Digest } from './domain/channel-vocabulary';

const MAX_CHANNELS = 20;

export interface ChannelDraft extends WebhookFilter {
  readonly name: string;
  readonly kind: ChannelKind;
  /** Of Slack or Teams. */
  readonly url?: string;
  /** Of mail. */
  readonly recipients: readonly number[];
  readonly quiet: readonly string[];
  readonly digest: Digest;
  readonly digestHour: number;
  readonly timeZone: string;
  readonly hourlyLimit: number;
}

/** Omitted fields do not change. */
export type ChannelChange = Partial<Omit<ChannelDraft, 'kind'>> & { readonly state?: ChannelState };

/** Where the changes of an organization are told. Admins set it. */
@Injectable()
export class ChannelsService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly targets: ChannelTargets,
    private readonly tests: ChannelTests,
    private readonly feed: FeedService,
    private readonly events: EventsService,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @OwnerOf('channel')
  ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return this.channels.findOrganization(scope, Number(id));
  }

  async list(caller: Caller, organizationId: number, page: Page): Promise<Slice<Channel>> {
    const { id } = await this.organizations.get(caller.scope, organizationId);
    caller.requireRole('admin', id);
    return this.channels.listFor(caller.scope, id, page);
  }

  async get(caller: Caller, organizationId: number, id: number): Promise<Channel> {
    const channel = orThrow(await this.channels.findOne(caller.scope, organizationId, id), channelNotFound);
    caller.requireRole('admin', organizationId);
    return channel;
  }

  /** It tells what happens from now on. */
  async create(caller: Caller, organizationId: number, draft: ChannelDraft): Promise<Channel> {
    const { id: owner } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: owner, metadata: { name: draft.name, kind: draft.kind } });
    caller.requireRole('admin', owner);
    requireTiming(draft);
    await this.events.requireOfVisible(owner, draft.eventIds);
    const target = await this.targets.resolve(owner, draft.kind, draft);
    if ((await this.channels.countOfLocked(owner)) >= MAX_CHANNELS) throw tooManyChannels(MAX_CHANNELS);
    const id = await this.channels.save({
      ...columnsOf(draft),
      ...target,
      kind: draft.kind,
      organizationId: owner,
      cursor: String(await this.feed.newestOfVisible(owner)),
      makerId: caller.facts.userId,
    });
    this.unitOfWork.note({ resourceId: String(id) });
    return this.get(caller, owner, id);
  }

  /** Who changes it answers for it from then on. Resumed, it continues with what happened since it was paused. */
  async change(caller: Caller, organizationId: number, id: number, change: ChannelChange): Promise<Channel> {
    const channel = await this.lockForAdmin(caller, organizationId, id);
    const { state = channel.state, url, recipients, ...stated } = change;
    this.unitOfWork.note({ metadata: { changes: Object.keys(change) } });
    const draft = { ...columnsOf(channel), ...stated };
    requireTiming(draft);
    await this.events.requireOfVisible(organizationId, stated.eventIds ?? []);
    const isMoved = url !== undefined || recipients !== undefined;
    await this.channels.change(channel, {
      ...columnsOf(draft),
      ...(isMoved && (await this.targets.resolve(organizationId, channel.kind, { url, recipients: recipients ?? [] }))),
      makerId: caller.facts.userId,
      state,
      pauseReason: state === 'active' ? null : (channel.pauseReason ?? 'admin'),
      // The next turn finds out anew when it sends.
      nextAttempt: null,
      attempts: 0,
      failingSince: null,
    });
    return this.get(caller, organizationId, id);
  }

  async delete(caller: Caller, organizationId: number, id: number): Promise<void> {
    const channel = await this.lockForAdmin(caller, organizationId, id);
    this.unitOfWork.note({ metadata: { name: channel.name } });
    await this.channels.remove(channel);
  }

  /** Also by a channel that is paused, at once. */
  async sendTest(caller: Caller, organizationId: number, id: number): Promise<void> {
    await this.tests.add(await this.lockForAdmin(caller, organizationId, id));
  }

  private async lockForAdmin(caller: Caller, organizationId: number, id: number): Promise<Channel> {
    const channel = orThrow(await this.channels.lockOne(caller.scope, organizationId, id), channelNotFound);
    this.unitOfWork.note({ organizationId, resourceId: String(id) });
    caller.requireRole('admin', organizationId);
    await this.unitOfWork.checkCondition();
    return channel;
  }
}

function requireTiming({ quiet, timeZone }: Pick<ChannelDraft, 'quiet' | 'timeZone'>): void {
  if (!isZone(timeZone)) throw zoneUnknown(timeZone);
  const windows = parseWindows(quiet);
  if (windows.length > 0 && nextClosing(windows, new Date(0)) === null) throw quietForEver();
}

const columnsOf = (draft: Omit<ChannelDraft, 'kind' | 'url' | 'recipients'>) => ({
  name: draft.name,
  types: [...draft.types],
  severity: draft.severity,
  statuses: [...draft.statuses],
  eventIds: [...draft.eventIds],
  labels: [...draft.labels],
  confirmed: draft.confirmed,
  quiet: [...draft.quiet],
  digest: draft.digest,
  digestHour: draft.digestHour,
  timeZone: draft.timeZone,
  hourlyLimit: draft.hourlyLimit,
});
