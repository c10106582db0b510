import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { normalizeName } from '../../kernel/normalize-name';
import type { Caller } from '../../platform/api/caller';
import { Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { BackgroundTasks } from '../../platform/work/background-tasks';
import { callerOf } from './data/caller-record';
import type { Session } from './data/session.entity';
import { SessionsRepository } from './data/sessions.repository';
import { UsersRepository } from './data/users.repository';
import { sessionNotFound, signInRefused, tooManySignIns } from './domain/identity.errors';
import { SignInThrottle } from './domain/sign-in-throttle';
import { verifyPassword } from './password';

export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** For the audit entry: the request id, for example. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface SignedIn {
  readonly sessionId: number;
  readonly caller: Caller;
}

const HOUR = 3_600_000;
/** A session ends when it was not used for this time. */
export const IDLE_MS = 12 * HOUR;
/** A session ends this long after the sign-in, however much it is used. */
export const LIFETIME_MS = 7 * 24 * HOUR;
const TOUCH_INTERVAL_MS = 60_000;
const MAX_USER_AGENT = 300;

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Sessions of the portal: a random token in a cookie, and its hash in the database. */
@Injectable()
export class SessionsService {
  private readonly throttle: SignInThrottle;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly users: UsersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly background: BackgroundTasks,
  ) {
    this.throttle = new SignInThrottle(clock);
  }

  /** Returns the token for the cookie. An unknown address and a wrong password have the same error and take the same time. */
  async signIn({ email, password, ip, userAgent, metadata }: SignIn): Promise<string> {
    const foldedEmail = normalizeName(email);
    const wait = this.throttle.waitBefore(foldedEmail, ip);
    if (wait !== undefined) throw tooManySignIns(wait);
    const user = foldedEmail.includes('\0') ? undefined : await this.users.findByEmail(foldedEmail);
    const matches = await verifyPassword(password, user?.passwordHash ?? null);
    if (user === undefined) throw signInRefused();
    const description = {
      actor: { type: user.integratorId === null ? 'user' : 'integrator', id: String(user.id) },
      operation: 'session.create',
      resourceType: 'session',
      organizationId: await this.users.onlyOrganizationOf(user.id),
      metadata: { ...metadata, ip },
    } as const;
    if (!matches) {
      this.background.run('writing the audit entry of a rejected sign-in', () =>
        this.unitOfWork.refuse(description, Scope.organizations([]), signInRefused()),
      );
      throw signInRefused();
    }
    this.throttle.succeeded(foldedEmail, ip);
    return this.unitOfWork.run(description, Scope.organizations([]), async () => {
      const token = randomBytes(32).toString('base64url');
      const id = await this.sessions.save({
        tokenHash: hashToken(token),
        userId: user.id,
        ip,
        userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      });
      this.unitOfWork.note({ resourceId: String(id) });
      return token;
    });
  }

  /** The signed-in user of a token; undefined if the session has ended. */
  async authenticate(token: string): Promise<SignedIn | undefined> {
    const record = await this.sessions.findByToken(hashToken(token));
    if (record === undefined || this.hasExpired(record)) return undefined;
    if (this.clock.now().getTime() - record.lastUsed.getTime() > TOUCH_INTERVAL_MS)
      this.background.run('last use of a session', () => this.sessions.touch(record.id));
    return { sessionId: record.id, caller: callerOf(record, null) };
  }

  async list(userId: number): Promise<Omit<Session, 'tokenHash'>[]> {
    const all = await this.sessions.listOf(userId);
    return all.filter((session) => !this.hasExpired(session));
  }

  async end(userId: number, id: number): Promise<void> {
    if (!(await this.sessions.end(userId, id))) throw sessionNotFound();
    this.unitOfWork.note({ resourceId: String(id) });
  }

  /** Deletes sessions that have expired. */
  deleteExpired(): Promise<number> {
    const now = this.clock.now().getTime();
    return this.sessions.deleteUnused(new Date(now - LIFETIME_MS), new Date(now - IDLE_MS));
  }

  private hasExpired({ created, lastUsed }: Pick<Session, 'created' | 'lastUsed'>): boolean {
    const now = this.clock.now().getTime();
    return now - created.getTime() >= LIFETIME_MS || now - lastUsed.getTime() >= IDLE_MS;
  }
}
