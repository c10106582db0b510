import { Injectable, Logger } from '@nestjs/common';
import type { Scope } from '../../platform/api/scope';
import { OrganizationsService } from '../organizations';
import { type Entry, type FeedFilter, FeedRepository, type FeedState } from './data/feed.repository';
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
  private readonly logger = new Logger('feed');

  constructor(
    private readonly feed: FeedRepository,
    private readonly organizations: OrganizationsService,
  ) {}

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
   * The newest position of each organization, with what was committed before. Appends for each by itself: one whose changes cannot
   * be appended now keeps its position, and delays no other one.
   */
  async newestOfAll(organizationIds: readonly number[]): Promise<Map<number, number>> {
    const newest = new Map<number, number>();
    for (const state of await this.feed.statesOf(organizationIds)) newest.set(state.id, await this.newestOf(state));
    return newest;
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

  private async newestOf({ id, newest, isWaiting }: FeedState): Promise<number> {
    if (!isWaiting) return newest;
    try {
      return await this.feed.appendWithoutWaiting(id);
    } catch (error) {
      this.logger.warn(`appending the changes of organization ${id}: ${String(error)}`);
      return newest;
    }
  }
}
