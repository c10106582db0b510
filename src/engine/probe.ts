import { randomBytes } from 'node:crypto';
import type { Decisive } from './baseline';
import { fetchPage, type Page, type Reach, MISSING_PATH } from './page';
import { isWeb, type Target } from './target';
import { type Exchange, ExchangeFailed, ExchangeError } from './transport/exchange';
import type { HttpAnswer } from './transport/http';
import type { Handshake, TlsOffer } from './transport/handshake';
import type { DnsAnswer, DnsType } from './transport/resolver';
import type { TcpStep } from './transport/tcp';
import type { Outcome, Transport, Via } from './transport/transport';

export interface ProbeRequest {
  /** By default the target's path. */
  readonly path?: string;
  readonly method?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** How many redirects are followed; none by default. */
  readonly hops?: number;
  /** How far; by default within the asset. */
  readonly reach?: Reach;
  /** With a query that nobody has sent before, so that no cache answers in the place of the target. */
  readonly fresh?: boolean;
}

/**
 * What a check asks its target with. Each answer is complete: whatever else happens (down, slow, reset, cut short, too
 * large) ends the look as inconclusive, without the check's doing.
 */
export interface Probe {
  http(request: ProbeRequest): Promise<Page>;
  /** Says of an answer that it is the very thing that was asked for, and no page that stands in its place. */
  markAsGenuine(answer: Page): void;
  /** A handshake; a refusal by alert is an answer too. */
  tls(offer?: TlsOffer): Promise<Handshake>;
  /** A conversation; one reply for each step. */
  tcp(steps: readonly TcpStep[]): Promise<Buffer[]>;
  /** A question about any name; a name server that fails or is silent is no answer and ends the look as well. */
  dns(name: string, type: DnsType): Promise<DnsAnswer>;
}

/** An answer that a check asked for, with what it asked. */
export interface AnsweredRequest {
  readonly key: string;
  readonly path: string;
  readonly request: ProbeRequest;
  readonly answer: Page;
}

/** What an earlier probe of the same target was answered. Only what is decisive is asked again. */
export interface Replay {
  readonly decisive: Decisive;
  readonly answers: ReadonlyMap<string, Page>;
  readonly handshakes: readonly Handshake[];
}

interface Settings {
  readonly replay: Replay | null;
  /** The key of the request that is sent with a query that nobody has sent before. */
  readonly uncached: string | null;
}

/** Paths that surely do not exist are another one each time, and one request. */
const keyOf = (method: string, path: string): string => `${method} ${path.replace(MISSING_PATH, '/nothing-*')}`;

export const isForMissingPath = (key: string): boolean => key.includes('/nothing-*');

/** A query changes what is asked for where there is one already, or where more than a path is asked. */
const acceptsQuery = ({ method = 'GET', body }: ProbeRequest, path: string): boolean =>
  method === 'GET' && body === undefined && !path.includes('?');

function sentPath(path: string, fresh: boolean): string {
  if (!fresh) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${randomBytes(6).toString('hex')}`;
}

/** A probe of one target, which keeps everything that was exchanged. */
export class TargetProbe implements Probe {
  readonly exchanges: Exchange[] = [];
  readonly requests: AnsweredRequest[] = [];
  readonly handshakes: Handshake[] = [];
  /** What the check was told last: where it found the weakness, if it found it. */
  last: Decisive = { kind: 'page' };
  private readonly genuine = new Set<Page>();
  private readonly requestCounts = new Map<string, number>();

  constructor(
    private readonly target: Target,
    private readonly transport: Transport,
    private readonly via: Via,
    private readonly settings: Settings = { replay: null, uncached: null },
  ) {}

  async http(request: ProbeRequest): Promise<Page> {
    const { method = 'GET', path = this.target.path, fresh = false } = request;
    const key = this.nextKey(method, path);
    const replayed = this.replayed(key);
    if (replayed !== null) return replayed;
    const isUncached = key === this.settings.uncached && acceptsQuery(request, path);
    const answer = await this.requestPage({ ...request, fresh: fresh || isUncached });
    this.requests.push({ key, path, request, answer });
    this.last = { kind: 'http', key };
    return answer;
  }

  markAsGenuine(answer: Page): void {
    this.genuine.add(answer);
  }

  isGenuine(answer: Page): boolean {
    return this.genuine.has(answer);
  }

  /** The same request for the second time (with other headers, perhaps) is another one. */
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

  /** Asks without the answer being the check's: for what the engine itself wants to know. */
  async requestPage(
    { path = this.target.path, hops = 0, reach, fresh = false, ...request }: ProbeRequest,
    first?: HttpAnswer,
  ): Promise<Page> {
    const { target } = this;
    if (!isWeb(target)) throw new ExchangeError('protocol', 'this target does not speak HTTP');
    const { scheme, host, port } = target;
    const wanted = { ...request, scheme, host, port, path: sentPath(path, fresh) };
    const record = (exchange: Exchange): void => void this.exchanges.push(exchange);
    return this.recordFailure(fetchPage(this.transport, wanted, { hops, reach, first }, this.via, record));
  }

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
