import { Injectable } from '@nestjs/common';
import { invalid } from '../../../kernel/domain-error';
import type { ApiRequest } from '../../../platform/api/api-request';
import type { Caller } from '../../../platform/api/caller';
import { requireAccess } from '../../../platform/api/standing-access';
import { EventStream } from '../../../platform/http/event-stream';
import { OrganizationsService } from '../../organizations';
import { type FeedPage, type FeedQuery, FeedService } from '../feed.service';
import { FeedWatch } from '../feed-watch';
import { OpenFeeds } from '../open-feeds';
import type { ReadFeedQuery } from './feed.requests';
import { type FeedResponse, presentEvents, presentFeed } from './feed.responses';

/** How often the rights are checked again. The text that is sent then also keeps the connection open. */
const CHECK_MS = 5_000;
/** The client connects again, so that no connection stays forever. */
const MAX_AGE_MS = 600_000;

interface FeedRequest {
  readonly caller: Caller;
  readonly organizationId: number;
  readonly query: ReadFeedQuery;
  readonly request: ApiRequest;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** Answers at once, when there is an entry, or with a stream. */
@Injectable()
export class FeedAnswers {
  constructor(
    private readonly feed: FeedService,
    private readonly watch: FeedWatch,
    private readonly open: OpenFeeds,
    private readonly organizations: OrganizationsService,
  ) {}

  async answer(asked: FeedRequest): Promise<FeedResponse | EventStream> {
    const { caller, organizationId, query, request } = asked;
    const isStream = request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream';
    const after = isStream ? (lastEventId(request) ?? query.after) : query.after;
    const first: FeedQuery = { organizationId, filter: query.filter, after, limit: query.most };
    if (!isStream && query.wait === undefined) return presentFeed(await this.feed.read(caller.scope, first));
    const pages = this.pages(asked, first, isStream ? MAX_AGE_MS : (query.wait ?? 0) * 1_000);
    return isStream ? new EventStream(texts(pages)) : presentFeed(await firstWithEntries(pages));
  }

  /** Pages until the time is over, the caller has gone or lost its rights, or the process stops. At least one. */
  private async *pages(asked: FeedRequest, first: FeedQuery, maxMs: number): AsyncGenerator<FeedPage, undefined> {
    const { caller, organizationId, signal, request } = asked;
    let page = await this.feed.read(caller.scope, first);
    const end = this.open.begin(caller.key.id, organizationId);
    signal.addEventListener('abort', end);
    const started = performance.now();
    try {
      for (;;) {
        yield page;
        const restMs = maxMs - (performance.now() - started);
        if (restMs <= 0 || signal.aborted || this.watch.isClosed) return;
        if (page.nextAfter === page.newest)
          await this.watch.next(organizationId, page.newest, Math.min(CHECK_MS, restMs), signal);
        page = await this.feed.readOfVisible({ ...first, after: page.nextAfter });
        if (await requireAccess(request)) await this.organizations.get(caller.scope, organizationId);
      }
    } finally {
      end();
    }
  }
}

/** A client that lost its rights gets an error only if it tries again. */
async function* texts(pages: AsyncGenerator<FeedPage, undefined>): AsyncGenerator<string, undefined> {
  for await (const page of pages) yield presentEvents(page);
}

async function firstWithEntries(pages: AsyncGenerator<FeedPage, undefined>): Promise<FeedPage> {
  let last: FeedPage | undefined;
  for await (const page of pages) {
    last = page;
    if (page.entries.length > 0) break;
  }
  if (last === undefined) throw new Error('the feed had no page');
  return last;
}

const POSITION = /^[0-9]{1,10}$/;

function lastEventId(request: ApiRequest): number | undefined {
  const header = request.headers['last-event-id'];
  if (header === undefined) return undefined;
  if (typeof header === 'string' && POSITION.test(header)) return Number(header);
  throw invalid('Last-Event-ID must be the position of an entry.');
}
