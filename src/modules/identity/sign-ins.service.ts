import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import type { AuditDescription } from '../../platform/audit/audit-entry';
import type { OwnFactors } from './data/own-factors';
import { type ChallengeRecord, SignInChallengesRepository } from './data/sign-in-challenges.repository';
import type { User } from './data/user.entity';
import { UsersRepository } from './data/users.repository';
import { challengeOver, codeRefused, passkeyRefused, signInRefused } from './domain/identity.errors';
import { hashToken, newToken } from './domain/token';
import { type GivenPasskey, type PasskeyAnswer, PasskeysService } from './passkeys.service';
import { PasswordVerifier } from './password-verifier';
import { ProviderRequirements } from './provider-requirements.service';
import { SecondFactorService } from './second-factor.service';
import { type SessionClient, SessionsService } from './sessions.service';
import { type AuditedAttempt, SignInAudit } from './sign-in-audit';

type Attempt = SessionClient & AuditedAttempt;

export interface SignIn extends Attempt {
  readonly email: string;
  readonly password: string;
}

export interface SecondStep extends Attempt {
  /** The token of the first step. */
  readonly challenge: string;
}

export interface NewSession {
  readonly token: string;
  readonly userId: number;
}

/** A session; or the token of a challenge, which is complete with a second factor. */
export type SignInResult =
  | { readonly session: NewSession; readonly challenge?: undefined }
  | { readonly session?: undefined; readonly challenge: string };

/** Between the password and the second factor. */
export const CHALLENGE_MS = 10 * 60_000;
/** Of a user. */
const MAX_CHALLENGES = 20;

/** Sign-ins to the portal: with a password and a second factor if the user has one, or with a passkey alone. */
@Injectable()
export class SignInsService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly challenges: SignInChallengesRepository,
    private readonly users: UsersRepository,
    private readonly passwords: PasswordVerifier,
    private readonly secondFactors: SecondFactorService,
    private readonly passkeys: PasskeysService,
    private readonly requirements: ProviderRequirements,
    private readonly audit: SignInAudit,
    private readonly clock: Clock,
  ) {}

  /** An unknown address and a wrong password have the same error and take the same time. */
  async signIn({ email, password, ...attempt }: SignIn): Promise<SignInResult> {
    const { user, matches } = await this.passwords.verify(email, password, attempt);
    if (user === undefined) {
      this.audit.recordUnknown(attempt);
      throw signInRefused();
    }
    if (!matches) {
      this.audit.recordRefusal(() => this.audit.describe(user.id, user.integratorId, attempt), signInRefused());
      throw signInRefused();
    }
    const description = await this.audit.describe(user.id, user.integratorId, attempt);
    const hasSecondFactor = await this.secondFactors.isNeeded(user.id);
    const before = (): Promise<void> => this.requireUnchanged(user, hasSecondFactor);
    if (hasSecondFactor) return { challenge: await this.createChallenge(user.id, description, before) };
    return { session: await this.create(user.id, description, attempt, before) };
  }

  /** What the second step of a sign-in accepts. The page for codes also says that the sign-in is over. */
  async factorsOf(challenge: string): Promise<OwnFactors> {
    const found = await this.findOpen(challenge);
    if (found === undefined) return { hasCode: true, hasPasskey: false };
    return this.secondFactors.factorsOf(found.userId);
  }

  /** The user whose passkeys a browser is asked for in the second step. */
  async userOf(challenge: string): Promise<number> {
    return (await this.requireOpen(challenge)).userId;
  }

  /** The second step with an authenticator app. A new code is asked for until the challenge expires. */
  async completeWithCode({ challenge, code, ...attempt }: SecondStep & { readonly code: string }): Promise<NewSession> {
    const found = await this.requireOpen(challenge);
    const description = await this.audit.describe(found.userId, found.integratorId, attempt);
    if (!(await this.secondFactors.verify(found.userId, code))) {
      this.audit.recordRefusal(() => Promise.resolve(description), codeRefused());
      throw codeRefused();
    }
    return this.create(found.userId, description, attempt, async () => {
      // All sessions may end at the same time, as in `SessionsService.renew`.
      await this.users.lockForNoKeyUpdate(found.userId);
      await this.complete(challenge);
    });
  }

  /** The second step with a passkey of the same user. */
  async completeWithPasskey({
    challenge,
    given,
    ...attempt
  }: SecondStep & { readonly given: GivenPasskey }): Promise<NewSession> {
    const { userId } = await this.requireOpen(challenge);
    const answer = await this.passkeys.verify({
      ...given,
      purpose: 'second step',
      boundTo: challenge,
      userId,
      isAlone: false,
    });
    return this.signInWith(answer, attempt, () => this.complete(challenge));
  }

  /** Instead of a password: the passkey names the user, and has asked for a fingerprint, a face or a PIN. */
  async signInWithPasskey({ given, ...attempt }: Attempt & { readonly given: GivenPasskey }): Promise<NewSession> {
    const answer = await this.passkeys.verify({ ...given, purpose: 'sign in', boundTo: '', isAlone: true });
    return this.signInWith(answer, attempt, () => Promise.resolve());
  }

  /** The passkey is looked up again after the user was locked: it may have been removed since it was verified. */
  private async signInWith(
    { user, passkeyId, refusal }: PasskeyAnswer,
    attempt: Attempt,
    before: () => Promise<void>,
  ): Promise<NewSession> {
    if (user === undefined) {
      this.audit.recordUnknown(attempt, passkeyRefused());
      throw passkeyRefused();
    }
    const description = await this.audit.describe(user.id, user.integratorId, {
      ...attempt,
      metadata: { ...attempt.metadata, passkey_id: passkeyId, ...(refusal !== undefined && { problem: refusal }) },
    });
    if (refusal !== undefined) {
      this.audit.recordRefusal(() => Promise.resolve(description), passkeyRefused());
      throw passkeyRefused();
    }
    return this.create(user.id, description, { ...attempt, hasUsedPasskey: true }, async () => {
      if (!(await this.users.lockForNoKeyUpdate(user.id)) || !(await this.passkeys.exists(user.id, passkeyId)))
        throw passkeyRefused();
      await before();
    });
  }

  private async requireOpen(challenge: string): Promise<ChallengeRecord> {
    return orThrow(await this.findOpen(challenge), challengeOver);
  }

  private async findOpen(challenge: string): Promise<ChallengeRecord | undefined> {
    const found = await this.challenges.findByToken(hashToken(challenge));
    return found !== undefined && found.expires > this.clock.now() ? found : undefined;
  }

  private async complete(challenge: string): Promise<void> {
    if (!(await this.challenges.complete(hashToken(challenge)))) throw challengeOver();
  }

  private create(
    userId: number,
    description: AuditDescription,
    client: SessionClient,
    before: () => Promise<void>,
  ): Promise<NewSession> {
    return this.audit.run(description, async () => {
      await before();
      const reach = await this.requirements.requireOwnReach(userId);
      const { id, token } = await this.sessions.beginSignIn(userId, client);
      this.audit.noteSession(id);
      await this.requirements.reportBreakGlass(userId, reach);
      return { token, userId };
    });
  }

  private createChallenge(userId: number, description: AuditDescription, before: () => Promise<void>): Promise<string> {
    return this.audit.run({ ...description, operation: 'session.challenge' }, async () => {
      await before();
      await this.requirements.requireOwnReach(userId);
      const token = newToken();
      const expires = new Date(this.clock.now().getTime() + CHALLENGE_MS);
      await this.challenges.save({ tokenHash: hashToken(token), userId, expires });
      await this.challenges.removeOldest(userId, MAX_CHALLENGES);
      return token;
    });
  }

  /** The password or the second factor may have changed since it was checked. */
  private async requireUnchanged({ id, passwordHash }: User, hasSecondFactor: boolean): Promise<void> {
    const isSamePassword = await this.users.lockForShareWithPassword(id, passwordHash);
    if (!isSamePassword || (await this.secondFactors.isNeeded(id)) !== hasSecondFactor) throw signInRefused();
  }
}
