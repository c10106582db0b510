import { DAY_MS } from '../../../kernel/durations';
import type { INestApplicationContext } from '@nestjs/common';
import { type Finding, FindingsService } from '../../../modules/findings';
import { type ReportFormat, ReportsService, defaultReportOptions } from '../../../modules/reports';
import type { AuditDescription } from '../../../platform/audit/audit-entry';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { Authenticator } from '../../../platform/auth/authenticator';
import type { Caller } from '../../../platform/api/caller';
import type { DemoStatusChange } from './demo-findings';

interface DemoUser {
  readonly api_key: string;
  readonly api_secret: string;
  readonly role: string;
}

/** The members of a demo organization. */
export type DemoTeam = Readonly<Record<DemoStatusChange['by'], DemoSession>>;

/** A demo user that is signed in, and uses the services of the API. */
export class DemoSession {
  private constructor(
    readonly app: INestApplicationContext,
    readonly caller: Caller,
  ) {}

  static async signIn(app: INestApplicationContext, users: readonly DemoUser[], role: string): Promise<DemoSession> {
    const user = users.find((one) => one.role === role);
    if (user === undefined) throw new Error(`The demo data has no ${role}.`);
    const { caller } = await app.get(Authenticator).authenticate(user.api_key, user.api_secret);
    if (caller === undefined) throw new Error(`The credentials of the demo ${role} are not valid.`);
    return new DemoSession(app, caller);
  }

  static async signInTeam(app: INestApplicationContext, users: readonly DemoUser[]): Promise<DemoTeam> {
    return {
      owner: await DemoSession.signIn(app, users, 'owner'),
      admin: await DemoSession.signIn(app, users, 'admin'),
      member: await DemoSession.signIn(app, users, 'member'),
    };
  }

  /** Runs a step in an audited unit of work, like a request over HTTP. */
  run<T>(operation: string, resourceType: AuditDescription['resourceType'], work: () => Promise<T>): Promise<T> {
    const { actor, scope } = this.caller;
    const description = { actor, operation, resourceType, metadata: { via: 'demo' } };
    return this.app.get(UnitOfWork).run(description, scope, work);
  }

  async changeStatus({ id }: Pick<Finding, 'id'>, { status, comment, days }: DemoStatusChange): Promise<void> {
    const until = days === undefined ? null : new Date(Date.now() + days * DAY_MS);
    await this.run('finding.status_update', 'finding', () => {
      this.app.get(UnitOfWork).note({ resourceId: String(id) });
      return this.app.get(FindingsService).changeStatus(this.caller, id, { status, comment, until });
    });
  }

  /** Orders a report of the whole event, and returns its id. A worker generates it. */
  orderReport(slug: string, format: ReportFormat): Promise<number> {
    const order = { options: { ...defaultReportOptions, format }, startDate: null, endDate: null };
    return this.run('report.create', 'report', () =>
      this.app.get(ReportsService).create(this.caller, { kind: 'event', slug }, order),
    );
  }
}
