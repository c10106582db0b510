import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { FailureThrottle } from '../../platform/auth/failure-throttle';
import { BackgroundTasks } from '../../platform/work/background-tasks';
import { AccessPaths } from './access-paths.service';
import { callerOf } from './data/caller-record';
import { type SessionOfUser, SessionsRepository } from './data/sessions.repository';
import { UsersRepository } from './data/users.repository';
import { sessionEnded, sessionNotFound, tooManySignIns, userNotFound } from './domain/identity.errors';
import { newBrowserMail } from './domain/mail-texts';
import { hasExpired, MAX_SESSION_MINUTES, type UnmetRequirement, unmetRequirements } from './domain/sign-in-rules';
import { hashToken, newToken } from './domain/token';
import { KnownBrowsers } from './known-browsers';
import { MailQueue } from './mail-queue';
import type { Origin } from './password-verifier';

/** The browser of a session, as the list of sessions shows it. */
export interface SessionClient extends Origin {
  readonly userAgent: string | null;
  /** Whether the user has shown a passkey in this browser, for organizations that require one. */
  readonly hasUsedPasskey?: boolean;
}

export interface SignedIn {
  readonly sessionId: number;
  readonly caller: Caller;
  readonly hasUsedPasskey: boolean;
  readonly unmet: readonly UnmetRequirement[];
}

/** The lifetime of the cookie: the longest that an organization can allow. */
export const LIFETIME_MS = MAX_SESSION_MINUTES * 60_000;
/** How long the last answer of a provider about its user counts in a session. */
const CONFIRMED_MS = 60 * 60_000;
const TOUCH_INTERVAL_MS = 60_000;
const MAX_USER_AGENT = 300;
/** Of a user. */
const MAX_SESSIONS = 100;
/** Of a user whose credentials are right: each of them may send a mail. */
const SIGN_INS_PER_MINUTE = 20;

/** Sessions of the portal: a random token in a cookie, and its hash in the database. */
@Injectable()
export class SessionsService {
  private readonly signIns: FailureThrottle;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly paths: AccessPaths,
    private readonly users: UsersRepository,
    private readonly knownBrowsers: KnownBrowsers,
    private readonly mails: MailQueue,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly background: BackgroundTasks,
  ) {
    this.signIns = new FailureThrottle(SIGN_INS_PER_MINUTE, clock);
  }

  /**
   * Ends all sessions of a user, and the sign-ins that wait for a code, and begins one, in the current unit of work: after
   * changes of how the user signs in. They are refused if the session in which the user made them has ended meanwhile. A sign-in
   * at the same time has either locked the user before, so that its session ends here, or notices the change after this.
   */
  async renew(
    userId: number,
    client: SessionClient,
    sessionId?: number,
  ): Promise<{ readonly id: number; readonly token: string }> {
    if (!(await this.sessions.lockUserOf(sessionId, userId))) throw sessionEnded();
    await this.paths.end('signed_out', { userId });
    return this.begin(userId, client);
  }

  /**
   * The signed-in user of a token; undefined if the session has ended. The user sees no organization that requires a factor
   * which the session does not have.
   */
  async authenticate(token: string): Promise<SignedIn | undefined> {
    const now = this.clock.now();
    const record = await this.sessions.findByToken(hashToken(token), new Date(now.getTime() - CONFIRMED_MS));
    if (record === undefined || hasExpired(record, record.memberships, now)) return undefined;
    const reached = record.memberships.filter(({ is_reached: isReached }) => isReached);
    if (!record.reachesAll && reached.length === 0) return undefined;
    if (now.getTime() - record.lastUsed.getTime() > TOUCH_INTERVAL_MS)
      this.background.run('last use of a session', () => this.sessions.touch(record.id));
    const unmet = unmetRequirements(reached, record, now);
    const closed = new Set(unmet.filter(({ isClosed }) => isClosed).map(({ organizationId }) => organizationId));
    const memberships = reached.filter(({ organization_id: id }) => !closed.has(id));
    const { id: sessionId, hasUsedPasskey } = record;
    return { sessionId, caller: callerOf({ ...record, memberships }, null, record), hasUsedPasskey, unmet };
  }

  async list(userId: number): Promise<SessionOfUser[]> {
    const [all, now] = [await this.sessions.listOf(userId), this.clock.now()];
    return all.filter((session) => !hasExpired(session, session.memberships, now));
  }

  async end(userId: number, id: number): Promise<void> {
    if (!(await this.sessions.end(userId, id))) throw sessionNotFound();
    this.unitOfWork.note({ resourceId: String(id) });
  }

  /** Ends all sessions of the user but this one, and what would become one. */
  async endOthers(userId: number, id: number): Promise<void> {
    await this.users.lockForNoKeyUpdate(userId);
    const ended = await this.paths.end('signed_out', { userId, keptSessionId: id });
    this.unitOfWork.note({ metadata: { ended: ended.get('sessions')?.length } });
  }

  async deleteExpired(): Promise<void> {
    await this.sessions.deleteExpired(this.clock.now());
  }

  /**
   * Like `begin`, after a sign-in, which is not `isOwn` if a provider alone has opened it. The user is notified of a browser
   * that is new, but not of the very first one.
   */
  async beginSignIn(
    userId: number,
    client: SessionClient,
    isOwn = true,
  ): Promise<{ readonly id: number; readonly token: string }> {
    const wait = this.signIns.fail(String(userId));
    if (wait !== undefined) throw tooManySignIns(wait);
    const { firstSignIn, foldedEmail } = orThrow(await this.users.find(userId), userNotFound);
    const isKnown = (await this.knownBrowsers.identify(client.knownBrowser, foldedEmail, isOwn)) !== undefined;
    if (firstSignIn !== null && !isKnown)
      await this.mails.add({ kind: 'notice', userId, ...newBrowserMail({ ...client, at: this.clock.now() }) });
    return this.begin(userId, client, isOwn);
  }

  /** Part of the current unit of work. */
  private async begin(
    userId: number,
    { ip, userAgent, hasUsedPasskey = false }: SessionClient,
    isOwn = true,
  ): Promise<{ readonly id: number; readonly token: string }> {
    const token = newToken();
    const shownAgent = userAgent?.slice(0, MAX_USER_AGENT) ?? null;
    const session = { tokenHash: hashToken(token), userId, ip, userAgent: shownAgent, hasUsedPasskey, isOwn };
    const id = await this.sessions.save(session);
    await this.sessions.endOldest(userId, MAX_SESSIONS);
    // After the commit: two sign-ins at once would wait for each other's lock.
    this.unitOfWork.afterCommit(() => this.users.markSignedIn(userId, this.clock.now()));
    return { id, token };
  }
}
