import { Injectable } from '@nestjs/common';
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

/** The most positions of a page. */
const MOST = 10_000;

/** Reads the feed of an organization: every change, in order, without gaps. */
@Injectable()
export class FeedService {
  constructor(
    private readonly feed: FeedRepository,
    private readonly organizations: OrganizationsService,
  ) {}

  async read(scope: Scope, query: FeedQuery): Promise<FeedPage> {
    const { id } = await this.organizations.get(scope, query.organizationId);
    return this.readOfVisible({ ...query, organizationId: id });
  }

  /** The newest that match, the newest first. */
  async newest(scope: Scope, organizationId: number, filter: FeedFilter, limit: number): Promise<Entry[]> {
    const { id } = await this.organizations.get(scope, organizationId);
    await this.feed.append(id);
    return this.feed.listNewestForVisible(id, filter, MOST, limit);
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

  /** The newest positions, and which organizations have changes without one. */
  statesOf(organizationIds: readonly number[]): Promise<FeedState[]> {
    return this.feed.statesOf(organizationIds);
  }

  /** With all that was committed before. */
  async newestOfVisible(organizationId: number): Promise<number> {
    await this.feed.append(organizationId);
    const [state] = await this.feed.statesOf([organizationId]);
    return state?.newest ?? 0;
  }

  listAtOfVisible(organizationId: number, positions: readonly number[]): Promise<Entry[]> {
    return this.feed.listAtForVisible(organizationId, positions);
  }
}
