import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { BackgroundTasks } from '../../platform/work/background-tasks';
import { callerOf } from './data/caller-record';
import type { Session } from './data/session.entity';
import { SessionsRepository } from './data/sessions.repository';
import { SignInChallengesRepository } from './data/sign-in-challenges.repository';
import { UsersRepository } from './data/users.repository';
import { sessionNotFound } from './domain/identity.errors';
import { hashToken, newToken } from './domain/token';
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
}

const HOUR = 3_600_000;
/** A session ends when it was not used for this time. */
export const IDLE_MS = 12 * HOUR;
/** A session ends this long after the sign-in, however much it is used. */
export const LIFETIME_MS = 7 * 24 * HOUR;
const TOUCH_INTERVAL_MS = 60_000;
const MAX_USER_AGENT = 300;
/** Of a user. */
const MAX_SESSIONS = 100;

/** Sessions of the portal: a random token in a cookie, and its hash in the database. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly challenges: SignInChallengesRepository,
    private readonly users: UsersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly background: BackgroundTasks,
  ) {}

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
    const record = await this.sessions.findByToken(hashToken(token));
    if (record === undefined || this.hasExpired(record)) return undefined;
    if (this.clock.now().getTime() - record.lastUsed.getTime() > TOUCH_INTERVAL_MS)
      this.background.run('last use of a session', () => this.sessions.touch(record.id));
    return { sessionId: record.id, caller: callerOf(record, null), hasUsedPasskey: record.hasUsedPasskey };
  }

  async list(userId: number): Promise<Omit<Session, 'tokenHash'>[]> {
    const all = await this.sessions.listOf(userId);
    return all.filter((session) => !this.hasExpired(session));
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
    const now = this.clock.now().getTime();
    await this.sessions.deleteUnused(new Date(now - LIFETIME_MS), new Date(now - IDLE_MS));
    await this.challenges.deleteExpiredBefore(new Date(now));
  }

  /** Part of the current unit of work. */
  async begin(
    userId: number,
    { ip, userAgent, hasUsedPasskey = false }: SessionClient,
  ): Promise<{ readonly id: number; readonly token: string }> {
    const token = newToken();
    const shownAgent = userAgent?.slice(0, MAX_USER_AGENT) ?? null;
    const session = { tokenHash: hashToken(token), userId, ip, userAgent: shownAgent, hasUsedPasskey };
    const id = await this.sessions.save(session);
    await this.sessions.endOldest(userId, MAX_SESSIONS);
    return { id, token };
  }

  private hasExpired({ created, lastUsed }: Pick<Session, 'created' | 'lastUsed'>): boolean {
    const now = this.clock.now().getTime();
    return now - created.getTime() >= LIFETIME_MS || now - lastUsed.getTime() >= IDLE_MS;
  }
}
