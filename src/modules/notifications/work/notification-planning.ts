import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Mailer } from '../../../platform/mail/mailer';
import { Transactions } from '../../../platform/database/transactions';
import { runEach } from '../../../platform/work/run-each';
import { Scheduled } from '../../../platform/work/work-handler';
import { FeedService } from '../../feed';
import { type Listening, NotificationSettingsRepository } from '../data/notification-settings.repository';
import { PersonalNoticesRepository } from '../data/personal-notices.repository';
import { PersonalNotices } from '../personal-notices';

const PAGE = 500;
/** Of one organization in one run of the task. */
const MAX_PAGES = 20;

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;
const REMOVAL_BATCH = 1_000;

/** Reads the feeds of all organizations, and adds what somebody is to be told. */
@Injectable()
export class NotificationPlanning {
  constructor(
    private readonly feed: FeedService,
    private readonly settings: NotificationSettingsRepository,
    private readonly notices: PersonalNoticesRepository,
    private readonly personal: PersonalNotices,
    private readonly mailer: Mailer,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  @Scheduled({ name: 'notification.plan', everySeconds: 5 })
  async run(): Promise<void> {
    const listening = await this.settings.listListening();
    const organizationIds = listening.map(({ organizationId }) => organizationId);
    const newest = await this.feed.newestOfAll(organizationIds);
    const behind = listening.filter(({ organizationId, position }) => (newest.get(organizationId) ?? 0) !== position);
    await runEach(behind, (organization) => this.planAll(organization));
  }

  @Scheduled({ name: 'notification.forget', everySeconds: 3_600 })
  async removeOld(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    while ((await this.notices.deleteCreatedBefore(before, REMOVAL_BATCH)) > 0);
  }

  private async planAll({ organizationId, position }: Listening): Promise<void> {
    let from: number | undefined = position;
    for (let page = 0; from !== undefined && page < MAX_PAGES; page++) from = await this.plan(organizationId, from);
  }

  /** Returns the position to continue from, unless it is the end or another worker was faster. */
  private async plan(organizationId: number, position: number): Promise<number | undefined> {
    const page = await this.feed.continueOfVisible(organizationId, {}, position, PAGE);
    const isMoved = await this.transactions.run(async () => {
      if (!(await this.settings.move({ organizationId, position }, page.nextAfter))) return false;
      if (this.mailer.isEnabled) await this.personal.addFor(organizationId, page.entries);
      return true;
    });
    return isMoved && page.nextAfter < page.newest ? page.nextAfter : undefined;
  }
}
