import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { everything, type Scope } from '../../../platform/api/scope';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Work } from '../../../platform/work/work';
import { Scheduled } from '../../../platform/work/work-handler';
import { DestinationFeeding } from '../../feed';
import { WebhookDeliveriesRepository } from '../data/webhook-deliveries.repository';
import { WebhooksRepository } from '../data/webhooks.repository';
import { kindFor } from '../domain/work-kinds';

const scope = everything('the messages of all organizations are sent');

const KEPT_MS = 30 * 86_400_000;
/** Of each webhook. */
const KEPT_DELIVERIES = 20_000;
const REMOVAL_BATCH = 5_000;

@Injectable()
export class WebhookUpkeep {
  constructor(
    private readonly feeding: DestinationFeeding,
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly work: Work,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  /** Turns new entries into deliveries, and starts those that are due. A failure with one does not stop the others. */
  @Scheduled({ name: 'webhook.due', everySeconds: 2 })
  async run(): Promise<void> {
    try {
      await this.feeding.feedAll('webhook.due:feed', this.webhooks, this.deliveries);
    } finally {
      await this.startDue();
    }
  }

  @Scheduled({ name: 'webhook.forget', everySeconds: 600 })
  async removeOld(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    await this.turns.sweep('webhook.forget', scope, async (part) => {
      const ended = await this.deliveries.removeEndedBefore(part, before, REMOVAL_BATCH);
      return ended + (await this.deliveries.removeBeyond(part, KEPT_DELIVERIES, REMOVAL_BATCH));
    });
  }

  private async startDue(): Promise<void> {
    const due = (part: Scope) => this.deliveries.listDueWebhooks(part, this.clock.now());
    await this.turns.each('webhook.due', scope, due, (webhook) => {
      const { id, organizationId } = webhook;
      return this.work.enqueue({ kind: kindFor(webhook), reference: String(id), organizationId });
    });
  }
}
