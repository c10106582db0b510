import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { everything } from '../../platform/api/scope';
import { Transactions } from '../../platform/database/transactions';
import { runEach } from '../../platform/work/run-each';
import { type Entry, FeedService } from '../feed';
import { WebhookDeliveriesRepository } from './data/webhook-deliveries.repository';
import type { Webhook } from './data/webhook.entity';
import { type WebhookReference, WebhooksRepository } from './data/webhooks.repository';
import { feedFilterOf } from './domain/webhook-filter';

const scope = everything('the entries of all feeds become deliveries');

/** Of a webhook that wait. The others wait in the feed, so a dead receiver does not fill the table. */
const MAX_WAITING = 1_000;
/** In one turn of a webhook. */
const MAX_ENTRIES = 500;

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
    private readonly clock: Clock,
  ) {}

  async feedAll(): Promise<void> {
    const active = await this.webhooks.listActive(scope);
    const organizationIds = [...new Set(active.map(({ organizationId }) => organizationId))];
    const states = new Map((await this.feed.statesOf(organizationIds)).map((state) => [state.id, state]));
    const behind = active.filter(({ organizationId, cursor }) => {
      const state = states.get(organizationId);
      return state !== undefined && (state.isWaiting || state.newest !== cursor);
    });
    await runEach(behind, (webhook) => this.feedOne(webhook));
  }

  /** The lock makes two workers continue after each other. */
  private async feedOne({ id, organizationId }: WebhookReference): Promise<void> {
    await this.transactions.run(async () => {
      const webhook = await this.webhooks.lockOne(scope, organizationId, id);
      if (webhook?.state !== 'active') return;
      const free = MAX_WAITING - (await this.deliveries.countWaitingOfLocked(webhook));
      if (free > 0) await this.move(webhook, Math.min(free, MAX_ENTRIES));
    });
  }

  private async move(webhook: Webhook, limit: number): Promise<void> {
    const { id: webhookId, organizationId } = webhook;
    const filter = feedFilterOf(webhook);
    const { entries, nextAfter } = await this.feed.continueOfVisible(
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
  }
}
