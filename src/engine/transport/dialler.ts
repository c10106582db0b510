import { connect as connectSocket, type Socket } from 'node:net';
import { canonicalIp } from '../../kernel/cidr';
import type { Egress } from './egress';
import { type Endpoint, endpointText } from './endpoint';
import { ExchangeError, failureOf } from './exchange';
import type { Resolver } from './resolver';
import type { Route } from './route';

export interface Connection {
  readonly socket: Socket;
  readonly endpoint: Endpoint;
}

/** Opens sockets to targets: nothing else in the service does. */
export class Dialler {
  constructor(
    private readonly egress: Egress,
    private readonly resolver: Resolver,
    private readonly connectMs: number,
  ) {}

  /** Where a host may be reached: the addresses that it has now and that the rules allow. */
  async endpoints(host: string, port: number, signal: AbortSignal, route?: Route, all = false): Promise<Endpoint[]> {
    const known =
      route && canonicalIp(host) === null ? route.resolve(host, signal) : this.resolver.addresses(host, signal, all);
    const addresses = [...new Set((await known).map((address) => canonicalIp(address) ?? address))];
    const openSocket = addresses.filter((address) => this.refusal({ address, port }, route) === null);
    const [first] = addresses;
    if (openSocket.length === 0) {
      throw new ExchangeError(
        'egress',
        this.refusal({ address: first ?? host, port }, route) ?? `${host} has no address`,
      );
    }
    return openSocket.map((address) => ({ address, port }));
  }

  /** The first endpoint that takes a connection. */
  async dial(endpoints: readonly Endpoint[], signal: AbortSignal, route?: Route): Promise<Connection> {
    let last: unknown = null;
    for (const endpoint of endpoints) {
      try {
        return { socket: await this.openSocket(endpoint, signal, route), endpoint };
      } catch (error) {
        signal.throwIfAborted();
        if (failureOf(error) === null) throw error;
        last = error;
      }
    }
    throw last ?? new ExchangeError('unreachable', 'there is no address to connect to');
  }

  private refusal(endpoint: Endpoint, route?: Route): string | null {
    const { address, port } = endpoint;
    return route ? this.egress.refusalThrough(route, address, port) : this.egress.refusal(address, port);
  }

  private async openSocket(endpoint: Endpoint, signal: AbortSignal, route?: Route): Promise<Socket> {
    const refusal = this.refusal(endpoint, route);
    if (refusal !== null) throw new ExchangeError('egress', refusal);
    if (route) return route.connect(endpoint, signal);
    const socket = await connected(endpoint, this.connectMs, signal);
    // Otherwise the egress rules were applied to the wrong address.
    const reached = canonicalIp(socket.remoteAddress ?? '');
    if (reached === endpoint.address) return socket;
    socket.destroy();
    throw new ExchangeError(
      'egress',
      `the connection to ${endpointText(endpoint)} reached ${reached ?? 'no address'} instead`,
    );
  }
}

function connected({ address, port }: Endpoint, ms: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // An address, never a name: a name could resolve to another address after the egress check.
    const socket = connectSocket({ host: address, port, noDelay: true });
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.off('error', give).off('connect', take);
      // A socket without a listener would end the process with an error that comes later.
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
    const timer = setTimeout(() => give(new ExchangeError('unreachable', 'the connection attempt timed out')), ms);
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', give);
    socket.once('connect', take);
  });
}
