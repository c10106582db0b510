import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { everything } from '../../../platform/api/scope';
import { runEach } from '../../../platform/work/run-each';
import { Work } from '../../../platform/work/work';
import { Scheduled } from '../../../platform/work/work-handler';
import { WebhookDeliveriesRepository } from '../data/webhook-deliveries.repository';
import { kindFor } from '../domain/work-kinds';
import { WebhookFeeding } from '../webhook-feeding';

const scope = everything('the messages of all organizations are sent');

const KEPT_MS = 30 * 86_400_000;
/** Of each webhook. */
const KEPT_DELIVERIES = 20_000;
const REMOVAL_BATCH = 5_000;

@Injectable()
export class WebhookUpkeep {
  constructor(
    private readonly feeding: WebhookFeeding,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Turns new entries into deliveries, and starts those that are due. A failure with one does not stop the others. */
  @Scheduled({ name: 'webhook.due', everySeconds: 2 })
  async run(): Promise<void> {
    try {
      await this.feeding.feedAll();
    } finally {
      await this.startDue();
    }
  }

  @Scheduled({ name: 'webhook.forget', everySeconds: 600 })
  async removeOld(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    while ((await this.deliveries.removeEndedBefore(before, REMOVAL_BATCH)) > 0);
    while ((await this.deliveries.removeBeyond(KEPT_DELIVERIES, REMOVAL_BATCH)) > 0);
  }

  private async startDue(): Promise<void> {
    const due = await this.deliveries.listDueWebhooks(scope, this.clock.now());
    await runEach(due, (webhook) => {
      const { id, organizationId } = webhook;
      return this.work.enqueue({ kind: kindFor(webhook), reference: String(id), organizationId });
    });
  }
}
