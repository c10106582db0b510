import { clientNetwork } from '../../../kernel/client-network';
import type { Clock } from '../../../kernel/clock';
import { growingCache } from '../../../kernel/growing-cache';

export interface Attempt {
  readonly foldedEmail: string;
  readonly ip: string | null;
  /** Identifies the browser, if the user of this address has signed in with it before. */
  readonly knownBrowser?: string;
}

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
  /** One address that tries many accounts. The limit is large enough for an office behind one address. */
  readonly fromAddress: Limit;
  /** Many addresses that try one account. */
  readonly toAccount: Limit;
  /** A browser in which the user of the account has signed in before. The limits above do not count it. */
  readonly fromKnownBrowser: Limit;
}

const PASSWORD_LIMITS: Limits = {
  fromAddressToAccount: { burst: 10, perHour: 30 },
  fromAddress: { burst: 100, perHour: 300 },
  toAccount: { burst: 100, perHour: 200 },
  fromKnownBrowser: { burst: 10, perHour: 30 },
};

/** Of requests for mail: an address must not receive many. */
export const MAIL_LIMITS: Limits = {
  fromAddressToAccount: { burst: 3, perHour: 3 },
  fromAddress: { burst: 30, perHour: 30 },
  toAccount: { burst: 5, perHour: 5 },
  fromKnownBrowser: { burst: 3, perHour: 3 },
};

/**
 * Limits guesses of passwords. It is asked before the password is checked, because otherwise it would not limit guesses. Each
 * process counts for itself. Strangers with many addresses can delay the owner of an account in a new browser, but not in one
 * that has signed in before.
 */
export class SignInThrottle {
  private readonly attempts = growingCache<string, Attempts>(50_000);

  constructor(
    private readonly clock: Clock,
    private readonly limits = PASSWORD_LIMITS,
  ) {}

  /**
   * Counts an attempt, or returns the seconds to wait if there were too many. A refused attempt is not counted: one address would
   * use up the attempts of all others at an account, and could fill the cache until the limits of others are forgotten.
   */
  waitBefore(attempt: Attempt): number | undefined {
    const now = this.clock.now().getTime();
    const limits = this.limitsFor(attempt).map(([subject, limit]) => ({
      subject,
      limit,
      left: this.left(subject, limit, now),
    }));
    const seconds = Math.max(...limits.map(({ limit, left }) => waitFor(limit, left)));
    if (seconds > 0) return seconds;
    for (const { subject, left } of limits) this.attempts.set(subject, { left: left - 1, at: now });
    return undefined;
  }

  /** An attempt with the right password does not count. */
  succeeded(attempt: Attempt): void {
    for (const [subject, { burst }] of this.limitsFor(attempt)) {
      const attempts = this.attempts.get(subject);
      if (attempts !== undefined) attempts.left = Math.min(burst, attempts.left + 1);
    }
  }

  private left(subject: string, { burst, perHour }: Limit, now: number): number {
    const { left, at } = this.attempts.get(subject) ?? { left: burst, at: now };
    // A clock that was set back uses up nobody's attempts.
    return Math.min(burst, left + (Math.max(0, now - at) / 3_600_000) * perHour);
  }

  private limitsFor({ foldedEmail, ip, knownBrowser }: Attempt): [string, Limit][] {
    if (knownBrowser !== undefined) return [[`browser ${knownBrowser}`, this.limits.fromKnownBrowser]];
    const account = foldedEmail.slice(0, 320);
    const client = ip === null ? 'unknown' : clientNetwork(ip);
    return [
      [`${client} ${account}`, this.limits.fromAddressToAccount],
      [`address ${client}`, this.limits.fromAddress],
      [`account ${account}`, this.limits.toAccount],
    ];
  }
}

const waitFor = ({ perHour }: Limit, left: number): number =>
  left >= 1 ? 0 : Math.max(1, Math.ceil(((1 - left) / perHour) * 3_600));
