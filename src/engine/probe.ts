import { randomBytes } from 'node:crypto';
import { fetchPage, type Page, type Reach } from './page';
import { isWeb, type Target } from './target';
import { type Exchange, ExchangeFailed, Failed } from './transport/exchange';
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
 * large) ends the look as unclear, without the check's doing.
 */
export interface Probe {
  http(request: ProbeRequest): Promise<Page>;
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

function sentPath(path: string, fresh: boolean): string {
  if (!fresh) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${randomBytes(6).toString('hex')}`;
}

/** A probe of one target, which keeps everything that was exchanged. */
export class TargetProbe implements Probe {
  readonly exchanges: Exchange[] = [];
  readonly asked: Asked[] = [];

  constructor(
    private readonly target: Target,
    private readonly transport: Transport,
    private readonly via: Via,
  ) {}

  async http(request: ProbeRequest): Promise<Page> {
    const answer = await this.quietly(request);
    const { method = 'GET', path = this.target.path } = request;
    this.asked.push({ key: `${method} ${path}`, path, request, answer });
    return answer;
  }

  /** Asks without the answer being the check's: for what the engine itself wants to know. */
  async quietly({ path = this.target.path, hops = 0, reach, fresh = false, ...request }: ProbeRequest): Promise<Page> {
    const { target } = this;
    if (!isWeb(target)) throw new Failed('protocol', 'this target does not speak HTTP');
    const { scheme, host, port } = target;
    const wanted = { ...request, scheme, host, port, path: sentPath(path, fresh) };
    const record = (exchange: Exchange): void => void this.exchanges.push(exchange);
    return this.keeping(fetchPage(this.transport, wanted, hops, this.via, record, reach));
  }

  tls(offer: TlsOffer = {}): Promise<Handshake> {
    return this.kept(this.transport.tls(this.target, offer, this.via));
  }

  tcp(steps: readonly TcpStep[]): Promise<Buffer[]> {
    return this.kept(this.transport.tcp(this.target, steps, this.via));
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
