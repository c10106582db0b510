import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Work } from '../../platform/work/work';
import { type DeliveryFilter, WebhookDeliveriesRepository } from './data/webhook-deliveries.repository';
import type { WebhookDelivery } from './data/webhook-delivery.entity';
import type { Webhook } from './data/webhook.entity';
import { deliveryNotFound, rangeTooLarge, webhookPaused } from './domain/webhook.errors';
import { TEST_TYPE } from './domain/test-message';
import { kindFor } from './domain/work-kinds';
import { WebhooksService } from './webhooks.service';

/** In one request. */
const MAX_RANGE = 10_000;

/** The log of a webhook, and what an admin does with it. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list(
    caller: Caller,
    organizationId: number,
    webhookId: number,
    filter: DeliveryFilter,
    page: Page,
  ): Promise<Slice<WebhookDelivery>> {
    const webhook = await this.webhooks.get(caller, organizationId, webhookId);
    return this.deliveries.listOfVisible(webhook, filter, page);
  }

  /** Also to a paused receiver. It has one attempt. */
  async sendTest(caller: Caller, organizationId: number, webhookId: number): Promise<WebhookDelivery> {
    const webhook = await this.webhooks.lockForAdmin(caller, organizationId, webhookId);
    const now = this.clock.now();
    const messageId = randomUUID();
    const record = `${TEST_TYPE} ${messageId}`;
    const test = { organizationId, webhookId, messageId, position: null, type: TEST_TYPE, record, created: now };
    await this.deliveries.add([{ ...test, nextAttempt: now }]);
    await this.start(webhook);
    return this.get(webhook, messageId);
  }

  /** With the same message id, so that a receiver that already has it recognizes it. */
  async redeliver(
    caller: Caller,
    organizationId: number,
    webhookId: number,
    messageId: string,
  ): Promise<WebhookDelivery> {
    const webhook = await this.webhooks.lockForAdmin(caller, organizationId, webhookId);
    requireActive(webhook);
    this.unitOfWork.note({ metadata: { delivery: messageId } });
    await this.deliveries.sendAgain(webhook, messageId, this.clock.now());
    await this.start(webhook);
    return this.get(webhook, messageId);
  }

  /** Those that were created in the range and have ended. Returns how many. */
  async redeliverRange(
    caller: Caller,
    organizationId: number,
    webhookId: number,
    filter: DeliveryFilter,
  ): Promise<number> {
    const webhook = await this.webhooks.lockForAdmin(caller, organizationId, webhookId);
    requireActive(webhook);
    const count = await this.deliveries.sendRangeAgain(webhook, filter, this.clock.now(), MAX_RANGE);
    if (count > MAX_RANGE) throw rangeTooLarge(MAX_RANGE);
    this.unitOfWork.note({ metadata: { deliveries: count, from: filter.from, to: filter.to } });
    await this.start(webhook);
    return count;
  }

  private async get(webhook: Webhook, messageId: string): Promise<WebhookDelivery> {
    return orThrow(await this.deliveries.findOfVisible(webhook, messageId), deliveryNotFound);
  }

  private async start(webhook: Webhook): Promise<void> {
    const { id, organizationId } = webhook;
    await this.work.enqueue({ kind: kindFor(webhook), reference: String(id), organizationId });
  }
}

function requireActive({ state }: Webhook): void {
  if (state === 'paused') throw webhookPaused();
}
