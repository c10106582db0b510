import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { Config } from '../config/load-config';
import { type Budget, WINDOW_SECONDS, counterName } from './budget';
import type { LocalCounters } from './local-counters';
import { type Counted, RequestCounters } from './request-counters';

/** Redis runs it alone, so that requests of several processes cannot exceed a limit. Returns the counts and the ends of windows. */
const COUNT = `
local refused = 0
for i, key in ipairs(KEYS) do
  local limit = tonumber(ARGV[i + 2])
  if tonumber(redis.call('GET', key) or '0') + math.min(ARGV[2], limit) > limit then refused = 1 end
end
local result = { refused }
for i, key in ipairs(KEYS) do
  if refused == 0 and redis.call('INCRBY', key, ARGV[2]) == tonumber(ARGV[2]) then redis.call('PEXPIRE', key, ARGV[1]) end
  result[2 * i] = tonumber(redis.call('GET', key) or '0')
  result[2 * i + 1] = redis.call('PTTL', key)
end
return result`;

type WithScript = Redis & { countRequest(keys: number, ...values: readonly (string | number)[]): Promise<number[]> };

const WINDOW_MS = WINDOW_SECONDS * 1_000;
const RETRY_MS = 500;

/**
 * Counts in Redis, for all processes together. If Redis does not answer in time, requests count in this process until it does:
 * no request fails, and only those that are already waiting are delayed.
 */
export class RedisCounters extends RequestCounters implements OnApplicationShutdown {
  private readonly logger = new Logger('limits');
  private readonly redis: WithScript;
  private readonly prefix: string;
  private readonly probe: NodeJS.Timeout;
  private isAvailable = false;
  private hasWarned = false;
  private isClosed = false;

  constructor(
    url: string,
    { REDIS_PREFIX, REDIS_LIMITS_TIMEOUT_MS }: Pick<Config, 'REDIS_PREFIX' | 'REDIS_LIMITS_TIMEOUT_MS'>,
    private readonly local: LocalCounters,
    private readonly onFallback: () => void,
  ) {
    super();
    this.prefix = `${REDIS_PREFIX}:limits:`;
    this.redis = new Redis(url, {
      scripts: { countRequest: { lua: COUNT } },
      commandTimeout: REDIS_LIMITS_TIMEOUT_MS,
      // A command that cannot be sent now fails now.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      enableReadyCheck: false,
      connectTimeout: 2_000,
      disconnectTimeout: 200,
      keepAlive: 10_000,
      retryStrategy: () => (this.isClosed ? null : RETRY_MS),
    }) as WithScript;
    this.redis.on('error', (error: Error) => this.markUnavailable(error));
    this.redis.on('ready', () => void this.check());
    this.probe = setInterval(() => void this.check(), RETRY_MS);
  }

  override count(budgets: readonly Budget[], cost = 1): Counted | Promise<Counted> {
    return this.isAvailable ? this.countTogether(budgets, cost) : this.countAlone(budgets, cost);
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    clearInterval(this.probe);
    this.redis.disconnect();
  }

  private async countTogether(budgets: readonly Budget[], cost: number): Promise<Counted> {
    try {
      const keys = budgets.map((budget) => this.prefix + counterName(budget));
      const limits = budgets.map(({ limit }) => limit);
      const [isRefused, ...values] = await this.redis.countRequest(keys.length, ...keys, WINDOW_MS, cost, ...limits);
      return {
        isRefused: isRefused === 1,
        counts: budgets.map(({ limit }, index) => {
          const ttl = values[2 * index + 1] ?? 0;
          return { remaining: Math.max(0, limit - (values[2 * index] ?? 0)), resetMs: ttl < 0 ? WINDOW_MS : ttl };
        }),
      };
    } catch (error) {
      this.markUnavailable(error);
      return this.countAlone(budgets, cost);
    }
  }

  private countAlone(budgets: readonly Budget[], cost: number): Counted {
    this.onFallback();
    return this.local.count(budgets, cost);
  }

  /**
   * Counts in a counter of its own, to notice also a Redis that answers and cannot count: it is full, a replica, or its user may
   * not change these keys.
   */
  private async check(): Promise<void> {
    if (this.isAvailable || this.isClosed || this.redis.status !== 'ready') return;
    try {
      await this.redis.countRequest(1, `${this.prefix}probe`, WINDOW_MS, 1, Number.MAX_SAFE_INTEGER);
      this.isAvailable = true;
      if (this.hasWarned) this.logger.log('Redis answers again: limits of requests count for all processes together');
      this.hasWarned = false;
    } catch (error) {
      this.markUnavailable(error);
    }
  }

  private markUnavailable(error: unknown): void {
    this.isAvailable = false;
    if (this.hasWarned || this.isClosed) return;
    this.hasWarned = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.warn(`Redis does not answer (${reason}): each process enforces its share of the limits of requests`);
  }
}
