import { Injectable } from '@nestjs/common';
import { Scope } from '../../platform/api/scope';
import { TenantTurns } from '../../platform/work/tenant-turns';
import { isOwner, MemberGroupsService } from '../identity';
import { OrganizationsService } from '../organizations';
import { type Entry, FeedRepository } from './data/feed.repository';
import type { FeedFilter } from './domain/feed-rule';
import { positionDeleted, positionUnknown } from './domain/feed.errors';

export interface FeedQuery {
  readonly organizationId: number;
  readonly filter: FeedFilter;
  /** Undefined: from the oldest entry. */
  readonly after?: number;
  readonly limit: number;
}

export interface FeedPage {
  readonly entries: readonly Entry[];
  /** Where the next page begins: past entries that do not match. */
  readonly nextAfter: number;
  /** The positions that are kept: none, if the oldest is above the newest. */
  readonly oldest: number;
  readonly newest: number;
}

export interface NewestEntries {
  readonly entries: readonly Entry[];
  /** Before which the next page begins; null if no entries are left. */
  readonly before: number | null;
}

/** The most positions of a page. */
const MOST = 10_000;

/** Reads the feed of an organization: every change, in order, without gaps. */
@Injectable()
export class FeedService {
  constructor(
    private readonly feed: FeedRepository,
    private readonly organizations: OrganizationsService,
    private readonly turns: TenantTurns,
    private readonly groups: MemberGroupsService,
  ) {}

  /** The filter of a saved rule. The caller has checked the organization. */
  async requireOwner(organizationId: number, owner: string | null | undefined): Promise<void> {
    if (isOwner(owner)) await this.groups.requireOwner(organizationId, owner);
  }

  async read(scope: Scope, query: FeedQuery): Promise<FeedPage> {
    const { id } = await this.organizations.get(scope, query.organizationId);
    return this.readOfVisible({ ...query, organizationId: id });
  }

  /** The newest that match, before a position if one is given, the newest first. */
  async newest(
    scope: Scope,
    organizationId: number,
    filter: FeedFilter,
    { limit, before }: { readonly limit: number; readonly before?: number },
  ): Promise<NewestEntries> {
    const { id } = await this.organizations.get(scope, organizationId);
    await this.feed.append(id);
    const { oldest, newest, entries } = await this.feed.listNewestForVisible(id, filter, { before, most: MOST, limit });
    const from = (entries.length === limit ? entries.at(-1)?.position : undefined) ?? newest - MOST + 1;
    return { entries, before: from > oldest ? from : null };
  }

  /** The caller has checked that the organization is visible. */
  async readOfVisible({ organizationId, filter, after, limit }: FeedQuery): Promise<FeedPage> {
    await this.feed.append(organizationId);
    const range = { after, limit, most: MOST };
    const { oldest, newest, entries } = await this.feed.listForVisible(organizationId, filter, range);
    await this.feed.noteRead();
    const from = after ?? oldest - 1;
    if (from < oldest - 1) throw positionDeleted(from, oldest);
    if (from > newest) throw positionUnknown(from, newest);
    const last = entries.length === limit ? entries.at(-1)?.position : undefined;
    return { entries, nextAfter: last ?? Math.min(newest, from + MOST), oldest, newest };
  }

  /** For a reader that remembers its position: after a gap it continues with what is there. */
  async continueOfVisible(organizationId: number, filter: FeedFilter, after: number, limit: number): Promise<FeedPage> {
    const { oldest, newest } = await this.feed.listForVisible(organizationId, filter, { after, limit: 0, most: 0 });
    const from = after > newest ? newest : Math.max(after, oldest - 1);
    return this.readOfVisible({ organizationId, filter, after: from, limit });
  }

  /**
   * The newest position of each organization, with what was committed before. One whose changes cannot be appended now keeps its
   * position, and delays no other organization.
   */
  async newestOfAll(organizationIds: readonly number[]): Promise<Map<number, number>> {
    let states = await this.feed.statesOf(organizationIds);
    if (states.some(({ isWaiting }) => isWaiting)) {
      const waiting = (part: Scope) => this.feed.waiting(part);
      await this.turns.each('feed.append:watch', Scope.organizations(organizationIds), waiting, (one) =>
        this.appendOfVisible(one.organizationId),
      );
      states = await this.feed.statesOf(organizationIds);
    }
    return new Map(states.map(({ id, newest }) => [id, newest]));
  }

  /** Of readers that remember their positions, those that may have something to read. */
  async behindOf<T extends { readonly organizationId: number; readonly position: number }>(
    readers: readonly T[],
  ): Promise<T[]> {
    const ids = [...new Set(readers.map(({ organizationId }) => organizationId))];
    const states = new Map((await this.feed.statesOf(ids)).map((state) => [state.id, state]));
    return readers.filter(({ organizationId, position }) => {
      const { isWaiting = false, newest = 0 } = states.get(organizationId) ?? {};
      return isWaiting || newest !== position;
    });
  }

  /** Gives positions to what was committed before, unless another call does so now. */
  async appendOfVisible(organizationId: number): Promise<void> {
    await this.feed.appendWithoutWaiting(organizationId);
  }

  /** With all that was committed before. */
  async newestOfVisible(organizationId: number): Promise<number> {
    await this.feed.append(organizationId);
    return this.lastKnownOfVisible(organizationId);
  }

  /** Without what has no position yet. */
  async lastKnownOfVisible(organizationId: number): Promise<number> {
    return (await this.feed.statesOf([organizationId]))[0]?.newest ?? 0;
  }

  listAtOfVisible(organizationId: number, positions: readonly number[]): Promise<Entry[]> {
    return this.feed.listAtForVisible(organizationId, positions);
  }
}
