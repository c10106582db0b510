import { Injectable } from '@nestjs/common';
import { addDays, dayOf } from '../../../kernel/day';
import { Clock } from '../../../kernel/clock';
import { everything, type Scope } from '../../../platform/api/scope';
import { Transactions } from '../../../platform/database/transactions';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Scheduled } from '../../../platform/work/work-handler';
import { NotifiedAccountsRepository } from '../../accounts';
import { PersonalNotices } from '../personal-notices';

const SOON_DAYS = 7;

const scope = everything('the cookies and headers of all organizations end');

/** Tells admins which accounts have a cookie or header that ends soon. */
@Injectable()
export class AccountNotices {
  constructor(
    private readonly accounts: NotifiedAccountsRepository,
    private readonly personal: PersonalNotices,
    private readonly transactions: Transactions,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  @Scheduled({ name: 'notification.accounts', everySeconds: 3_600 })
  async run(): Promise<void> {
    const today = dayOf(this.clock.now());
    const range = [today, addDays(today, SOON_DAYS)] as const;
    const expiring = (part: Scope) => this.accounts.listExpiring(part, range);
    await this.turns.each('notification.accounts', scope, expiring, (account) =>
      this.transactions.run(() => this.personal.addExpiring(account)),
    );
  }
}
