import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { VNode } from 'preact';
import { DomainError } from '../../kernel/domain-error';
import { FeedWatch } from '../../modules/feed';
import { requireAccess } from '../../platform/api/standing-access';
import { renderPart } from '../frame/render';
import type { PortalRequest } from '../http/portal-request';
import { plainView } from '../http/view-of';
import { LiveStream } from './live-stream';
import { type Reading, Watch } from './watch';

/** What a page follows while a worker runs it. */
export interface Followed<State> {
  /** Streams of the same work share its reads. */
  readonly key: string;
  readonly organizationId: number;
  /** The caller's rights were checked, so this reads for everyone who follows it. */
  read(): Promise<Reading<State>>;
  render(state: State): VNode;
}

/** Browsers open at most six connections to a server over HTTP/1.1, and the pages need some of them. */
const MAX_OF_SESSION = 4;
const MAX_STREAMS = 200;

interface Holder {
  readonly session: number;
  readonly user: number;
  readonly organization: number;
}

/** None takes those of others, with however many sessions: an organization leaves as many places free as it takes. */
const mostWhere = (free: number): readonly (readonly [of: keyof Holder, most: number])[] => [
  ['session', MAX_OF_SESSION],
  ['user', 2 * MAX_OF_SESSION],
  ['organization', Math.min(MAX_STREAMS / 4, free)],
];

const RETRY_SECONDS = 10;
/** Without an entry in the feed. */
const READ_AGAIN_MS = 30_000;

/** Server-sent events: the part of a page that changes while a worker runs, as HTML, until the work ends. */
@Injectable()
export class LiveStreams implements BeforeApplicationShutdown {
  private readonly logger = new Logger('portal');
  private readonly watches = new Map<string, Watch<unknown>>();
  private readonly streams = new Map<LiveStream, Holder>();
  private isClosed = false;

  constructor(private readonly feed: FeedWatch) {}

  get size(): number {
    return this.streams.size;
  }

  open<State>(request: PortalRequest, response: Response, followed: Followed<State>): void {
    // The browser has left while the rights were checked, and no event will say so.
    if (response.destroyed) return;
    if (this.isClosed || this.streams.size >= MAX_STREAMS) throw tooManyStreams('all users');
    const holder: Holder = {
      session: request.portalSession?.id ?? 0,
      user: request.caller?.facts.userId ?? 0,
      organization: followed.organizationId,
    };
    const open = [...this.streams.values()];
    for (const [of, most] of mostWhere(MAX_STREAMS - open.length))
      if (open.filter((one) => one[of] === holder[of]).length >= most) throw tooManyStreams(`this ${of}`);
    const watch = this.watchOf(followed);
    const stream = new LiveStream(response, () => requireAccess(request));
    this.streams.set(stream, holder);
    const view = plainView(request);
    const leave = watch.join({
      show: (state) => stream.send(renderPart(followed.render(state), view)),
      end: () => stream.end(),
      fail: () => stream.close(),
    });
    response.once('close', () => {
      this.streams.delete(stream);
      leave();
    });
  }

  /** Otherwise the server would wait for the streams. */
  beforeApplicationShutdown(): void {
    this.isClosed = true;
    for (const stream of this.streams.keys()) stream.close();
  }

  private watchOf<State>({ key, organizationId, read }: Followed<State>): Watch<State> {
    const known = this.watches.get(key) as Watch<State> | undefined;
    if (known !== undefined) return known;
    const feed = {
      newest: () => this.feed.newest(organizationId),
      next: (after: number, signal: AbortSignal) => this.feed.next(organizationId, after, READ_AGAIN_MS, signal),
    };
    const watch = new Watch<State>(read, feed, {
      stopped: () => this.watches.delete(key),
      failed: (error) => this.logger.warn(`reading the progress of ${key}: ${String(error)}`),
    });
    this.watches.set(key, watch);
    return watch;
  }
}

const tooManyStreams = (whose: string): DomainError =>
  new DomainError(
    'too_many_requests',
    `Too many pages of ${whose} follow running work. The page asks for its progress from time to time instead.`,
    RETRY_SECONDS,
  );
