import { Authorities, type AuthorityAnswer } from './authorities';
import { type ClientName, type Field, identityFields, prefersHttp2, type Presented } from './client-identity';
import { Conversation } from './conversation';
import { canonicalIp } from '../../kernel/cidr';
import type { EgressEntry } from '../../kernel/egress-entry';
import { Dialler } from './dialler';
import { Egress, type EgressRules } from './egress';
import { nameServerEndpoint } from './endpoint';
import { type Exchange, EXCHANGE_ENDED, ExchangeFailed, ExchangeError, type Failure, failureOf } from './exchange';
import { ExchangeClock } from './exchange-clock';
import { NameServers } from './name-servers';
import { observed, type ObservedExchange } from './observed-exchange';
import { alertOf, type Handshake, type KeyClient, secure, type TlsOffer } from './handshake';
import { exchangeHttp, type HttpAnswer, type HttpRequest, type TimedHooks, urlOf } from './http';
import { DEFAULT_LIMITS, limitReceivedBytes, type Limits, MOST_ALIASES } from './limits';
import type { SharedPace } from './rate-limiter';
import { Recording } from './recording';
import { type DnsAnswer, type DnsType, Resolver } from './resolver';
import type { TargetSocket } from './routed-socket';
import type { DialRules, Place, RequestedPlace } from './route';
import { TargetPaces, type Visit } from './target-paces';
import { converse, type TcpStep } from './tcp';
import { takeSubmission, type ViaMeans } from './via-submissions';

type OwnRules = Pick<EgressRules, 'ownListeners' | 'trustSingleAddresses' | 'callbackDomain'>;
export interface TransportOptions extends OwnRules {
  /** The name of the service and a contact. */
  readonly userAgent: string;
  /** The User-Agent for requests as a browser; null disables such requests. */
  readonly browserUserAgent?: string | null;
  /** Endpoints that are allowed although no rule allows them: test networks of organizations, and the demo. */
  readonly egressAllow?: readonly EgressEntry[];
  /** Called for each refused address. */
  readonly onEgressRefusal?: EgressRules['onRefusal'];
  /** The port of authoritative name servers; 53 except in tests. */
  readonly authorityPort?: number;
  /** Name servers, as `address` or `address:port`; by default those of the machine. */
  readonly dnsServers?: readonly string[];
  readonly limits?: Partial<Limits>;
  /** Without it, the limits apply to this process alone. */
  readonly sharedPace?: SharedPace;
  /** Default: the clock of this machine. */
  readonly now?: () => Date;
}

export const NO_PUBLIC_ZONE = 'names behind a beacon have no public zone';

/** The settings of an exchange. */
export interface Via
  extends DialRules, Pick<Visit, 'block' | 'pace' | 'alone'>, Pick<Presented, 'job'>, TimedHooks, ViaMeans {
  /** Ends the exchange immediately. Its reason is thrown unchanged. */
  readonly signal: AbortSignal;
  /** The only address of the host to dial; one that `addresses` returned. */
  readonly address?: string;
  /** The number of the probe. */
  readonly turn?: number;
  /** DNS queries go directly to the servers of each zone, to the one with this number. */
  readonly authority?: {
    readonly servers: Authorities;
    readonly number: number;
    /** Whether this is the end of a verification, when earlier answers no longer count. */
    readonly isLast?: boolean;
  };
  /** The client that HTTP requests imitate; Assay by default. */
  readonly client?: ClientName;
  /** Leaves out the contact. Never set it if the request may reach someone who did not ask for it; see `isOwn`. */
  readonly isWithoutContact?: boolean;
  /** Whether the organization has proved that it owns the place. Otherwise every request names the contact. */
  readonly isOwn?: (place: Place) => Promise<boolean>;
  /** Whether every cache on the way is asked for a fresh response. */
  readonly bypassCaches?: boolean;
  /** HTTPS requests are sent as a client that only accepts this kind of key, if the server accepts such clients. */
  readonly keyClient?: KeyClient | undefined;
  /** The check that sends it; absent for requests that several checks share. */
  readonly check?: ObservedExchange['check'];
  /** What may be requested besides the tested place; everything if no event limits it. */
  readonly isInScope?: (place: RequestedPlace) => boolean;
  /** Called after each exchange, for traces and lists. */
  readonly observe?: (exchange: ObservedExchange) => void;
}

export interface Outcome<T> {
  readonly value: T;
  readonly exchange: Exchange;
}

type Work<T> = (dial: () => Promise<TargetSocket>, signal: AbortSignal, turn: () => Promise<void>) => Promise<T>;

/** All traffic to targets: applies the egress rules, the time limits and the recording to each exchange. */
export class Transport {
  private readonly limits: Limits;
  private readonly resolver: Resolver;
  private readonly egress: Egress;
  private readonly dialler: Dialler;
  readonly paces: TargetPaces;
  readonly now = this.options.now ?? (() => new Date());
  private readonly nameServers: NameServers;
  /** A verification may use one answer several times. */
  private readonly dnsOutcomes = new WeakMap<AuthorityAnswer, Outcome<DnsAnswer>>();

  constructor(private readonly options: TransportOptions) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.resolver = new Resolver(options.dnsServers);
    this.egress = new Egress({ ...options, allow: options.egressAllow, onRefusal: options.onEgressRefusal });
    this.dialler = new Dialler(this.egress, this.resolver, this.limits.connectMs);
    this.paces = new TargetPaces(this.limits, options.sharedPace);
    this.nameServers = new NameServers(this.egress, this.paces.ofHosts, options.authorityPort);
  }

  async http(request: HttpRequest, via: Via): Promise<Outcome<HttpAnswer>> {
    await via.beforeRequest?.(request);
    const recording = new Recording('http', urlOf(request), this.now(), via.session?.secrets);
    const sent = await this.dressed(recording, request, via);
    const presentation = {
      fields: this.identityOf(via, request.scheme === 'https', request.headers),
      keyClient: via.keyClient,
      offersHttp2: prefersHttp2(via.client ?? 'assay'),
    };
    const exchanged = this.onSocket(recording, request, via, async (dial) => {
      const answer = await exchangeHttp(sent, dial, recording, { limits: this.limits, presentation });
      via.session?.answered(request, answer);
      via.answered?.(request, answer);
      return answer;
    });
    return observed(recording, via, exchanged, (outcome) => ({
      method: request.method ?? 'GET',
      status: outcome?.value.status,
    }));
  }

  /** Adds the session of the account. A request that must not be sent ends like any exchange without a response. */
  private async dressed(recording: Recording, request: HttpRequest, via: Via): Promise<HttpRequest> {
    try {
      if (request.mayChange === true) await takeSubmission(request, via);
      return (await via.session?.dressed(request)) ?? request;
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      const failure: Failure = { code: error.code, reason: error.message };
      throw new ExchangeFailed(recording.end(failure), failure);
    }
  }

  tls(place: Place, offer: TlsOffer, via: Via): Promise<Outcome<Handshake>> {
    const recording = new Recording('tls', `${place.host}:${place.port}`, this.now());
    recording.send(
      `ClientHello ${offer.minVersion ?? 'TLSv1'} to ${offer.maxVersion ?? 'TLSv1.3'} ${offer.ciphers ?? ''}`.trim(),
    );
    const exchanged = this.onSocket<Handshake>(recording, place, via, async (dial) => {
      const socket = await dial();
      try {
        await secure(socket, place.host, recording, { protocols: ['h2', 'http/1.1'], ...offer });
      } catch (error) {
        const alert = alertOf(error);
        if (alert === null) throw error;
        recording.receiveHead(`alert: ${alert}`);
        return { state: 'refused', alert };
      }
      if (recording.tls === null) throw new ExchangeError('tls', 'the TLS handshake failed');
      return { state: 'agreed', tls: recording.tls };
    });
    return observed(recording, via, exchanged);
  }

  tcp(place: Place, steps: readonly TcpStep[], via: Via): Promise<Outcome<Buffer[]>> {
    const recording = new Recording('tcp', `${place.host}:${place.port}`, this.now());
    const { conversationMs } = this.limits;
    const work: Work<Buffer[]> = async (dial) => converse(await dial(), steps, recording);
    return observed(recording, via, this.onSocket(recording, place, via, work, conversationMs));
  }

  /** A connection for a conversation in which each message depends on the previous answers. */
  converse<T>(place: Place, via: Via, talk: (line: Conversation) => Promise<T>): Promise<Outcome<T>> {
    const recording = new Recording('tcp', `${place.host}:${place.port}`, this.now());
    const work: Work<T> = async (dial, _signal, turn) =>
      talk(new Conversation(await dial(), place.host, recording, turn));
    return observed(recording, via, this.onSocket(recording, place, via, work));
  }

  /** The headers with which an HTTP request identifies its sender. */
  identityOf(via: Via, isSecure: boolean, headers?: readonly Field[]): readonly Field[] {
    const { client = 'assay', isWithoutContact = false, bypassCaches = false, job } = via;
    const who = { client, isWithoutContact, bypassCaches, userAgent: this.options.userAgent, job };
    return identityFields({ ...who, browserUserAgent: this.options.browserUserAgent ?? null, isSecure, headers });
  }

  /** The servers of zones, for one verification of a name. */
  authorities({ organizationId }: DialRules, host: string): Authorities {
    return new Authorities(this.resolver, this.nameServers, host, organizationId);
  }

  /** Whether requests may imitate clients other than Assay. */
  get playsClients(): boolean {
    return this.options.browserUserAgent != null;
  }

  /** Whether no alias of the name leads to a host of someone else, who did not ask for the test. */
  async staysOwn({ host, port }: Place, via: Via): Promise<boolean> {
    const { isOwn = async () => false } = via;
    if (via.route !== undefined || !(await isOwn({ host, port }))) return false;
    if (this.hasGivenAddress({ host, port }, via) || canonicalIp(host) !== null) return true;
    let name = host;
    for (let aliases = 0; aliases < MOST_ALIASES; aliases += 1) {
      const next = await this.aliasOf(name, via);
      if (next === null) return true;
      if (next === undefined || !(await isOwn({ host: next, port }))) return false;
      name = next;
    }
    return false;
  }

  /** The target of an alias. Null for a name that is not an alias, undefined if that is unknown. */
  private async aliasOf(name: string, via: Via): Promise<string | null | undefined> {
    try {
      const { state, records } = (await this.dns(name, 'CNAME', { ...via, authority: undefined })).value;
      return state === 'none' ? null : records[0];
    } catch (error) {
      if (error instanceof ExchangeFailed) return undefined;
      throw error;
    }
  }

  /** Whether the operator configured the address of the name, so that the DNS is not queried. */
  hasGivenAddress({ host, port }: Place, { organizationId }: DialRules): boolean {
    return this.egress.addressesOf(host, port, organizationId).length > 0;
  }

  /** Queries the configured name servers, or those of the zone, with the same time limit and recording as for a target. */
  dns(name: string, type: DnsType, via: Via): Promise<Outcome<DnsAnswer>> {
    const recording = new Recording('dns', `${name} ${type}`, this.now());
    recording.send(`${name} IN ${type}`);
    return observed(recording, via, this.query(recording, name, type, via));
  }

  private async query(recording: Recording, name: string, type: DnsType, via: Via): Promise<Outcome<DnsAnswer>> {
    if (via.route) throw noPublicZone(recording);
    const answered = await this.timed(
      recording,
      this.limits.exchangeMs,
      via.signal,
      async (signal, clock): Promise<AuthorityAnswer> => {
        this.egress.requireName(name);
        const { servers, number, isLast } = via.authority ?? {};
        return servers === undefined || number === undefined
          ? { answer: await this.resolver.query(name, type, signal), server: null }
          : servers.query(number, name, type, { signal, clock }, isLast);
      },
    );
    const earlier = this.dnsOutcomes.get(answered);
    if (earlier !== undefined) return earlier;
    const { answer, server } = answered;
    recording.endpoint = server === null ? null : nameServerEndpoint(server);
    recording.receiveHead(`${answer.state}\n`);
    recording.receive(Buffer.from(answer.records.join('\n')));
    const outcome = { value: answer, exchange: recording.end(null) };
    this.dnsOutcomes.set(answered, outcome);
    return outcome;
  }

  /** All addresses at which the rules allow this place to be reached, always in the same order. */
  async addresses(place: Place, via: Via): Promise<string[]> {
    const recording = new Recording('dns', place.host, this.now());
    const endpoints = await this.timed(recording, this.limits.exchangeMs, via.signal, (timed) =>
      this.dialler.endpoints(place, timed, via, true),
    );
    return endpoints.map(({ address }) => address).sort();
  }

  private async onSocket<T>(
    recording: Recording,
    { host, port }: Place,
    via: Via,
    work: Work<T>,
    longest = Infinity,
  ): Promise<Outcome<T>> {
    const { address } = via;
    const before = Date.now();
    const endpoints =
      address === undefined
        ? await this.timed(recording, this.limits.exchangeMs, via.signal, (signal) =>
            this.dialler.endpoints({ host, port }, signal, via),
          )
        : [{ address, port }];
    const left = Math.min(longest, this.limits.exchangeMs - (Date.now() - before));
    // Waiting for the rate limit does not count as response time of the target.
    const first = endpoints[0]?.address ?? host;
    const waitStarted = performance.now();
    const leave = await this.paces.acquire(first, via);
    recording.waitedMs = performance.now() - waitStarted;
    recording.endpoint = endpoints[0] ?? null;
    try {
      const value = await this.timed(recording, left, via.signal, (signal, clock) => {
        const dial = async (): Promise<TargetSocket> => {
          const { socket, endpoint } = await this.dialler.dial(host, endpoints, signal, via);
          recording.endpoint = endpoint;
          // The signal ends with the exchange, so no socket remains open after it.
          signal.addEventListener('abort', () => socket.destroy(), { once: true });
          if (signal.aborted) socket.destroy();
          else limitReceivedBytes(socket, this.limits.bytes, signal, clock, recording);
          return socket;
        };
        const turn = () => clock.whileWaiting(() => this.paces.waitForRequest(first, { ...via, signal }));
        return work(dial, signal, turn);
      });
      return { value, exchange: recording.end(null) };
    } finally {
      leave();
    }
  }

  /** Ends with `work`, the time limit or the caller's signal, whichever comes first. */
  private async timed<T>(
    recording: Recording,
    ms: number,
    caller: AbortSignal,
    work: (signal: AbortSignal, clock: ExchangeClock) => Promise<T>,
  ): Promise<T> {
    caller.throwIfAborted();
    const clock = new ExchangeClock(ms, () => new ExchangeError('timeout', `no complete response within ${ms} ms`));
    const signal = AbortSignal.any([caller, clock.signal]);
    const ended = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    try {
      return await Promise.race([work(signal, clock), ended]);
    } catch (error) {
      caller.throwIfAborted();
      const failure = failureOf(clock.signal.aborted ? clock.signal.reason : error);
      if (failure === null) throw error;
      throw new ExchangeFailed(recording.end(failure), failure);
    } finally {
      recording.waitedMs += clock.waitedMs;
      clock.end(EXCHANGE_ENDED);
    }
  }
}

/** A name behind a beacon may also exist in the public DNS, where it belongs to another owner. */
function noPublicZone(recording: Recording): ExchangeFailed {
  const failure: Failure = { code: 'unresolved', reason: NO_PUBLIC_ZONE };
  return new ExchangeFailed(recording.end(failure), failure);
}
