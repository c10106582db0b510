import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { everything, type Scope } from '../../platform/api/scope';
import { Transactions } from '../../platform/database/transactions';
import { Again, TenantTurns } from '../../platform/work/tenant-turns';
import { type Entry, FeedService } from '../feed';
import { WebhookDeliveriesRepository } from './data/webhook-deliveries.repository';
import type { Webhook } from './data/webhook.entity';
import { type WebhookReference, WebhooksRepository } from './data/webhooks.repository';
import { feedFilterOf } from './domain/webhook-filter';

const scope = everything('the entries of all feeds become deliveries');

/** Of a webhook that wait. The others wait in the feed, so a dead receiver does not fill the table. */
const MAX_WAITING = 1_000;
/** In one transaction. */
const MAX_ENTRIES = 100;

/** The record of an entry: `finding 7`. */
const recordOf = ({ type, recordId }: Entry): string => `${type.split('.')[0]} ${recordId}`;

/** Turns the entries of feeds into deliveries, each once, in their order. */
@Injectable()
export class WebhookFeeding {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly feed: FeedService,
    private readonly transactions: Transactions,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  async feedAll(): Promise<void> {
    const behind = async (part: Scope) => this.feed.behindOf(await this.webhooks.listActive(part));
    await this.turns.each('webhook.due:feed', scope, behind, async (webhook) => {
      await this.feed.appendOfVisible(webhook.organizationId);
      return (await this.feedOne(webhook)) ? new Again(webhook) : undefined;
    });
  }

  /** The lock makes two workers continue after each other. Returns whether there is more. */
  private feedOne({ id, organizationId }: WebhookReference): Promise<boolean> {
    return this.transactions.run(async () => {
      const webhook = await this.webhooks.lockOne(scope, organizationId, id);
      if (webhook?.state !== 'active') return false;
      const free = MAX_WAITING - (await this.deliveries.countWaitingOfLocked(webhook));
      return free > 0 && this.move(webhook, Math.min(free, MAX_ENTRIES));
    });
  }

  private async move(webhook: Webhook, limit: number): Promise<boolean> {
    const { id: webhookId, organizationId } = webhook;
    const filter = feedFilterOf(webhook);
    const { entries, nextAfter, newest } = await this.feed.continueOfVisible(
      organizationId,
      filter,
      Number(webhook.cursor),
      limit,
    );
    const now = this.clock.now();
    await this.deliveries.add(
      entries.map((entry) => ({
        organizationId,
        webhookId,
        messageId: randomUUID(),
        position: entry.position,
        type: entry.type,
        record: recordOf(entry),
        nextAttempt: now,
        created: now,
      })),
    );
    await this.webhooks.change(webhook, { cursor: String(nextAfter) });
    return nextAfter < newest;
  }
}
