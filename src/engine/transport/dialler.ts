import { randomInt } from 'node:crypto';
import { connect as connectSocket, type Socket } from 'node:net';
import { canonicalIp } from '../../kernel/cidr';
import type { Egress } from './egress';
import { type Endpoint, endpointText } from './endpoint';
import { codeOf, ExchangeError, failureOf } from './exchange';
import type { Resolver } from './resolver';
import { RoutedSocket, type TargetSocket } from './routed-socket';
import type { DialRules, Place, Route } from './route';

export interface Connection {
  readonly socket: TargetSocket;
  readonly endpoint: Endpoint;
}

export const MOVED = 'none of the addresses that the job began with is among those of the host now';

/** Opens sockets to targets. No other code in the service does this. */
export class Dialler {
  constructor(
    private readonly egress: Egress,
    private readonly resolver: Resolver,
    private readonly connectMs: number,
  ) {}

  /** The addresses that a host currently has and that the rules allow. */
  async endpoints(place: Place, signal: AbortSignal, rules: DialRules, all = false): Promise<Endpoint[]> {
    const { host, port } = place;
    this.egress.requireName(host);
    const known = await this.resolve(place, signal, rules, all);
    const found = [...new Set(known.map((address) => canonicalIp(address) ?? address))];
    if (canonicalIp(host) === null) await rules.pinned?.keep(host, found);
    const addresses = found.filter((address) => isPinned(rules, host, address));
    if (addresses.length === 0 && found.length > 0) throw new ExchangeError('moved', MOVED);
    const allowed: Endpoint[] = [];
    let firstRefusal: string | null = null;
    for (const address of addresses) {
      const refusal = await this.refusal(host, { address, port }, rules);
      if (refusal === null) allowed.push({ address, port });
      else firstRefusal ??= refusal;
    }
    if (allowed.length === 0) throw new ExchangeError('egress', firstRefusal ?? `${host} has no address`);
    return allowed;
  }

  /** Connects to the first endpoint of a host that accepts a connection. */
  async dial(host: string, endpoints: readonly Endpoint[], signal: AbortSignal, rules: DialRules): Promise<Connection> {
    let last: unknown = null;
    for (const endpoint of endpoints) {
      try {
        return { socket: await this.openSocket(host, endpoint, signal, rules), endpoint };
      } catch (error) {
        signal.throwIfAborted();
        if (failureOf(error) === null) throw error;
        last = error;
      }
    }
    throw last ?? new ExchangeError('unreachable', 'there is no address to connect to');
  }

  private resolve(
    { host, port }: Place,
    signal: AbortSignal,
    { route, organizationId }: DialRules,
    all: boolean,
  ): Promise<readonly string[]> | readonly string[] {
    if (route && canonicalIp(host) === null) return route.resolve(host, signal);
    const given = route ? [] : this.egress.addressesOf(host, port, organizationId);
    return given.length > 0 ? given : this.resolver.addresses(host, signal, all);
  }

  private refusal(host: string, endpoint: Endpoint, { route, organizationId }: DialRules): Promise<string | null> {
    return route ? this.egress.refusalThrough(route, endpoint, host) : this.egress.refusal(endpoint, organizationId);
  }

  private async openSocket(
    host: string,
    endpoint: Endpoint,
    signal: AbortSignal,
    rules: DialRules,
  ): Promise<TargetSocket> {
    if (!isPinned(rules, host, endpoint.address)) throw new ExchangeError('moved', MOVED);
    const refusal = await this.refusal(host, endpoint, rules);
    const { route, connectMs = this.connectMs } = rules;
    if (refusal !== null) throw new ExchangeError('egress', refusal);
    if (route) return connectedThrough(route, endpoint, connectMs, signal);
    const socket = await (rules.fromOddPort === true ? connectedFromOddPort : connected)(endpoint, connectMs, signal);
    // Otherwise the egress rules would have been applied to the wrong address.
    const reached = canonicalIp(socket.remoteAddress ?? '');
    if (reached === endpoint.address) return socket;
    socket.destroy();
    throw new ExchangeError(
      'egress',
      `the connection to ${endpointText(endpoint)} reached ${reached ?? 'no address'} instead`,
    );
  }
}

/** A host that is itself an address cannot change its address. */
const isPinned = ({ pinned }: DialRules, host: string, address: string): boolean =>
  pinned === undefined || canonicalIp(host) !== null || pinned.has(host, address);

const connectTimedOut = (): ExchangeError => new ExchangeError('unreachable', 'the connection attempt timed out');

async function connectedThrough(
  route: Route,
  endpoint: Endpoint,
  ms: number,
  signal: AbortSignal,
): Promise<TargetSocket> {
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(connectTimedOut()), ms);
  try {
    const either = AbortSignal.any([signal, clock.signal]);
    either.throwIfAborted();
    return new RoutedSocket(await route.connect(endpoint, either));
  } finally {
    clearTimeout(timer);
  }
}

/** The first source port that Linux uses by default. */
const FIRST_SOURCE_PORT = 32_768;
const LAST_SOURCE_PORT = 60_999;
const ODD_PORT_ATTEMPTS = 5;

const oddPort = (): number => randomInt(FIRST_SOURCE_PORT / 2, (LAST_SOURCE_PORT + 1) / 2) * 2 + 1;

/** A port that is in use is replaced by another one. */
async function connectedFromOddPort(endpoint: Endpoint, ms: number, signal: AbortSignal): Promise<Socket> {
  for (let attempt = 0; attempt < ODD_PORT_ATTEMPTS; attempt += 1) {
    try {
      return await connected(endpoint, ms, signal, oddPort());
    } catch (error) {
      if (!['EADDRINUSE', 'EADDRNOTAVAIL'].includes(codeOf(error))) throw error;
    }
  }
  return connected(endpoint, ms, signal);
}

/** A TCP connection of this machine. The caller has applied the egress rules. */
export function connected(
  { address, port }: Endpoint,
  ms: number,
  signal: AbortSignal,
  localPort?: number,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // Always an address: a name could resolve to another address after the egress check.
    const socket = connectSocket({ host: address, port, localPort, noDelay: true });
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.off('error', give).off('connect', take);
      // Without a listener, a late error of the socket would end the process.
      socket.on('error', () => {});
      outcome();
    };
    const give = (reason: unknown): void =>
      settle(() => {
        socket.destroy();
        reject(reason);
      });
    const take = (): void => settle(() => resolve(socket));
    const abort = (): void => give(signal.reason);
    const timer = setTimeout(() => give(connectTimedOut()), ms);
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', give);
    socket.once('connect', take);
  });
}
