import type { Socket } from 'node:net';
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Endpoint } from '../../beacon-protocol/endpoint';
import { packageVersion } from '../../kernel/package-version';
import { Activity } from './activity';
import type { AgentLog } from './agent-log';
import { Backoff } from './backoff';
import { ConnectFailure } from './connect-failure';
import { openServiceSocket } from './open-service-socket';
import { type Credentials, openWebSocket } from './open-websocket';
import type { AgentOptions } from './options';
import { proxyText } from './proxy';
import { type ConnectionEnd, ServiceConnection } from './service-connection';
import { TargetConnections, type TimeLimits } from './target-connections';

/** How the agent reaches targets and name servers, and its times. Tests have their own. */
export interface PrivateNetwork {
  readonly openSocket?: (endpoint: Endpoint) => Socket;
  readonly nameServers?: (dnsServer: string | null) => readonly string[];
  readonly limits?: TimeLimits;
  readonly drainMs?: number;
  readonly stableMs?: number;
}

/** How long running connections may go on after the order to stop. */
const DRAIN_MS = 30_000;
const SUMMARY_MS = 3_600_000;
/** A connection that lasted this long was a good one: the next pauses begin small again. */
const STABLE_MS = 10_000;

/** Keeps a connection to the service until it is stopped. */
export class BeaconAgent {
  private readonly activity = new Activity();
  private readonly backoff = new Backoff();
  private readonly targets: TargetConnections;
  private readonly stopping = new AbortController();
  private connection: ServiceConnection | undefined;
  private drained: Promise<void> | undefined;

  constructor(
    private readonly options: AgentOptions,
    private readonly log: AgentLog,
    private readonly network: PrivateNetwork = {},
  ) {
    this.targets = new TargetConnections({ log, activity: this.activity, ...network });
  }

  /** Resolves after `stop()`, when nothing is running any more. */
  async run(): Promise<void> {
    const { url, proxy, allow, warnings } = this.options;
    this.log.info('started', `assay-beacon ${packageVersion} connects to ${url.host}.`, {
      agent_version: packageVersion,
      url: url.href,
      proxy: proxy && proxyText(proxy),
      local_limit: allow?.map(String),
    });
    for (const warning of warnings) this.log.warn('warning', warning);
    const summaries = setInterval(() => this.summarize(), SUMMARY_MS);
    while (!this.isStopping) await this.connectOnce();
    clearInterval(summaries);
    await this.drained;
    this.summarize();
    this.log.info('stopped', 'The agent has stopped.');
  }

  /** Takes no new work, and waits for running connections. */
  stop(): void {
    if (this.isStopping) return;
    this.log.info('stopping', `The agent stops when its connections have ended, at most ${DRAIN_MS / 1_000} seconds.`);
    this.drained = this.connection && this.drain(this.connection);
    this.stopping.abort();
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async drain(connection: ServiceConnection): Promise<void> {
    const left = await connection.drain(this.network.drainMs ?? DRAIN_MS);
    if (left > 0) this.log.warn('warning', `${left} connections were still running and were cut off.`);
  }

  /** One attempt, or one connection, and the pause after it. */
  private async connectOnce(): Promise<void> {
    const end = await this.connected().catch((error: unknown) => failedEnd(error));
    if (this.isStopping) return;
    const pause = this.backoff.next(end.isRefusal, end.retryAfter);
    this.log.warn('disconnected', `${end.reason} The next attempt is in ${(pause / 1_000).toFixed(1)} seconds.`, {
      reason: end.reason,
      refused: end.isRefusal,
      retry_ms: pause,
    });
    await pauseFor(pause, undefined, { signal: this.stopping.signal }).catch(() => {});
  }

  private async connected(): Promise<End> {
    const { signal } = this.stopping;
    const { url, allow } = this.options;
    const credentials = this.credentials();
    const { socket, endpoints } = await openServiceSocket(this.options, signal);
    const webSocket = await openWebSocket(url, socket, credentials, signal);
    const began = performance.now();
    const { log, activity, targets } = this;
    log.info('connected', `Connected to ${url.host}.`, { address: socket.remoteAddress });
    const { nameServers } = this.network;
    this.connection = new ServiceConnection(webSocket, {
      log,
      activity,
      targets,
      allow,
      service: endpoints,
      nameServers,
    });
    const end = await this.connection.ended();
    this.connection = undefined;
    const { stableMs = STABLE_MS } = this.network;
    const wasGood = end.wasConfigured && performance.now() - began >= stableMs;
    if (wasGood) this.backoff.reset();
    // A process of the service that stops also gives a reason. The next attempt shows whether the agent is refused.
    const isRefusal = end.isRefusal && !wasGood;
    return { isRefusal, reason: `The connection to ${url.host} ended: ${end.reason}.` };
  }

  private credentials(): Credentials {
    try {
      return this.options.credentials();
    } catch (error) {
      throw new ConnectFailure((error as Error).message, true);
    }
  }

  private summarize(): void {
    const counts = this.activity.take();
    this.log.info(
      'summary',
      `Since the last summary: ${counts.connections} connections to targets, ${counts.failed} failed, ${counts.refused} refused, ${counts.bytes_sent} bytes sent, ${counts.bytes_received} received.`,
      { ...counts },
    );
  }
}

type End = Pick<ConnectionEnd, 'reason' | 'isRefusal'> & { readonly retryAfter?: number };

function failedEnd(error: unknown): End {
  if (!(error instanceof ConnectFailure)) throw error;
  return { reason: error.message, isRefusal: error.isRefusal, retryAfter: error.retryAfter };
}
