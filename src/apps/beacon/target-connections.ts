import { connect, type Socket } from 'node:net';
import type { Endpoint } from '../../beacon-protocol/endpoint';
import { StreamFailure, type StreamFailureCode } from '../../beacon-protocol/stream-failure';
import { canonicalIp } from '../../kernel/cidr';
import { formatUrlHost } from '../../kernel/web-url';
import type { Activity } from './activity';
import type { AgentLog } from './agent-log';
import type { AllowedNetworks } from './allowed-networks';

export interface TimeLimits {
  readonly connectMs: number;
  /** Without data in either direction. */
  readonly idleMs: number;
  readonly totalMs: number;
}

const timeLimits: TimeLimits = { connectMs: 8_000, idleMs: 60_000, totalMs: 600_000 };

export interface TargetConnectionOptions {
  readonly log: AgentLog;
  readonly activity: Activity;
  readonly limits?: TimeLimits;
  /** Begins to connect. The default is a connection of this machine. */
  readonly openSocket?: (endpoint: Endpoint) => Socket;
}

/** An address, never a name: a name could resolve to an address that was not checked. */
const openTcp = ({ address, port }: Endpoint): Socket =>
  connect({ host: address, port, noDelay: true, allowHalfOpen: true });

const FAILURES: Readonly<Record<string, readonly [StreamFailureCode, string]>> = {
  ECONNREFUSED: ['refused', 'the connection was refused'],
  ECONNRESET: ['refused', 'the connection was reset'],
  ETIMEDOUT: ['timeout', 'the connection attempt timed out'],
  ENETUNREACH: ['no_route', "the agent's machine has no route to the address"],
  EADDRNOTAVAIL: ['no_route', "the agent's machine has no route to the address"],
};

function failureOf(error: NodeJS.ErrnoException): StreamFailure {
  const [code, reason] = FAILURES[error.code ?? ''] ?? ['unreachable', 'the address cannot be reached'];
  return new StreamFailure(code, reason);
}

/** The service may send any text as an address. */
const loggedAddress = ({ address }: Endpoint): string => canonicalIp(address) ?? address.slice(0, 100);

const endpointText = (endpoint: Endpoint): string => `${formatUrlHost(loggedAddress(endpoint))}:${endpoint.port}`;

/** Connects to targets, limits and logs each connection, and closes those that are no longer allowed. */
export class TargetConnections {
  private readonly open = new Map<Socket, Endpoint>();
  private readonly limits: TimeLimits;
  private readonly openSocket: (endpoint: Endpoint) => Socket;

  constructor(private readonly options: TargetConnectionOptions) {
    this.limits = options.limits ?? timeLimits;
    this.openSocket = options.openSocket ?? openTcp;
  }

  /** `networks` returns those that are allowed now; they may change while the connection is opened. */
  async connect(endpoint: Endpoint, networks: () => AllowedNetworks | undefined, signal: AbortSignal): Promise<Socket> {
    const began = performance.now();
    try {
      requireAllowed(networks(), endpoint);
      signal.throwIfAborted();
      const socket = await this.connected(endpoint, signal);
      requireAllowed(networks(), endpoint, socket);
      this.follow(socket, endpoint, began);
      return socket;
    } catch (error) {
      this.logFailure(endpoint, began, error);
      throw error;
    }
  }

  /** Closes the connections that these networks do not allow. */
  closeForbidden(networks: AllowedNetworks): void {
    for (const [socket, endpoint] of this.open) {
      if (networks.refusal(endpoint) !== null)
        socket.destroy(new StreamFailure('egress', 'the networks of the beacon were changed'));
    }
  }

  private connected(endpoint: Endpoint, signal: AbortSignal): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = this.openSocket(endpoint);
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        socket.off('error', fail).off('connect', succeed);
        // Without a listener a later error would end the process.
        socket.on('error', () => {});
      };
      const fail = (error: Error): void => {
        settle();
        socket.destroy();
        reject(error instanceof StreamFailure ? error : failureOf(error));
      };
      const succeed = (): void => {
        settle();
        resolve(socket);
      };
      const abort = (): void => fail(new StreamFailure('lost', 'the connection was given up'));
      const timer = setTimeout(
        () => fail(new StreamFailure('timeout', 'the connection attempt timed out')),
        this.limits.connectMs,
      );
      signal.addEventListener('abort', abort, { once: true });
      socket.once('error', fail);
      socket.once('connect', succeed);
    });
  }

  private follow(socket: Socket, endpoint: Endpoint, began: number): void {
    const { idleMs, totalMs } = this.limits;
    this.open.set(socket, endpoint);
    const end = (reason: string): void => void socket.destroy(new StreamFailure('timeout', reason));
    const timer = setTimeout(() => end(`the connection lasted longer than ${totalMs / 1_000} seconds`), totalMs);
    socket.setTimeout(idleMs, () => end(`there was no data for ${idleMs / 1_000} seconds`));
    socket.once('close', () => {
      clearTimeout(timer);
      this.open.delete(socket);
      this.logEnd(socket, endpoint, began);
    });
  }

  private logEnd(socket: Socket, endpoint: Endpoint, began: number): void {
    const { bytesWritten, bytesRead } = socket;
    const { activity, log } = this.options;
    activity.add('connections');
    activity.add('bytes_sent', bytesWritten);
    activity.add('bytes_received', bytesRead);
    const duration = Math.round(performance.now() - began);
    const ended = socket.errored?.message ?? 'closed';
    log.info(
      'connection',
      `${endpointText(endpoint)}: ${bytesWritten} bytes sent, ${bytesRead} received in ${duration} ms; ${ended}`,
      { ...fieldsOf(endpoint), bytes_sent: bytesWritten, bytes_received: bytesRead, duration_ms: duration, ended },
    );
  }

  private logFailure(endpoint: Endpoint, began: number, error: unknown): void {
    const { activity, log } = this.options;
    const { code, message } = error instanceof StreamFailure ? error : failureOf(error as Error);
    activity.add(code === 'egress' ? 'refused' : 'failed');
    const fields = { bytes_sent: 0, bytes_received: 0, duration_ms: Math.round(performance.now() - began) };
    const line = [
      `${endpointText(endpoint)}: ${message}`,
      { ...fieldsOf(endpoint), ...fields, ended: message },
    ] as const;
    if (code === 'egress') log.warn('connection', ...line);
    else log.info('connection', ...line);
  }
}

const fieldsOf = (endpoint: Endpoint): { address: string; port: number } => ({
  address: loggedAddress(endpoint),
  port: endpoint.port,
});

/** Once more with the address that was reached: otherwise the rules would have been applied to another one. */
function requireAllowed(networks: AllowedNetworks | undefined, endpoint: Endpoint, socket?: Socket): void {
  const refusal = refusalReason(networks, endpoint, socket);
  if (refusal === null) return;
  socket?.destroy();
  throw new StreamFailure('egress', refusal);
}

function refusalReason(networks: AllowedNetworks | undefined, endpoint: Endpoint, socket?: Socket): string | null {
  if (networks === undefined) return 'the agent has not received its networks yet';
  const refusal = networks.refusal(endpoint);
  if (refusal !== null || socket === undefined) return refusal;
  const isReached = canonicalIp(socket.remoteAddress ?? '') === canonicalIp(endpoint.address);
  return isReached ? null : 'another address was reached';
}
