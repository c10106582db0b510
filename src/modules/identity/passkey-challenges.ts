import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { Config } from '../../platform/config/load-config';
import { Signer } from '../../platform/config/signer';
import { passkeyChallengeOver } from './domain/identity.errors';

export const PASSKEY_CHALLENGE_MS = 5 * 60_000;

/** `add` is the permission for a new passkey, after the user has shown who they are. */
export type PasskeyPurpose = 'sign in' | 'second step' | 'confirm' | 'add';

/** What a challenge is for. */
export interface ChallengeUse {
  readonly purpose: PasskeyPurpose;
  /** The session, or the sign-in that waits for its second step. */
  readonly boundTo: string;
}

export interface OpenChallenge {
  readonly challenge: string;
  readonly issued: Date;
}

const TOKEN = /^(?<challenge>[\w-]{43})\.(?<issued>\d{13})\.(?<signature>[\w-]{43})$/;

/**
 * Challenges that authenticators sign. The browser keeps its own in a signed cookie, so that strangers store nothing. Each
 * passkey remembers the newest that it has signed, and accepts none from before.
 */
@Injectable()
export class PasskeyChallenges {
  private readonly signer: Signer;

  constructor(
    private readonly clock: Clock,
    config: Config,
  ) {
    this.signer = new Signer(config, 'passkey challenge');
  }

  /** The content of the cookie. */
  issue(use: ChallengeUse): { readonly token: string; readonly challenge: string } {
    const challenge = randomBytes(32).toString('base64url');
    const issued = this.clock.now().getTime();
    const signature = this.signer.sign(signedText(use, challenge, String(issued)));
    return { token: `${challenge}.${issued}.${signature}`, challenge };
  }

  /** Throws if the challenge was issued for something else, or is over. */
  open(token: string | undefined, use: ChallengeUse): OpenChallenge {
    const { challenge = '', issued = '0', signature = '' } = TOKEN.exec(token ?? '')?.groups ?? {};
    const isFresh = Number(issued) + PASSKEY_CHALLENGE_MS > this.clock.now().getTime();
    if (!isFresh || !this.signer.hasSigned(signedText(use, challenge, issued), signature)) throw passkeyChallengeOver();
    return { challenge, issued: new Date(Number(issued)) };
  }
}

const signedText = ({ purpose, boundTo }: ChallengeUse, challenge: string, issued: string): string =>
  JSON.stringify([purpose, boundTo, challenge, issued]);
