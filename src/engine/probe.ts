import { randomBytes } from 'node:crypto';
import type { Decisive } from './baseline';
import { MISSING_PATH } from './missing-path';
import { fetchPage, type Page, type Reach } from './page';
import { isWeb, type Target } from './target';
import { type Exchange, ExchangeFailed, Failed } from './transport/exchange';
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
  recognise(answer: Page): void;
  /** A handshake; a refusal by alert is an answer too. */
  tls(offer?: TlsOffer): Promise<Handshake>;
  /** A conversation; one reply for each step. */
  tcp(steps: readonly TcpStep[]): Promise<Buffer[]>;
  /** A question about any name; a name server that fails or is silent is no answer and ends the look as well. */
  dns(name: string, type: DnsType): Promise<DnsAnswer>;
}

/** An answer that a check asked for, with what it asked. */
export interface Asked {
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
const takesQuery = ({ method = 'GET', body }: ProbeRequest, path: string): boolean =>
  method === 'GET' && body === undefined && !path.includes('?');

function sentPath(path: string, fresh: boolean): string {
  if (!fresh) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${randomBytes(6).toString('hex')}`;
}

/** A probe of one target, which keeps everything that was exchanged. */
export class TargetProbe implements Probe {
  readonly exchanges: Exchange[] = [];
  readonly asked: Asked[] = [];
  readonly handshakes: Handshake[] = [];
  /** What the check was told last: where it found the weakness, if it found it. */
  last: Decisive = { kind: 'page' };
  private readonly recognised = new Set<Page>();
  private readonly times = new Map<string, number>();

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
    const isUncached = key === this.settings.uncached && takesQuery(request, path);
    const answer = await this.quietly({ ...request, fresh: fresh || isUncached });
    this.asked.push({ key, path, request, answer });
    this.last = { kind: 'http', key };
    return answer;
  }

  recognise(answer: Page): void {
    this.recognised.add(answer);
  }

  isRecognised(answer: Page): boolean {
    return this.recognised.has(answer);
  }

  /** The same request for the second time (with other headers, perhaps) is another one. */
  private nextKey(method: string, path: string): string {
    const key = keyOf(method, path);
    const times = (this.times.get(key) ?? 0) + 1;
    this.times.set(key, times);
    return times === 1 ? key : `${key} #${times}`;
  }

  private replayed(key: string): Page | null {
    const { replay } = this.settings;
    if (replay === null || (replay.decisive.kind === 'http' && replay.decisive.key === key)) return null;
    return replay.answers.get(key) ?? null;
  }

  /** Asks without the answer being the check's: for what the engine itself wants to know. */
  async quietly(
    { path = this.target.path, hops = 0, reach, fresh = false, ...request }: ProbeRequest,
    first?: HttpAnswer,
  ): Promise<Page> {
    const { target } = this;
    if (!isWeb(target)) throw new Failed('protocol', 'this target does not speak HTTP');
    const { scheme, host, port } = target;
    const wanted = { ...request, scheme, host, port, path: sentPath(path, fresh) };
    const record = (exchange: Exchange): void => void this.exchanges.push(exchange);
    return this.keeping(fetchPage(this.transport, wanted, { hops, reach, first }, this.via, record));
  }

  async tls(offer: TlsOffer = {}): Promise<Handshake> {
    const { replay } = this.settings;
    const known = replay?.decisive.kind === 'tls' ? undefined : replay?.handshakes[this.handshakes.length];
    const handshake = known ?? (await this.kept(this.transport.tls(this.target, offer, this.via)));
    this.handshakes.push(handshake);
    if (known === undefined) this.last = { kind: 'tls' };
    return handshake;
  }

  async tcp(steps: readonly TcpStep[]): Promise<Buffer[]> {
    const replies = await this.kept(this.transport.tcp(this.target, steps, this.via));
    this.last = { kind: 'tcp' };
    return replies;
  }

  async dns(name: string, type: DnsType): Promise<DnsAnswer> {
    const outcome = await this.keeping(this.transport.dns(name, type, this.via));
    this.exchanges.push(outcome.exchange);
    const { state } = outcome.value;
    if (state === 'found' || state === 'none') return outcome.value;
    const reason = state === 'timeout' ? 'no name server answers' : 'the name server fails';
    throw new ExchangeFailed(outcome.exchange, { code: 'unresolved', reason });
  }

  private async kept<T>(asked: Promise<Outcome<T>>): Promise<T> {
    const { value, exchange } = await this.keeping(asked);
    this.exchanges.push(exchange);
    return value;
  }

  private async keeping<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      if (error instanceof ExchangeFailed) this.exchanges.push(error.exchange);
      throw error;
    }
  }
}
