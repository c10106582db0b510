import type { Callbacks } from './callbacks';
import type { ExperimentRecord } from './experiment-record';
import type { Decisive } from './baseline';
import { fetchPage, missingSiblingOf, type Page, sentPath } from './page';
import { QuietTimes } from './quiet-times';
import type { AnsweredRequest } from './answered-request';
import type { ProbeRequest } from './probe-request';
import { forgedAnswer, submitted } from './submitted';
import { isWeb, type Target } from './target';
import { prefersHttp2 } from './transport/client-identity';
import { type Exchange, ExchangeFailed, ExchangeError } from './transport/exchange';
import type { HttpAnswer } from './transport/http';
import type { Handshake, TlsOffer } from './transport/handshake';
import type { DnsAnswer, DnsType } from './transport/resolver';
import type { TcpStep } from './transport/tcp';
import type { Outcome, Transport, Via } from './transport/transport';
import { withoutMadeUp } from '../kernel/made-up-path';

/**
 * The requests that a check can send. Every response is complete: any failure (down, slow, reset, truncated, too large) makes the
 * probe inconclusive.
 */
export interface Probe {
  http(request: ProbeRequest): Promise<Page>;
  /** States that a response is the requested content, not a page of another system. */
  markAsGenuine(answer: Page): void;
  /** States that an experiment has judged a response, so that it is not compared with the baseline. */
  markAsJudged(answer: Page): void;
  /** Keeps the experiment that showed the weakness. */
  keepExperiment(experiment: ExperimentRecord): void;
  /** States that the weakness no longer shows as it did, so that the next probe may begin. */
  markAsUnshown?: (() => void) | undefined;
  /** The verification sends no other requests until the work has ended. */
  alone?<T>(work: () => Promise<T>): Promise<T>;
  /** Sets the path that showed the weakness, if it is not that of the last request. */
  markAsDecisive(path: string): void;
  readonly callbacks?: Callbacks | undefined;
  readonly submissions?: Via['submissions'];
  readonly session?: Via['session'];
  /** Reads a page without the session and the cookies of the test, past caches. */
  readAsNobody?(path: string): Promise<Page>;
  /** Whether this client offers HTTP/2 in handshakes, as browsers do. */
  readonly offersHttp2: boolean;
  /** For comparison only: it does not count as a request of the check. `askBeside` requests a missing path next to it. */
  requestPage(request: ProbeRequest): Promise<Page>;
  askBeside(request: ProbeRequest): Promise<Page>;
  /** A TLS handshake. A refusal by alert also counts as an answer. */
  tls(offer?: TlsOffer): Promise<Handshake>;
  /** A conversation; one reply for each step. */
  tcp(steps: readonly TcpStep[]): Promise<Buffer[]>;
  /** A DNS query for any name. A name server that fails or does not respond ends the probe as inconclusive. */
  dns(name: string, type: DnsType): Promise<DnsAnswer>;
}

/** The responses of an earlier probe. Only the decisive request is sent again. */
export interface Replay {
  readonly decisive: Decisive;
  readonly answers: ReadonlyMap<string, Page>;
  readonly handshakes: readonly Handshake[];
}

export type { ProbeRequest };

interface Settings {
  readonly replay: Replay | null;
  /** The key of the request that gets a random query. */
  readonly uncached: string | null;
  readonly onAnswer?: ((asked: AnsweredRequest) => void) | undefined;
  readonly quiet?: QuietTimes;
}

/** Methods that change nothing. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Random missing paths count as the same request. */
const keyOf = (method: string, path: string): string => `${method} ${withoutMadeUp(path)}`;

export const isForMissingPath = (key: string): boolean => key.includes('nothing-*');

/** Whether a random query can be added without changing the meaning of the request. */
const acceptsQuery = ({ method = 'GET', body }: ProbeRequest, path: string): boolean =>
  method === 'GET' && body === undefined && !path.includes('?');

/** A probe of one target. It records all exchanges. */
export class TargetProbe implements Probe {
  readonly exchanges: Exchange[] = [];
  readonly requests: AnsweredRequest[] = [];
  readonly handshakes: Handshake[] = [];
  /** The last request of the check: the decisive one, if the check found the weakness. */
  last: Decisive = { kind: 'page' };
  /** The experiment that showed the weakness, if there was one. */
  experiment: ExperimentRecord | null = null;
  markAsUnshown: Probe['markAsUnshown'];
  readonly offersHttp2 = prefersHttp2(this.via.client ?? 'assay');
  readonly callbacks = this.via.route === undefined ? this.via.callbacks : undefined;
  readonly submissions = this.via.submissions;
  readonly session = this.via.session;
  private readonly genuine = new Set<Page>();
  private readonly judged = new Set<Page>();
  private readonly requestCounts = new Map<string, number>();
  private readonly quiet = this.settings.quiet ?? new QuietTimes();

  constructor(
    private readonly target: Target,
    private readonly transport: Transport,
    private readonly via: Via,
    private readonly settings: Settings = { replay: null, uncached: null },
  ) {}

  async http(request: ProbeRequest): Promise<Page> {
    const { method = 'GET', path = this.target.path, fresh = false, name = path } = request;
    const key = this.nextKey(method, name);
    const replayed = this.replayed(key);
    if (replayed !== null) return replayed;
    const isUncached = key === this.settings.uncached && acceptsQuery(request, path);
    const answer = await this.requestPage({ ...request, fresh: fresh || isUncached });
    const asked = { key, path, request, answer };
    this.requests.push(asked);
    this.settings.onAnswer?.(asked);
    this.last = { kind: 'http', key };
    return answer;
  }

  askBeside({ path = this.target.path, ...request }: ProbeRequest): Promise<Page> {
    const [own = '/', query] = path.split('?', 2);
    return this.requestPage({ ...request, path: `${missingSiblingOf(own)}${query === undefined ? '' : `?${query}`}` });
  }

  markAsGenuine(answer: Page): void {
    this.genuine.add(answer);
  }

  markAsJudged(answer: Page): void {
    this.judged.add(answer);
  }

  isJudged(answer: Page): boolean {
    return this.judged.has(answer);
  }

  keepExperiment(experiment: ExperimentRecord): void {
    this.experiment = experiment;
  }

  markAsDecisive(path: string): void {
    const asked = this.requests.find((request) => request.path === path);
    if (asked !== undefined) this.last = { kind: 'http', key: asked.key };
  }

  isGenuine(answer: Page): boolean {
    return this.genuine.has(answer);
  }

  /** A repeated request, which may have other headers, gets its own key. */
  private nextKey(method: string, path: string): string {
    const key = keyOf(method, path);
    const requestCounts = (this.requestCounts.get(key) ?? 0) + 1;
    this.requestCounts.set(key, requestCounts);
    return requestCounts === 1 ? key : `${key} #${requestCounts}`;
  }

  private replayed(key: string): Page | null {
    const { replay } = this.settings;
    if (replay === null || (replay.decisive.kind === 'http' && replay.decisive.key === key)) return null;
    return replay.answers.get(key) ?? null;
  }

  async requestPage(
    {
      path = this.target.path,
      hops = 0,
      reach,
      fresh = false,
      cookies,
      alone,
      submits,
      forged,
      name: _name,
      ...request
    }: ProbeRequest,
    first?: HttpAnswer,
  ): Promise<Page> {
    const { target } = this;
    if (!isWeb(target)) throw new ExchangeError('protocol', 'this target does not speak HTTP');
    const { scheme, host, port } = target;
    // Where a body is tested, also what is sent for comparison may change the target.
    const mayChange = (target.within === 'form' || target.within === 'json') && !READING.has(request.method ?? 'GET');
    const wanted = { ...request, scheme, host, port, path: sentPath(path, fresh), ...(mayChange && { mayChange }) };
    const record = (exchange: Exchange): void => void this.exchanges.push(exchange);
    const via = { ...this.via, alone };
    const fetch = (): Promise<Page> =>
      forged !== undefined
        ? forgedAnswer(this.transport, wanted, forged, via, record)
        : submits === undefined
          ? fetchPage(this.transport, wanted, { hops, reach, first, cookies }, via, record)
          : submitted(this.transport, wanted, submits, via, record);
    return this.recordFailure(this.quiet.beside(this, fetch));
  }

  readAsNobody(path: string): Promise<Page> {
    const { target, via } = this;
    if (!isWeb(target)) throw new ExchangeError('protocol', 'this target does not speak HTTP');
    const { scheme, host, port } = target;
    const request = { scheme, host, port, path: sentPath(path, true) };
    const record = (exchange: Exchange): void => void this.exchanges.push(exchange);
    const fetch = () => fetchPage(this.transport, request, { hops: 0 }, { ...via, session: undefined }, record);
    return this.recordFailure(this.quiet.beside(this, fetch));
  }

  alone = <T>(work: () => Promise<T>): Promise<T> => this.quiet.alone(this, work);

  async tls(offer: TlsOffer = {}): Promise<Handshake> {
    const { replay } = this.settings;
    const known = replay?.decisive.kind === 'tls' ? undefined : replay?.handshakes[this.handshakes.length];
    const handshake = known ?? (await this.recordOutcome(this.transport.tls(this.target, offer, this.via)));
    this.handshakes.push(handshake);
    if (known === undefined) this.last = { kind: 'tls' };
    return handshake;
  }

  async tcp(steps: readonly TcpStep[]): Promise<Buffer[]> {
    const replies = await this.recordOutcome(this.transport.tcp(this.target, steps, this.via));
    this.last = { kind: 'tcp' };
    return replies;
  }

  async dns(name: string, type: DnsType): Promise<DnsAnswer> {
    const outcome = await this.recordFailure(this.transport.dns(name, type, this.via));
    this.exchanges.push(outcome.exchange);
    const { state } = outcome.value;
    if (state === 'found' || state === 'none') return outcome.value;
    const reason = state === 'timeout' ? 'no name server responded' : 'the name server failed';
    throw new ExchangeFailed(outcome.exchange, { code: 'unresolved', reason });
  }

  private async recordOutcome<T>(requests: Promise<Outcome<T>>): Promise<T> {
    const { value, exchange } = await this.recordFailure(requests);
    this.exchanges.push(exchange);
    return value;
  }

  private async recordFailure<T>(requests: Promise<T>): Promise<T> {
    try {
      return await requests;
    } catch (error) {
      if (error instanceof ExchangeFailed) this.exchanges.push(error.exchange);
      throw error;
    }
  }
}
