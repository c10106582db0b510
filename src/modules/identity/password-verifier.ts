import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { normalizeName } from '../../kernel/normalize-name';
import type { Caller } from '../../platform/api/caller';
import { Transactions } from '../../platform/database/transactions';
import type { User } from './data/user.entity';
import { UsersRepository } from './data/users.repository';
import { currentPasswordWrong, tooManySignIns } from './domain/identity.errors';
import { SignInThrottle } from './domain/sign-in-throttle';
import { KnownBrowsers } from './known-browsers';
import { verifyPassword } from './password';
import { SignInFailures } from './sign-in-failures';

export interface Verified {
  readonly user: User | undefined;
  readonly matches: boolean;
}

/** Where an attempt comes from. */
export interface Origin {
  readonly ip: string | null;
  /** The cookie of a browser that has signed in before. */
  readonly knownBrowser?: string;
}

/** Checks passwords, and limits guesses, at the sign-in and in the settings together. */
@Injectable()
export class PasswordVerifier {
  private readonly throttle: SignInThrottle;

  constructor(
    private readonly users: UsersRepository,
    private readonly transactions: Transactions,
    private readonly failures: SignInFailures,
    private readonly knownBrowsers: KnownBrowsers,
    clock: Clock,
  ) {
    this.throttle = new SignInThrottle(clock);
  }

  /** Takes the same time for an unknown address and for a wrong password. */
  async verify(email: string, password: string, origin: Origin): Promise<Verified> {
    const foldedEmail = normalizeName(email);
    const knownBrowser = await this.knownBrowsers.identify(origin.knownBrowser, foldedEmail);
    const attempt = { foldedEmail, ip: origin.ip, knownBrowser };
    const wait = this.throttle.waitBefore(attempt);
    if (wait !== undefined) {
      this.failures.count({ step: 'password', reason: 'throttled' });
      throw tooManySignIns(wait);
    }
    const user = foldedEmail.includes('\0') ? undefined : await this.users.findByEmail(foldedEmail);
    const matches = await verifyPassword(password, user?.passwordHash ?? null);
    if (matches) this.throttle.succeeded(attempt);
    else this.failures.count({ step: 'password', reason: 'refused' });
    return { user, matches };
  }

  /** For changes that a stolen session alone must not be able to make. Holds no connection while it computes the hash. */
  async requirePassword({ facts: { email } }: Caller, password: string, origin: Origin): Promise<void> {
    const { matches } = await this.transactions.outside(() => this.verify(email, password, origin));
    if (!matches) throw currentPasswordWrong();
  }
}
