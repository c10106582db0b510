import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../../kernel/durations';
import { Clock } from '../../../kernel/clock';
import { everything, type Scope } from '../../../platform/api/scope';
import { Transactions } from '../../../platform/database/transactions';
import { Again, TenantTurns } from '../../../platform/work/tenant-turns';
import { Scheduled } from '../../../platform/work/work-handler';
import { FeedService } from '../../feed';
import { type Listening, NotificationSettingsRepository } from '../data/notification-settings.repository';
import { PersonalNoticesRepository } from '../data/personal-notices.repository';
import { PersonalNotices } from '../personal-notices';

/** In one transaction. */
const PAGE = 50;

const KEPT_DAYS = 90;
const REMOVAL_BATCH = 1_000;

const scope = everything('members of all organizations are notified of what concerns them');

/** Reads the feeds of all organizations, and adds notices for the members they concern. */
@Injectable()
export class NotificationPlanning {
  constructor(
    private readonly feed: FeedService,
    private readonly settings: NotificationSettingsRepository,
    private readonly notices: PersonalNoticesRepository,
    private readonly personal: PersonalNotices,
    private readonly transactions: Transactions,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  @Scheduled({ name: 'notification.plan', everySeconds: 5 })
  async run(): Promise<void> {
    const behind = async (part: Scope) => this.feed.behindOf(await this.settings.listListening(part));
    await this.turns.each('notification.plan', scope, behind, (listening) => this.plan(listening));
  }

  @Scheduled({ name: 'notification.forget', everySeconds: 3_600 })
  async removeOld(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    await this.turns.sweep('notification.forget', scope, (part) =>
      this.notices.deleteCreatedBefore(part, before, REMOVAL_BATCH),
    );
  }

  /** Continues unless it is the end or another worker was faster. */
  private async plan({ organizationId, position }: Listening): Promise<Again<Listening> | undefined> {
    const page = await this.feed.continueOfVisible(organizationId, {}, position, PAGE);
    const isMoved = await this.transactions.run(async () => {
      if (!(await this.settings.move({ organizationId, position }, page.nextAfter))) return false;
      await this.personal.addFor(organizationId, page.entries);
      return true;
    });
    const isBehind = isMoved && page.nextAfter < page.newest;
    return isBehind ? new Again({ organizationId, position: page.nextAfter }) : undefined;
  }
}
