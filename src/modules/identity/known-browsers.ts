import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { Config } from '../../platform/config/load-config';
import { Signer } from '../../platform/config/signer';
import type { User } from './data/user.entity';
import { UsersRepository } from './data/users.repository';

export const KNOWN_BROWSER_MS = 90 * 24 * 3_600_000;

const TOKEN = /^(?<userId>\d{1,10})\.(?<issued>\d{13})\.(?<signature>[\w-]{43})$/;

/**
 * Browsers in which a user has signed in before have attempts of their own, so that strangers who guess the password cannot keep
 * the user from signing in. Their cookie gives no other right: the password and the code are still needed.
 */
@Injectable()
export class KnownBrowsers {
  private readonly own: Signer;
  private readonly provided: Signer;

  constructor(
    private readonly users: UsersRepository,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.own = new Signer(config, 'known browser');
    this.provided = new Signer(config, 'browser known through a provider');
  }

  /** The content of the cookie, after a complete sign-in. A sign-in through a provider does not change it. */
  async tokenFor(userId: number, isOwn = true, earlier?: string): Promise<string | undefined> {
    const user = await this.users.find(userId);
    if (user === undefined) return undefined;
    if (!isOwn && (await this.identify(earlier, user.foldedEmail)) !== undefined) return earlier;
    const issued = this.clock.now().getTime();
    return `${userId}.${issued}.${(isOwn ? this.own : this.provided).sign(signedText(user, issued))}`;
  }

  /**
   * Identifies this browser, if it is known for the address. It reads the user that the token names, so that the
   * time does not show whether the address has one. A provider, which could make any number of them, gives none that is `own`.
   */
  async identify(token: string | undefined, foldedEmail: string, isOwn = true): Promise<string | undefined> {
    const { userId, issued, signature = '' } = TOKEN.exec(token ?? '')?.groups ?? {};
    if (userId === undefined || Number(issued) + KNOWN_BROWSER_MS <= this.clock.now().getTime()) return undefined;
    const user = await this.users.find(Number(userId));
    if (user === undefined) return undefined;
    const signers = isOwn ? [this.own] : [this.own, this.provided];
    if (!signers.some((signer) => signer.hasSigned(signedText(user, Number(issued)), signature))) return undefined;
    return user.foldedEmail === foldedEmail ? signature : undefined;
  }
}

/** With the hash of the password, so that a new password ends the token. */
const signedText = ({ id, passwordHash }: User, issued: number): string => `${id} ${issued} ${passwordHash}`;
