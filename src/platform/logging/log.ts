import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import pino, { type Logger } from 'pino';
import type { Config } from '../config/load-config';

export type Log = Logger;

/** JSON lines for machines; for a person at a terminal the same, readable. */
export function createLog(config: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>): Log {
  const pretty = config.LOG_FORMAT === 'pretty' || (config.LOG_FORMAT === 'auto' && process.stdout.isTTY);
  const options = { level: config.LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime };
  return pretty ? pino(options, prettyStream()) : pino(options, plainStream());
}

/** How long the last lines may take to be written when a process ends. */
const FLUSH_TIMEOUT_MS = 500;

/** For the end of a process: what is left is written, unless nobody reads it. */
export async function endLog(log: Log): Promise<void> {
  const finished = new AbortController();
  const written = new Promise<void>((resolve) => log.flush(() => resolve()));
  await Promise.race([written, delay(FLUSH_TIMEOUT_MS, undefined, finished).catch(() => undefined)]);
  finished.abort();
}

/** Without its synchronous flush, which pino calls at exit: where the reader of the log has gone that never comes back. */
function plainStream(): ReturnType<typeof pino.destination> {
  const stream = pino.destination({ sync: false });
  stream.flushSync = () => undefined;
  return stream;
}

/** Loaded only where a person reads: it costs a start more than the rest of the log together. */
function prettyStream(): NodeJS.WritableStream {
  const { build } = createRequire(__filename)('pino-pretty') as typeof import('pino-pretty');
  return build({ colorize: process.stdout.isTTY, translateTime: 'SYS:HH:MM:ss.l', sync: true });
}

/** Nest's logger, in the same log. What Nest tells of its own start is for its developers and stands at debug. */
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
    this.destination.warn({ context: contextOf(rest) }, textOf(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.destination.error({ context: contextOf(rest) }, textOf(message));
  }
}

const frameworkContexts = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

const isFrameworkContext = (context: string | undefined): boolean =>
  context !== undefined && frameworkContexts.has(context);

const contextOf = (rest: unknown[]): string | undefined => rest.findLast((part) => typeof part === 'string');

const textOf = (message: unknown): string =>
  message instanceof Error ? (message.stack ?? message.message) : String(message);
