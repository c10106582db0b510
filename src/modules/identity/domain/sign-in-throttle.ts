import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock';

interface Attempts {
  left: number;
  at: number;
}

interface Limit {
  readonly burst: number;
  readonly perHour: number;
}

/** One address that tries one account. A person who mistypes never reaches it. */
const FROM_ADDRESS_TO_ACCOUNT: Limit = { burst: 10, perHour: 30 };
/** One address that tries many accounts. Large enough for an office behind one address. */
const FROM_ADDRESS: Limit = { burst: 100, perHour: 300 };
/** Many addresses that try one account. */
const TO_ACCOUNT: Limit = { burst: 100, perHour: 200 };

/**
 * Limits guesses of passwords. It is asked before the password is checked, because otherwise it would not limit guesses. Each
 * process counts for itself. An attacker with one address cannot lock the owner of an account out at another.
 */
export class SignInThrottle {
  private readonly attempts = new LRUCache<string, Attempts>({ max: 50_000 });

  constructor(private readonly clock: Clock) {}

  /** Counts an attempt. Returns the seconds to wait if there were too many. */
  waitBefore(foldedEmail: string, ip: string | null): number | undefined {
    const waits = limitsFor(foldedEmail, ip).map(([subject, limit]) => this.take(subject, limit));
    const seconds = Math.max(...waits);
    return seconds > 0 ? seconds : undefined;
  }

  /** An attempt with the right password does not count. */
  succeeded(foldedEmail: string, ip: string | null): void {
    for (const [subject, { burst }] of limitsFor(foldedEmail, ip)) {
      const attempts = this.attempts.get(subject);
      if (attempts !== undefined) attempts.left = Math.min(burst, attempts.left + 1);
    }
  }

  private take(subject: string, { burst, perHour }: Limit): number {
    const now = this.clock.now().getTime();
    const { left, at } = this.attempts.get(subject) ?? { left: burst, at: now };
    const refilled = Math.min(burst, left + ((now - at) / 3_600_000) * perHour);
    const isAllowed = refilled >= 1;
    this.attempts.set(subject, { left: isAllowed ? refilled - 1 : refilled, at: now });
    return isAllowed ? 0 : Math.max(1, Math.ceil(((1 - refilled) / perHour) * 3_600));
  }
}

const limitsFor = (foldedEmail: string, ip: string | null): [string, Limit][] => [
  [`${ip} ${foldedEmail.slice(0, 320)}`, FROM_ADDRESS_TO_ACCOUNT],
  [`address ${ip}`, FROM_ADDRESS],
  [`account ${foldedEmail.slice(0, 320)}`, TO_ACCOUNT],
];
