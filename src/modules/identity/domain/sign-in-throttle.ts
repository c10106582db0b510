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

interface Limits {
  /** One address that tries one account. A person who mistypes never reaches it. */
  readonly fromAddressToAccount: Limit;
  /** One address that tries many accounts. Large enough for an office behind one address. */
  readonly fromAddress: Limit;
  /** Many addresses that try one account. */
  readonly toAccount: Limit;
}

const PASSWORD_LIMITS: Limits = {
  fromAddressToAccount: { burst: 10, perHour: 30 },
  fromAddress: { burst: 100, perHour: 300 },
  toAccount: { burst: 100, perHour: 200 },
};

/** Of requests for mail: an address must not receive many. */
export const MAIL_LIMITS: Limits = {
  fromAddressToAccount: { burst: 3, perHour: 3 },
  fromAddress: { burst: 30, perHour: 30 },
  toAccount: { burst: 5, perHour: 5 },
};

/**
 * Limits guesses of passwords. It is asked before the password is checked, because otherwise it would not limit guesses. Each
 * process counts for itself. An attacker with one address cannot lock the owner of an account out at another.
 */
export class SignInThrottle {
  private readonly attempts = new LRUCache<string, Attempts>({ max: 50_000 });

  constructor(
    private readonly clock: Clock,
    private readonly limits = PASSWORD_LIMITS,
  ) {}

  /** Counts an attempt. Returns the seconds to wait if there were too many. */
  waitBefore(foldedEmail: string, ip: string | null): number | undefined {
    const waits = this.limitsFor(foldedEmail, ip).map(([subject, limit]) => this.take(subject, limit));
    const seconds = Math.max(...waits);
    return seconds > 0 ? seconds : undefined;
  }

  /** An attempt with the right password does not count. */
  succeeded(foldedEmail: string, ip: string | null): void {
    for (const [subject, { burst }] of this.limitsFor(foldedEmail, ip)) {
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

  private limitsFor(foldedEmail: string, ip: string | null): [string, Limit][] {
    const account = foldedEmail.slice(0, 320);
    return [
      [`${ip} ${account}`, this.limits.fromAddressToAccount],
      [`address ${ip}`, this.limits.fromAddress],
      [`account ${account}`, this.limits.toAccount],
    ];
  }
}
