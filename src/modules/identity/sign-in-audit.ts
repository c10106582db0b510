import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { DomainError } from '../../kernel/domain-error';
import { system } from '../../platform/api/caller';
import { Scope } from '../../platform/api/scope';
import type { AuditDescription } from '../../platform/audit/audit-entry';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { FailureThrottle } from '../../platform/auth/failure-throttle';
import { BackgroundTasks } from '../../platform/work/background-tasks';
import { UsersRepository } from './data/users.repository';
import { signInRefused } from './domain/identity.errors';

/** What the audit entry of an attempt says of it: the address, and for example the request id. */
export interface AuditedAttempt {
  readonly ip: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** So that strangers do not fill the audit log. */
const UNKNOWN_USERS_PER_MINUTE = 10;

const SIGN_IN = { operation: 'session.create', resourceType: 'session' } as const;
const NOTHING = Scope.organizations([]);

/** The audit entries of sign-ins. */
@Injectable()
export class SignInAudit {
  private readonly unknownUsers: FailureThrottle;

  constructor(
    private readonly users: UsersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly background: BackgroundTasks,
    clock: Clock,
  ) {
    this.unknownUsers = new FailureThrottle(UNKNOWN_USERS_PER_MINUTE, clock);
  }

  async describe(
    userId: number,
    integratorId: number | null,
    { ip, metadata }: AuditedAttempt,
  ): Promise<AuditDescription> {
    return {
      actor: { type: integratorId === null ? 'user' : 'integrator', id: String(userId) },
      ...SIGN_IN,
      organizationId: await this.users.onlyOrganizationOf(userId),
      metadata: { ...metadata, ip },
    };
  }

  /** Runs a step of a sign-in in a unit of work with its entry. */
  run<T>(description: AuditDescription, work: () => Promise<T>): Promise<T> {
    return this.unitOfWork.run(description, NOTHING, work);
  }

  noteSession(id: number): void {
    this.unitOfWork.note({ resourceId: String(id) });
  }

  /** Without the address, because some people type their password there. */
  recordUnknown({ ip, metadata }: AuditedAttempt, error = signInRefused()): void {
    if (this.unknownUsers.fail('sign-in') !== undefined) return;
    this.recordRefusal(() => Promise.resolve({ ...SIGN_IN, actor: system, metadata: { ...metadata, ip } }), error);
  }

  /** In the background: otherwise the time would show whether a user exists. */
  recordRefusal(describe: () => Promise<AuditDescription>, error: DomainError): void {
    this.background.run('writing the audit entry of a rejected sign-in', async () =>
      this.unitOfWork.refuse(await describe(), NOTHING, error),
    );
  }
}
