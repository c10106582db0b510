import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import pino, { type Logger } from 'pino';
import type { Config } from '../config/load-config';

export type Log = Logger;

/** Writes JSON lines, or readable lines to a terminal. */
export function createLog(config: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>): Log {
  const pretty = config.LOG_FORMAT === 'pretty' || (config.LOG_FORMAT === 'auto' && process.stdout.isTTY);
  const options = { level: config.LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime };
  return pretty ? pino(options, prettyStream()) : pino(options, plainStream());
}

const FLUSH_TIMEOUT_MS = 500;

/** Writes the remaining lines before the process ends. Does not wait long if the output is not read. */
export async function endLog(log: Log): Promise<void> {
  const finished = new AbortController();
  const written = new Promise<void>((resolve) => log.flush(() => resolve()));
  await Promise.race([written, delay(FLUSH_TIMEOUT_MS, undefined, finished).catch(() => undefined)]);
  finished.abort();
}

/**
 * Without the synchronous flush that pino calls at exit: it never returns if the output is closed. With a minimum length of
 * one byte, because `flush` does not wait for lines that are being written if it is zero.
 */
function plainStream(): GatheredLines {
  const stream = pino.destination({ sync: false, minLength: 1 });
  stream.flushSync = () => undefined;
  return new GatheredLines(stream);
}

const GATHER_MS = 50;
const MAX_GATHERED_LENGTH = 16_384;

/** Writes the lines of a moment at once: a system call for each line takes 5 % of the processor time of a short read. */
class GatheredLines {
  private lines = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly stream: ReturnType<typeof pino.destination>) {}

  write(line: string): void {
    this.lines += line;
    if (this.lines.length > MAX_GATHERED_LENGTH) this.pass();
    else this.timer ??= setTimeout(() => this.pass(), GATHER_MS);
  }

  flush(written: () => void): void {
    this.pass();
    this.stream.flush(written);
  }

  private pass(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.stream.write(this.lines);
    this.lines = '';
  }
}

/** Loaded only when needed, because it slows down startup. */
function prettyStream(): NodeJS.WritableStream {
  const { build } = createRequire(__filename)('pino-pretty') as typeof import('pino-pretty');
  return build({ colorize: process.stdout.isTTY, translateTime: 'SYS:HH:MM:ss.l', sync: true });
}

/** Writes Nest's messages to the same log. Messages about its startup have the level debug. */
export class NestLog implements LoggerService {
  constructor(private readonly destination: Log) {}

  log(message: unknown, ...rest: unknown[]): void {
    const context = contextOf(rest);
    this.destination[isFrameworkContext(context) ? 'debug' : 'info']({ context }, textOf(message));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.destination.debug({ context: contextOf(rest) }, textOf(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.destination.warn({ ...fieldsOf(message), context: contextOf(rest) }, textOf(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.destination.error({ ...fieldsOf(message), context: contextOf(rest) }, textOf(message));
  }
}

const FRAMEWORK_CONTEXTS = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

const isFrameworkContext = (context: string | undefined): boolean =>
  context !== undefined && FRAMEWORK_CONTEXTS.has(context);

const contextOf = (rest: unknown[]): string | undefined => rest.findLast((part) => typeof part === 'string');

function textOf(message: unknown): string {
  if (message instanceof Error) return message.stack ?? message.message;
  return String(isTraced(message) ? message.message : message);
}

/** A message with the id of the trace that it is about. */
interface TracedMessage {
  readonly message: string;
  readonly trace_id: string | undefined;
}

const isTraced = (message: unknown): message is TracedMessage =>
  typeof message === 'object' && message !== null && 'trace_id' in message;

const fieldsOf = (message: unknown) => (isTraced(message) ? { trace_id: message.trace_id } : {});
