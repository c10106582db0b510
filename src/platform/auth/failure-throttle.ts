import type { Clock } from '../../kernel/clock';
import { growingCache } from '../../kernel/growing-cache';

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Limits failed attempts per key and per address. Valid credentials are never limited, so an attacker cannot lock out the
 * owner of a key or other users of an address.
 */
export class FailureThrottle {
  private readonly buckets = growingCache<string, Bucket>(50_000);

  constructor(
    private readonly perMinute: number,
    private readonly clock: Clock,
  ) {}

  /** Counts one failure. Returns the seconds to wait if there were too many. */
  fail(...subjects: string[]): number | undefined {
    const waits = subjects.map((subject) => this.take(subject)).filter((wait) => wait !== undefined);
    return waits.length === 0 ? undefined : Math.max(...waits);
  }

  private take(subject: string): number | undefined {
    const now = this.clock.now().getTime();
    const bucket = this.buckets.get(subject) ?? { tokens: this.perMinute, at: now };
    const refilled = Math.min(this.perMinute, bucket.tokens + (Math.max(0, now - bucket.at) / 60_000) * this.perMinute);
    const allowed = refilled >= 1;
    this.buckets.set(subject, { tokens: allowed ? refilled - 1 : refilled, at: now });
    return allowed ? undefined : Math.max(1, Math.ceil(((1 - refilled) / this.perMinute) * 60));
  }
}
