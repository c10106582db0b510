import { Injectable } from '@nestjs/common';
import { forbidden, invalid } from '../../../kernel/domain-error';
import type { ApiRequest } from '../../../platform/api/api-request';
import type { Caller } from '../../../platform/api/caller';
import { Authenticator } from '../../../platform/auth/authenticator';
import { basicCredentials } from '../../../platform/auth/basic-credentials';
import { EventStream } from '../../../platform/http/event-stream';
import { OrganizationsService } from '../../organizations';
import { type FeedPage, type FeedQuery, FeedService } from '../feed.service';
import { FeedWatch } from '../feed-watch';
import { OpenFeeds } from '../open-feeds';
import type { ReadFeedQuery } from './feed.requests';
import { type FeedResponse, presentEvents, presentFeed } from './feed.responses';

/** How often the rights are checked again. The text that is sent then also keeps the connection open. */
const CHECK_MS = 5_000;
/** How old the last check may be when entries are sent: no key is cached for more than four seconds, so none gets one after five. */
const CHECK_FOR_ENTRIES_MS = 1_000;
/** The client connects again, so that no connection stays for ever. */
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
    private readonly authenticator: Authenticator,
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
    const { caller, organizationId, signal } = asked;
    let page = await this.feed.read(caller.scope, first);
    const end = this.open.begin(caller.key.id, organizationId);
    signal.addEventListener('abort', end);
    const started = performance.now();
    let checked = started;
    try {
      for (;;) {
        yield page;
        const restMs = maxMs - (performance.now() - started);
        if (restMs <= 0 || signal.aborted || this.watch.isClosed) return;
        if (page.nextAfter === page.newest)
          await this.watch.next(organizationId, page.newest, Math.min(CHECK_MS, restMs), signal);
        page = await this.feed.readOfVisible({ ...first, after: page.nextAfter });
        if (performance.now() - checked >= (page.entries.length > 0 ? CHECK_FOR_ENTRIES_MS : CHECK_MS)) {
          await this.requireAccess(asked);
          checked = performance.now();
        }
      }
    } finally {
      end();
    }
  }

  /** Like a new request: the key may have been revoked or narrowed, and its user may have left the organization. */
  private async requireAccess({ request, organizationId }: FeedRequest): Promise<void> {
    const credentials = basicCredentials(request);
    const { caller } =
      credentials === undefined
        ? {}
        : await this.authenticator.authenticate(credentials.username, credentials.password);
    if (caller === undefined || !caller.key.scopes.some((scope) => scope !== 'ci'))
      throw forbidden('The API key may no longer read the feed.');
    await this.organizations.get(caller.scope, organizationId);
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
