import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import {
  AS_BROWSER,
  asFirstOfKind,
  type ClientBehavior,
  clientBehaviors,
  PLAIN,
  type RandomBelow,
} from './client-behaviors';
import { type Check, type ControlKind, isRepeatable, judgesCertificate, type Spot } from './check';
import { MOST_HOPS, type Page, redirectOf, missingPath } from './page';
import { type Replay, TargetProbe } from './probe';
import { type AnsweredRequest, sentRequest } from './answered-request';
import { QuietTimes } from './quiet-times';
import type { SentRequest } from './sent-request';
import { errorShownIn } from './protocols/http/error-page';
import { SiteLinks } from './site-links';
import { isWeb, locationOf, type Target } from './target';
import type { Exchange } from './transport/exchange';
import type { Transport, Via } from './transport/transport';
import { Twins } from './twin-answers';

interface FetchedPage {
  readonly page: Page;
  readonly exchanges: readonly Exchange[];
}

/**
 * Repeats and experiments at all addresses wait for their turns at the same time. Each listener is removed when its wait ends.
 */
const MOST_WAITING = 200;
/** Larger pages are requested again instead of being kept for other checks. */
const LARGEST_KEPT = 300_000;

const MAX_PROVOKING = 10;

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Requests of one probe. A page that is the control of several checks is requested once. */
export class ProbeSession {
  private readonly pages = new Map<string, Promise<FetchedPage>>();
  /** The errors with which the application answers missing paths, by request. */
  readonly usualErrors = new Map<string, Page>();
  private browser: ProbeSession | null = null;
  private siteLinks = new SiteLinks(this, 0, () => true);
  private spots: Map<string, Spot[]> | null = null;
  /** Requests of a job whose responses show errors that are meant for developers. */
  readonly provoking: SentRequest[] = [];

  constructor(
    readonly transport: Transport,
    readonly via: Via,
    readonly behavior: ClientBehavior = PLAIN,
    private readonly largestKept = Infinity,
    readonly twins = new Twins(),
    private readonly quiet = new QuietTimes(),
  ) {
    setMaxListeners(MOST_WAITING, via.signal);
  }

  now(): Date {
    return this.transport.now();
  }

  /** The same session as a browser. Created on first use. */
  get asBrowser(): ProbeSession {
    this.browser ??= new ProbeSession(
      this.transport,
      { ...this.via, client: 'desktop' },
      AS_BROWSER,
      this.largestKept,
      undefined,
      this.quiet,
    );
    this.browser.siteLinks = this.siteLinks;
    return this.browser;
  }

  /** Also looks for links on some linked pages. */
  followLinks(maxPages: number, isInScope: (place: Target) => boolean): this {
    this.siteLinks = new SiteLinks(this, maxPages, isInScope);
    return this;
  }

  /** Lets checks report the weakness at other places. Each of these is then tested separately. */
  collectSpots(): this {
    this.spots = new Map();
    return this;
  }

  report({ id }: Check): ((spot: Spot) => void) | null {
    const { spots } = this;
    return spots && ((spot) => void spots.set(id, [...(spots.get(id) ?? []), spot]));
  }

  spotsOf({ id }: Check): readonly Spot[] {
    return this.spots?.get(id) ?? [];
  }

  links(target: Target): Promise<readonly URL[]> {
    return this.siteLinks.of(target);
  }

  probe(target: Target, replay: Replay | null = null, decisive: string | null = null, check?: Check): TargetProbe {
    const uncached = this.behavior.uncached ? decisive : null;
    const isOfJob = this.spots !== null && check !== undefined && isRepeatable(check);
    const onAnswer = isOfJob ? (asked: AnsweredRequest) => this.keepProvoking(asked) : undefined;
    return new TargetProbe(
      target,
      this.transport,
      { ...this.via, check },
      { replay, uncached, onAnswer, quiet: this.quiet },
    );
  }

  private keepProvoking(asked: AnsweredRequest): void {
    const { answer, path, request } = asked;
    const mayProvoke = answer.status >= 400 || path.includes('?') || request.body !== undefined;
    if (!mayProvoke || this.provoking.length >= MAX_PROVOKING || errorShownIn(answer.text) === null) return;
    const sent = sentRequest(asked);
    if (sent !== null) this.provoking.push(sent);
  }

  /** With `uncached`, the request has a new random query. */
  page({ parameter: _parameter, ...target }: Target, kind: ControlKind, uncached = false): Promise<FetchedPage> {
    const place = kind === 'missing' ? { ...target, path: folderOf(target.path) } : target;
    const key = `${kind} ${uncached ? 'uncached' : 'plain'} ${locationOf(place)}`;
    const known = this.pages.get(key);
    if (known !== undefined) return known;
    const fetched = this.fetch(place, kind, uncached);
    this.pages.set(key, fetched);
    fetched.then(
      ({ page }) => page.body.length > this.largestKept && this.pages.delete(key),
      () => {},
    );
    return fetched;
  }

  private async fetch(target: Target, kind: ControlKind, uncached: boolean): Promise<FetchedPage> {
    const probe = this.probe(target);
    if (kind === 'followed') {
      // Other checks have already requested the page itself.
      const first = await this.page(target, 'page', uncached);
      if (redirectOf(first.page) === null) return first;
      const page = await probe.requestPage({ path: target.path, hops: MOST_HOPS }, first.page);
      return { page, exchanges: [...first.exchanges, ...probe.exchanges] };
    }
    const path = kind === 'missing' ? `${target.path.slice(0, -1)}${missingPath()}` : target.path;
    const page = await probe.requestPage({ path, fresh: uncached });
    return { page, exchanges: probe.exchanges };
  }
}

/**
 * The sessions of a verification, by address and number. The verifications of one job share them, so that the page of the target
 * is requested sixteen times in all, not for each check.
 */
export class ProbeSessions {
  private readonly sessions = new Map<string, ProbeSession>();
  private readonly behaviors = new Map<string, readonly ClientBehavior[]>();
  /** By address and kind of client, which may get different responses. */
  private readonly twins = new Map<string, Twins>();
  private readonly quiet = new QuietTimes();
  private staysOwn: Promise<boolean> | null = null;

  constructor(
    private readonly transport: Transport,
    private readonly via: Via,
    readonly randomBelow: RandomBelow = randomInt,
  ) {}

  /** Checks of certificates have separate sessions if their client accepts another kind of key. */
  at(address: string | undefined, turn: number, check?: Check): ProbeSession {
    return this.kept(address, turn, asFirstOfKind(this.behaviorAt(address, turn, check)));
  }

  /**
   * Repeats the request as the client of this turn, which may be one that sends no whole probes. Experiments always name the
   * contact.
   */
  async asClient(
    address: string | undefined,
    turn: number,
    place: Target,
    namesContact = false,
  ): Promise<ProbeSession> {
    const behavior = this.behaviorAt(address, turn);
    if (!this.transport.playsClients) return this.at(address, turn);
    const isWithoutContact = behavior.isWithoutContact && !namesContact && (await this.mayOmitContact(place));
    return this.kept(address, turn, { ...behavior, isWithoutContact });
  }

  /** A session of one of the further clients for the page and a missing path. */
  pagesOf({ via: { address, turn = 0 }, behavior: { identity, client } }: ProbeSession): ProbeSession {
    return this.make(address, turn, { ...PLAIN, identity, client }, Infinity);
  }

  /** A new session that shares no pages. */
  fresh(address: string | undefined, turn: number): ProbeSession {
    return this.make(address, turn, asFirstOfKind(this.behaviorAt(address, turn)), Infinity);
  }

  private mayOmitContact(place: Target): Promise<boolean> {
    this.staysOwn ??= isWeb(place) ? this.transport.staysOwn(place, this.via) : Promise.resolve(false);
    return this.staysOwn;
  }

  private behaviorAt(address: string | undefined, turn: number, check?: Check): ClientBehavior {
    const behaviors = this.behaviors.get(`${address}`) ?? clientBehaviors(this.randomBelow);
    this.behaviors.set(`${address}`, behaviors);
    const { keyClient, ...behavior } = behaviors[turn] ?? PLAIN;
    return check !== undefined && judgesCertificate(check) ? { ...behavior, keyClient } : behavior;
  }

  private kept(address: string | undefined, turn: number, behavior: ClientBehavior): ProbeSession {
    const key = [address, turn, behavior.client, behavior.isWithoutContact, behavior.keyClient].join(' ');
    const known = this.sessions.get(key) ?? this.make(address, turn, behavior, LARGEST_KEPT);
    this.sessions.set(key, known);
    return known;
  }

  private make(address: string | undefined, turn: number, behavior: ClientBehavior, largestKept: number): ProbeSession {
    const { client, isWithoutContact, bypassCaches, fromOddPort, keyClient } = behavior;
    const via: Via = { ...this.via, turn, client, isWithoutContact, bypassCaches, fromOddPort, keyClient };
    const kind = `${address} ${behavior.identity}`;
    const twins = this.twins.get(kind) ?? new Twins();
    this.twins.set(kind, twins);
    const there = address === undefined ? via : { ...via, address };
    return new ProbeSession(this.transport, there, behavior, largestKept, twins, this.quiet);
  }
}
