import type { Socket } from 'node:net';
import { Dialler } from './dialler';
import { Egress } from './egress';
import type { Endpoint } from './endpoint';
import { type Exchange, ExchangeFailed, Failed, failureOf } from './exchange';
import { watchIntake } from './intake';
import { alertOf, type Handshake, secure, type TlsOffer } from './handshake';
import { exchangeHttp, type HttpAnswer, type HttpRequest, urlOf } from './http';
import { DEFAULT_LIMITS, type Limits } from './limits';
import { Pace } from './pace';
import { Recording } from './recording';
import { type DnsAnswer, type DnsType, Resolver } from './resolver';
import type { Route } from './route';
import { converse, type TcpStep } from './tcp';

export interface TransportOptions {
  /** Who we are and whom to write to. */
  readonly userAgent: string;
  /** Endpoints that are reachable although no rule allows it: for tests and the demo. */
  readonly egressAllow?: readonly Endpoint[];
  /** Where this service itself listens; 0.0.0.0 and :: stand for every interface. */
  readonly ownListeners?: readonly Endpoint[];
  /** Name servers, as `address` or `address:port`; without them those of the machine. */
  readonly dnsServers?: readonly string[];
  readonly limits?: Partial<Limits>;
}

/** On whose behalf and how an exchange runs. */
export interface Via {
  /** Ends the exchange at once; its reason is thrown as it is. */
  readonly signal: AbortSignal;
  /** Through this beacon and nowhere else. */
  readonly route?: Route;
  /** The one address of the host to dial, and no other; one that `addresses` gave. */
  readonly address?: string;
  /** A probe's number. */
  readonly turn?: number;
}

export interface Outcome<T> {
  readonly value: T;
  readonly exchange: Exchange;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

type Work<T> = (dial: () => Promise<Socket>, signal: AbortSignal) => Promise<T>;

/** Everything that the service says to a target goes through here: one gate, one clock, one record for each exchange. */
export class Transport {
  private readonly limits: Limits;
  private readonly resolver: Resolver;
  private readonly dialler: Dialler;
  private readonly pace: Pace;
  private readonly userAgent: string;

  constructor(options: TransportOptions) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.userAgent = options.userAgent;
    this.resolver = new Resolver(options.dnsServers);
    const egress = new Egress(options.egressAllow, options.ownListeners);
    this.dialler = new Dialler(egress, this.resolver, this.limits.connectMs);
    this.pace = new Pace(this.limits);
  }

  http(request: HttpRequest, via: Via): Promise<Outcome<HttpAnswer>> {
    const recording = new Recording('http', urlOf(request));
    return this.onSocket(recording, request, via, (dial, signal) =>
      exchangeHttp(request, dial, recording, signal, { limits: this.limits, userAgent: this.userAgent }),
    );
  }

  tls(place: Place, offer: TlsOffer, via: Via): Promise<Outcome<Handshake>> {
    const recording = new Recording('tls', `${place.host}:${place.port}`);
    recording.send(
      `ClientHello ${offer.minVersion ?? 'TLSv1'} to ${offer.maxVersion ?? 'TLSv1.3'} ${offer.ciphers ?? ''}`.trim(),
    );
    return this.onSocket<Handshake>(recording, place, via, async (dial) => {
      const socket = await dial();
      try {
        await secure(socket, place.host, recording, offer);
      } catch (error) {
        const alert = alertOf(error);
        if (alert === null) throw error;
        recording.receiveHead(`alert: ${alert}`);
        return { state: 'refused', alert };
      }
      if (recording.tls === null) throw new Failed('tls', 'the TLS handshake failed');
      return { state: 'agreed', tls: recording.tls };
    });
  }

  tcp(place: Place, steps: readonly TcpStep[], via: Via): Promise<Outcome<Buffer[]>> {
    const recording = new Recording('tcp', `${place.host}:${place.port}`);
    const { conversationMs } = this.limits;
    const work: Work<Buffer[]> = async (dial) => converse(await dial(), steps, recording);
    return this.onSocket(recording, place, via, work, conversationMs);
  }

  /** A question to the configured name servers: not to a target, so no gate, but the same clock and record. */
  dns(name: string, type: DnsType, via: Via): Promise<Outcome<DnsAnswer>> {
    const recording = new Recording('dns', `${name} ${type}`);
    recording.send(`${name} IN ${type}`);
    return this.timed(recording, this.limits.exchangeMs, via.signal, async (signal) => {
      const answer = await this.resolver.query(name, type, signal);
      recording.receiveHead(`${answer.state}\n`);
      recording.receive(Buffer.from(answer.records.join('\n')));
      return answer;
    });
  }

  /** Every address at which the rules let this place be reached, in the same order whatever order the DNS gives them. */
  async addresses({ host, port }: Place, { signal, route }: Via): Promise<string[]> {
    const recording = new Recording('dns', host);
    const { value } = await this.timed(recording, this.limits.exchangeMs, signal, (timed) =>
      this.dialler.endpoints(host, port, timed, route, true),
    );
    return value.map(({ address }) => address).sort();
  }

  private async onSocket<T>(
    recording: Recording,
    { host, port }: Place,
    via: Via,
    work: Work<T>,
    longest = Infinity,
  ): Promise<Outcome<T>> {
    const { route, address } = via;
    const before = Date.now();
    const { value: endpoints } = await this.timed(recording, this.limits.exchangeMs, via.signal, async (signal) =>
      address === undefined ? this.dialler.endpoints(host, port, signal, route) : [{ address, port }],
    );
    const left = Math.min(longest, this.limits.exchangeMs - (Date.now() - before));
    // Waiting for a turn is our politeness, not the target's time.
    const leave = await this.pace.enter(endpoints[0]?.address ?? host, via.signal);
    recording.endpoint = endpoints[0] ?? null;
    try {
      return await this.timed(recording, left, via.signal, (signal, give) => {
        const dial = async (): Promise<Socket> => {
          const { socket, endpoint } = await this.dialler.dial(endpoints, signal, route);
          recording.endpoint = endpoint;
          // The signal ends with the exchange, and no socket outlives it.
          signal.addEventListener('abort', () => socket.destroy(), { once: true });
          if (signal.aborted) socket.destroy();
          else watchIntake(socket, this.limits.bytes, signal, give);
          return socket;
        };
        return work(dial, signal);
      });
    } finally {
      leave();
    }
  }

  /** Ends with `work`, with the clock or with the caller's signal, whichever is first: never later. */
  private async timed<T>(
    recording: Recording,
    ms: number,
    caller: AbortSignal,
    work: (signal: AbortSignal, give: (up: Failed) => void) => Promise<T>,
  ): Promise<Outcome<T>> {
    caller.throwIfAborted();
    const clock = new AbortController();
    const timer = setTimeout(
      () => clock.abort(new Failed('timeout', `no complete answer within ${ms} ms`)),
      Math.max(0, ms),
    );
    const signal = AbortSignal.any([caller, clock.signal]);
    const ended = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    try {
      const value = await Promise.race([work(signal, (up) => clock.abort(up)), ended]);
      return { value, exchange: recording.end(null) };
    } catch (error) {
      caller.throwIfAborted();
      const failure = failureOf(clock.signal.aborted ? clock.signal.reason : error);
      if (failure === null) throw error;
      throw new ExchangeFailed(recording.end(failure), failure);
    } finally {
      clearTimeout(timer);
      clock.abort();
    }
  }
}
