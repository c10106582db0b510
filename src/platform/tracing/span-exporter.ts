import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { packageVersion } from '../../kernel/package-version';
import { Config } from '../config/load-config';
import { tracesEndpoint } from '../config/traces-endpoint';
import { Metrics } from '../metrics/metrics';
import { otlpRequest, type RecordedSpan } from './otlp';

/** Spans that wait: about 3 MiB. More are dropped. */
const MAX_QUEUE = 4_096;
const MAX_BATCH = 512;
const EXPORT_INTERVAL_MS = 500;
const EXPORT_TIMEOUT_MS = 10_000;
const MAX_ATTEMPTS = 5;
const MAX_PAUSE_SECONDS = 30;
const WARNING_INTERVAL_MS = 60_000;
const MAX_ANSWER_BYTES = 65_536;

/** The statuses after which the protocol lets a client try again. */
const TEMPORARY = new Set([429, 502, 503, 504]);

class ExportError extends Error {
  constructor(
    reason: string,
    readonly isTemporary: boolean,
    readonly pauseSeconds?: number,
  ) {
    super(reason);
  }
}

/** Sends spans to the collector in the background, in batches. Nothing waits for it, and its memory is bounded. */
@Injectable()
export class SpanExporter implements OnApplicationShutdown {
  private readonly logger = new Logger('traces');
  private readonly queue: RecordedSpan[] = [];
  private readonly endpoint = tracesEndpoint(this.config);
  private readonly resource = {
    'service.name': this.config.OTEL_SERVICE_NAME,
    'service.version': packageVersion,
    'process.pid': process.pid,
  };
  private readonly spans = this.metrics.counter({
    name: 'assay_trace_spans_total',
    help: 'Spans of sampled traces. dropped: too many waited, or the collector was not available. rejected: the collector refused them',
    labels: { result: ['exported', 'dropped', 'rejected'] },
  });
  /** How long a process that ends waits for the collector. */
  shutdownMs = 2_000;
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private exporting: Promise<void> | undefined;
  private sending: AbortController | undefined;
  private hasFailed = false;
  private lastWarning = -Infinity;

  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {
    // Not when a span is added: a timer keeps the context of the request that created it.
    if (this.isOn) this.timer = setInterval(() => this.exportQueue(), EXPORT_INTERVAL_MS).unref();
  }

  get isOn(): boolean {
    return this.endpoint !== undefined;
  }

  add(span: RecordedSpan): void {
    if (this.queue.length < MAX_QUEUE) this.queue.push(span);
    else this.spans({ result: 'dropped' });
  }

  /** Sends what is left once more, but does not wait long for the collector. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    this.stopping.abort();
    const finished = new AbortController();
    const late = delay(this.shutdownMs, undefined, { signal: finished.signal }).catch(() => undefined);
    await Promise.race([this.flush(), late]);
    finished.abort();
    this.spans({ result: 'dropped' }, this.queue.length);
    this.queue.length = 0;
    this.sending?.abort();
  }

  /** Ends when all spans that wait now were sent or dropped. */
  async flush(): Promise<void> {
    await this.exporting;
    this.exportQueue();
    await this.exporting;
  }

  private exportQueue(): void {
    if (this.queue.length === 0) return;
    this.exporting ??= this.exportBatches().finally(() => (this.exporting = undefined));
  }

  private async exportBatches(): Promise<void> {
    while (this.queue.length > 0) await this.exportBatch(this.queue.splice(0, MAX_BATCH));
  }

  private async exportBatch(batch: readonly RecordedSpan[]): Promise<void> {
    const body = otlpRequest(batch, this.resource, packageVersion);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const rejected = Math.min(await this.send(body), batch.length);
        this.spans({ result: 'exported' }, batch.length - rejected);
        this.spans({ result: 'rejected' }, rejected);
        return this.succeeded();
      } catch (error) {
        const { message, isTemporary, pauseSeconds = 2 ** (attempt - 1) } = asExportError(error);
        this.failed(message);
        if (isTemporary && attempt < MAX_ATTEMPTS && (await this.pause(pauseSeconds))) continue;
        return this.spans({ result: isTemporary ? 'dropped' : 'rejected' }, batch.length);
      }
    }
  }

  /** Returns how many spans the collector refused. */
  private async send(body: string): Promise<number> {
    const sending = new AbortController();
    this.sending = sending;
    const timer = setTimeout(() => sending.abort(new ExportError('no answer in time', true)), EXPORT_TIMEOUT_MS);
    try {
      const response = await fetch(this.endpoint ?? '', {
        method: 'POST',
        headers: { ...this.config.OTEL_EXPORTER_OTLP_HEADERS, 'content-type': 'application/json' },
        body,
        // The headers of the setting are for this address only.
        redirect: 'manual',
        signal: sending.signal,
      });
      const { status, headers } = response;
      const answer = await readStart(response);
      if (response.ok) return rejectedSpans(answer);
      const after = Number(headers.get('retry-after') ?? Number.NaN);
      throw new ExportError(`status ${status}`, TEMPORARY.has(status), after >= 0 ? after : undefined);
    } finally {
      clearTimeout(timer);
    }
  }

  /** False if the process is stopping. */
  private async pause(seconds: number): Promise<boolean> {
    const { signal } = this.stopping;
    const ms = Math.min(seconds, MAX_PAUSE_SECONDS) * 1_000;
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }

  private failed(reason: string): void {
    const now = performance.now();
    if (this.hasFailed || now - this.lastWarning < WARNING_INTERVAL_MS) return;
    this.hasFailed = true;
    this.lastWarning = now;
    this.logger.warn(
      `Traces cannot be sent to the collector (${reason}). Nothing else is affected. assay_trace_spans_total counts the lost spans.`,
    );
  }

  private succeeded(): void {
    if (this.hasFailed) this.logger.log('Traces are sent to the collector again.');
    this.hasFailed = false;
  }
}

/** Only codes, because messages may contain the address, which may contain a secret. */
function asExportError(error: unknown): ExportError {
  if (error instanceof ExportError) return error;
  const { name, cause } = error as Error;
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return new ExportError(code ?? name, true);
}

async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) break;
  }
  return text;
}

function rejectedSpans(answer: string): number {
  try {
    const { partialSuccess } = JSON.parse(answer) as { partialSuccess?: { rejectedSpans?: string | number } };
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
    return rejected > 0 ? rejected : 0;
  } catch {
    return 0;
  }
}
