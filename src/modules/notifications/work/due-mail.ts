import { Injectable } from '@nestjs/common';
import { addDays, dayOf } from '../../../kernel/day';
import { Clock } from '../../../kernel/clock';
import { everything, type Scope } from '../../../platform/api/scope';
import { Transactions } from '../../../platform/database/transactions';
import { Mailer } from '../../../platform/mail/mailer';
import { Again, TenantTurns } from '../../../platform/work/tenant-turns';
import { Scheduled } from '../../../platform/work/work-handler';
import { NotifiedFindingsRepository } from '../../findings';
import { MailPreferencesRepository } from '../data/mail-preferences.repository';
import { PersonalNotices } from '../personal-notices';

const SOON_DAYS = 3;
const PAGE = 500;

const scope = everything('the findings of all organizations become due');

/** Tells members which of their findings are due soon. */
@Injectable()
export class DueMail {
  constructor(
    private readonly preferences: MailPreferencesRepository,
    private readonly findings: NotifiedFindingsRepository,
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
    const today = dayOf(this.clock.now());
    const range: [string, string] = [today, addDays(today, SOON_DAYS)];
    const users = async (part: Scope) =>
      (await this.preferences.listUsersWith(part, 'due_soon')).map((one) => ({ ...one, after: 0 }));
    await this.turns.each('notification.due_soon', scope, users, (due) =>
      this.transactions.run(async () => {
        const findings = await this.findings.listDueOfVisible(due, range, PAGE);
        await this.personal.addDue(due.organizationId, findings);
        const last = findings[PAGE - 1];
        return last && new Again({ ...due, after: last.id });
      }),
    );
  }
}
