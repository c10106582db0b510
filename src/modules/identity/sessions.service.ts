import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { DomainError } from '../../kernel/domain-error';
import { type Caller, system } from '../../platform/api/caller';
import { Scope } from '../../platform/api/scope';
import type { AuditDescription } from '../../platform/audit/audit-entry';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { FailureThrottle } from '../../platform/auth/failure-throttle';
import { BackgroundTasks } from '../../platform/work/background-tasks';
import { callerOf } from './data/caller-record';
import type { Session } from './data/session.entity';
import { SessionsRepository } from './data/sessions.repository';
import { SignInChallengesRepository } from './data/sign-in-challenges.repository';
import type { User } from './data/user.entity';
import { UsersRepository } from './data/users.repository';
import { challengeOver, codeRefused, sessionNotFound, signInRefused } from './domain/identity.errors';
import { confirmedSince, expiredBefore, hasExpired } from './domain/session-terms';
import { hashToken, newToken } from './domain/token';
import { type Origin, PasswordVerifier } from './password-verifier';
import { SecondFactorService } from './second-factor.service';
import { ProviderRequirements } from './provider-requirements.service';

/** The browser of a session, as the list of sessions shows it. */
export interface SessionClient extends Origin {
  readonly userAgent: string | null;
}

interface Attempt extends SessionClient {
  /** For the audit entry: the request id, for example. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface SignIn extends Attempt {
  readonly email: string;
  readonly password: string;
}

export interface SecondStep extends Attempt {
  /** The token of the first step. */
  readonly challenge: string;
  readonly code: string;
}

export interface NewSession {
  readonly token: string;
  readonly userId: number;
}

/** A session; or the token of a challenge, which is complete with a code of the second factor. */
export type SignInResult =
  | { readonly session: NewSession; readonly challenge?: undefined }
  | { readonly session?: undefined; readonly challenge: string };

export interface SignedIn {
  readonly sessionId: number;
  readonly caller: Caller;
}

const TOUCH_INTERVAL_MS = 60_000;
/** Between the password and the code of the second factor. */
export const CHALLENGE_MS = 10 * 60_000;
const MAX_USER_AGENT = 300;
/** So that strangers do not fill the audit log. */
const UNKNOWN_ADDRESSES_PER_MINUTE = 10;

const SIGN_IN = { operation: 'session.create', resourceType: 'session' } as const;

/** Of a user. */
const MAX_SESSIONS = 100;
const MAX_CHALLENGES = 20;

/** Sessions of the portal: a random token in a cookie, and its hash in the database. */
@Injectable()
export class SessionsService {
  private readonly unknownAddresses: FailureThrottle;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly challenges: SignInChallengesRepository,
    private readonly users: UsersRepository,
    private readonly passwords: PasswordVerifier,
    private readonly secondFactors: SecondFactorService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly background: BackgroundTasks,
    private readonly requirements: ProviderRequirements,
  ) {
    this.unknownAddresses = new FailureThrottle(UNKNOWN_ADDRESSES_PER_MINUTE, clock);
  }

  /** An unknown address and a wrong password have the same error and take the same time. */
  async signIn({ email, password, ...attempt }: SignIn): Promise<SignInResult> {
    const { user, matches } = await this.passwords.verify(email, password, attempt);
    if (user === undefined) {
      this.recordUnknown(attempt);
      throw signInRefused();
    }
    if (!matches) {
      this.recordRefusal(() => this.descriptionOf(user.id, user.integratorId, attempt), signInRefused());
      throw signInRefused();
    }
    await this.requirements.requireOwnReach(user.id);
    const description = await this.descriptionOf(user.id, user.integratorId, attempt);
    const hasSecondFactor = await this.secondFactors.isOn(user.id);
    const before = (): Promise<void> => this.requireUnchanged(user, hasSecondFactor);
    if (hasSecondFactor) return { challenge: await this.createChallenge(user.id, description, before) };
    return { session: await this.create(user.id, description, attempt, before) };
  }

  /** The second step of a user with an authenticator app. A new code is asked for until the challenge expires. */
  async completeSignIn({ challenge, code, ...attempt }: SecondStep): Promise<NewSession> {
    const tokenHash = hashToken(challenge);
    const found = await this.challenges.findByToken(tokenHash);
    if (found === undefined || found.expires <= this.clock.now()) throw challengeOver();
    const description = await this.descriptionOf(found.userId, found.integratorId, attempt);
    if (!(await this.secondFactors.verify(found.userId, code))) {
      this.recordRefusal(() => Promise.resolve(description), codeRefused());
      throw codeRefused();
    }
    return this.create(found.userId, description, attempt, async () => {
      if (!(await this.challenges.complete(tokenHash))) throw challengeOver();
    });
  }

  /** Ends all sessions of a user and begins one, in the current unit of work: after changes of how the user signs in. */
  async renew(userId: number, client: SessionClient): Promise<{ readonly id: number; readonly token: string }> {
    await this.endAll(userId);
    return this.begin(userId, client);
  }

  /**
   * Ends all sessions of a user, and the sign-ins that wait for a code. A sign-in at the same time has either locked the user
   * before, so that its session ends here, or notices the change after this.
   */
  async endAll(userId: number): Promise<void> {
    await this.users.lockForNoKeyUpdate(userId);
    await this.sessions.endAll(userId);
  }

  /** The signed-in user of a token; undefined if the session has ended. */
  async authenticate(token: string): Promise<SignedIn | undefined> {
    const now = this.clock.now();
    const record = await this.sessions.findByToken(hashToken(token), confirmedSince(now));
    if (record === undefined || hasExpired(record, now)) return undefined;
    if (!record.reachesAll && record.memberships.length === 0) return undefined;
    if (now.getTime() - record.lastUsed.getTime() > TOUCH_INTERVAL_MS)
      this.background.run('last use of a session', () => this.sessions.touch(record.id));
    return { sessionId: record.id, caller: callerOf(record, null, record.isOwn) };
  }

  async list(userId: number): Promise<Omit<Session, 'tokenHash'>[]> {
    const all = await this.sessions.listOf(userId);
    const now = this.clock.now();
    return all.filter((session) => !hasExpired(session, now));
  }

  async end(userId: number, id: number): Promise<void> {
    if (!(await this.sessions.end(userId, id))) throw sessionNotFound();
    this.unitOfWork.note({ resourceId: String(id) });
  }

  /** Ends all sessions of the user but this one. */
  async endOthers(userId: number, id: number): Promise<void> {
    this.unitOfWork.note({ metadata: { ended: await this.sessions.endOthers(userId, id) } });
  }

  /** Deletes sessions and challenges that have expired. */
  async deleteExpired(): Promise<void> {
    const now = this.clock.now();
    const { created, lastUsed } = expiredBefore(now);
    await this.sessions.deleteUnused(created, lastUsed);
    await this.challenges.deleteExpiredBefore(now);
  }

  private create(
    userId: number,
    description: AuditDescription,
    client: SessionClient,
    before: () => Promise<void>,
  ): Promise<NewSession> {
    return this.unitOfWork.run(description, Scope.organizations([]), async () => {
      await before();
      await this.requirements.requireOwnReach(userId);
      const { id, token } = await this.begin(userId, client);
      this.unitOfWork.note({ resourceId: String(id) });
      await this.requirements.reportBreakGlass(userId);
      return { token, userId };
    });
  }

  /** Not `isOwn` if a provider alone has opened it. */
  async begin(userId: number, { ip, userAgent }: SessionClient, isOwn = true): Promise<{ id: number; token: string }> {
    const token = newToken();
    const shownAgent = userAgent?.slice(0, MAX_USER_AGENT) ?? null;
    const id = await this.sessions.save({ tokenHash: hashToken(token), userId, ip, userAgent: shownAgent, isOwn });
    await this.sessions.endOldest(userId, MAX_SESSIONS);
    return { id, token };
  }

  private createChallenge(userId: number, description: AuditDescription, before: () => Promise<void>): Promise<string> {
    return this.unitOfWork.run(
      { ...description, operation: 'session.challenge' },
      Scope.organizations([]),
      async () => {
        await before();
        const token = newToken();
        const expires = new Date(this.clock.now().getTime() + CHALLENGE_MS);
        await this.challenges.save({ tokenHash: hashToken(token), userId, expires });
        await this.challenges.removeOldest(userId, MAX_CHALLENGES);
        return token;
      },
    );
  }

  private async descriptionOf(
    userId: number,
    integratorId: number | null,
    { ip, metadata }: Attempt,
  ): Promise<AuditDescription> {
    return {
      actor: { type: integratorId === null ? 'user' : 'integrator', id: String(userId) },
      ...SIGN_IN,
      organizationId: await this.users.onlyOrganizationOf(userId),
      metadata: { ...metadata, ip },
    };
  }

  /** The password or the second factor may have changed since it was checked. */
  private async requireUnchanged({ id, passwordHash }: User, hasSecondFactor: boolean): Promise<void> {
    const isSamePassword = await this.users.lockForShareWithPassword(id, passwordHash);
    if (!isSamePassword || (await this.secondFactors.isOn(id)) !== hasSecondFactor) throw signInRefused();
  }

  /** Without the address, because some people type their password there. */
  private recordUnknown({ ip, metadata }: Attempt): void {
    if (this.unknownAddresses.fail('sign-in') !== undefined) return;
    this.recordRefusal(
      () => Promise.resolve({ ...SIGN_IN, actor: system, metadata: { ...metadata, ip } }),
      signInRefused(),
    );
  }

  /** In the background: otherwise the time would show whether a user exists. */
  private recordRefusal(describe: () => Promise<AuditDescription>, error: DomainError): void {
    this.background.run('writing the audit entry of a rejected sign-in', async () =>
      this.unitOfWork.refuse(await describe(), Scope.organizations([]), error),
    );
  }
}
