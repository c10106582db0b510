import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { everything, type Scope } from '../../../platform/api/scope';
import { Transactions } from '../../../platform/database/transactions';
import { Mailer } from '../../../platform/mail/mailer';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Scheduled } from '../../../platform/work/work-handler';
import { ToldFindingsRepository } from '../../findings';
import { MailPreferencesRepository } from '../data/mail-preferences.repository';
import { PersonalNotices } from '../personal-notices';

const DAY_MS = 86_400_000;
const SOON_DAYS = 3;

const scope = everything('the findings of all organizations become due');

/** Tells members which of their findings are due soon. */
@Injectable()
export class DueMail {
  constructor(
    private readonly preferences: MailPreferencesRepository,
    private readonly findings: ToldFindingsRepository,
    private readonly personal: PersonalNotices,
    private readonly mailer: Mailer,
    private readonly transactions: Transactions,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  /** Each finding once for each due date. */
  @Scheduled({ name: 'notification.due_soon', everySeconds: 3_600 })
  async run(): Promise<void> {
    if (!this.mailer.isEnabled) return;
    const now = this.clock.now().getTime();
    const range: [string, string] = [dayOf(now), dayOf(now + SOON_DAYS * DAY_MS)];
    const users = (part: Scope) => this.preferences.listUsersWith(part, 'due_soon');
    await this.turns.each('notification.due_soon', scope, users, ({ organizationId, userIds }) =>
      this.transactions.run(async () => {
        const findings = await this.findings.listDueOfVisible(organizationId, userIds, range);
        await this.personal.addDue(organizationId, findings);
      }),
    );
  }
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
