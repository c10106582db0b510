import { TestClock } from '../../kernel/test-clock';
import type { SentRequest } from '../sent-request';
import { ProbeSession } from '../probe-session';
import { MOVED } from '../transport/dialler';
import { ExchangeFailed } from '../transport/exchange';
import { originOf } from '../transport/http';
import type { Via } from '../transport/transport';
import type { ActiveScan, ActiveScanRequest } from './active-scan-request';
import { type Reply, TargetHealth } from './target-health';

/** Thrown when the scan may not send anything more. */
export class ScanEnd extends Error {
  constructor(
    readonly end: ActiveScan['end'],
    reason: string,
  ) {
    super(reason);
  }
}

/** The interval for asking whether the scan may continue. */
const PERMISSION_MS = 5_000;

export interface Used {
  readonly requests: number;
  readonly ms: number;
}

/** All requests of a scan: counts them, watches the health of the target, and ends the scan. */
export class Traffic {
  readonly via: Via;
  /** For pages that show the health of the target: these requests are only counted. */
  private readonly lookingVia: Via;
  readonly health: TargetHealth;
  private readonly over = new AbortController();
  private readonly timers: readonly (() => void)[];
  private readonly clock = this.request.via.clock ?? new TestClock();
  private readonly startedMs = this.clock.ms;
  private sent = 0;
  private permittedAt = -Infinity;

  constructor(private readonly request: ActiveScanRequest) {
    const { via, limits, interruption, isInScope } = request;
    const used = new ScanEnd('complete', `the time of the job (${limits.ms / 1_000} seconds) was used up`);
    this.timers = [
      this.clock.after(limits.ms, () => void this.end(used)),
      // A window closes by the time of day.
      ...(interruption === undefined
        ? []
        : [
            new TestClock().after(
              interruption.inMs,
              () => void this.end(new ScanEnd('interrupted', interruption.reason)),
            ),
          ]),
    ];
    this.lookingVia = {
      ...via,
      signal: AbortSignal.any([via.signal, this.over.signal]),
      ...(isInScope && { isInScope }),
      observe: (exchange) => {
        via.observe?.(exchange);
        const isOfTarget = exchange.place.startsWith(`${originOf(request.target)}/`);
        if (exchange.failure === 'moved' && isOfTarget) this.end(new ScanEnd('stopped', MOVED));
      },
      beforeRequest: async (sent) => {
        await via.beforeRequest?.(sent);
        await this.requirePermission();
        this.count();
      },
    };
    via.session?.sendThrough?.(this.lookingVia);
    const stop = (reason: string) => this.end(new ScanEnd('stopped', reason));
    this.health = new TargetHealth((sent, mostMs) => this.ask(sent, mostMs), stop);
    this.via = {
      ...this.lookingVia,
      beforeRequest: async (sent) => {
        await this.health.ready();
        await this.lookingVia.beforeRequest?.(sent);
      },
      answered: (sent, answer) => {
        via.answered?.(sent, answer);
        this.health.answered({ ms: answer.ms ?? 0, status: answer.status });
      },
      observe: (exchange) => {
        this.lookingVia.observe?.(exchange);
        if (exchange.kind === 'http' && exchange.failure !== undefined && exchange.failure !== 'canceled')
          this.health.answered(null);
      },
    };
  }

  /** Why nothing more is sent, or null. */
  get ended(): ScanEnd | null {
    if (this.request.via.signal.aborted) return new ScanEnd('aborted', 'the job was stopped');
    return this.over.signal.reason instanceof ScanEnd ? this.over.signal.reason : null;
  }

  /** What has been used so far. */
  get used(): Used {
    return { requests: this.sent, ms: this.clock.ms - this.startedMs };
  }

  /** Whether this share of the requests or the time was used, apart from what was used elsewhere. */
  hasUsed(share: number, elsewhere: Used): boolean {
    const { ms, requests } = this.request.limits;
    return this.used.requests - elsewhere.requests >= requests * share || this.used.ms - elsewhere.ms >= ms * share;
  }

  end(reason: ScanEnd): ScanEnd {
    this.over.abort(reason);
    return reason;
  }

  close(): void {
    for (const cancel of this.timers) cancel();
    this.over.abort(new ScanEnd('complete', 'the scan is over'));
  }

  /** Sends a harmless request. */
  private async ask(request: SentRequest, mostMs: number): Promise<Reply | null> {
    const late = mostMs === Infinity ? [] : [AbortSignal.timeout(mostMs)];
    const via = { ...this.lookingVia, signal: AbortSignal.any([this.lookingVia.signal, ...late]) };
    const session = new ProbeSession(this.request.transport, via);
    try {
      const { ms = 0, status } = await session.probe(this.request.target).requestPage(request);
      return { ms, status };
    } catch (error) {
      this.lookingVia.signal.throwIfAborted();
      if (late.some(({ aborted }) => aborted) || error instanceof ExchangeFailed) return null;
      throw error;
    }
  }

  private async requirePermission(): Promise<void> {
    const { refusal } = this.request;
    const now = performance.now();
    if (refusal === undefined || now - this.permittedAt < PERMISSION_MS) return;
    this.permittedAt = now;
    const reason = await refusal();
    if (reason !== null) this.end(new ScanEnd('stopped', reason));
  }

  private count(): void {
    const { requests } = this.request.limits;
    if (this.sent >= requests) this.end(new ScanEnd('complete', `the requests of the job (${requests}) were used up`));
    this.via.signal.throwIfAborted();
    this.sent += 1;
  }
}
