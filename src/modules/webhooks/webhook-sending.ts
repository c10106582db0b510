import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { DestinationPauses, type DestinationReference, FeedService, pauseOf, presentEntry } from '../feed';
import { WebhookDeliveriesRepository } from './data/webhook-deliveries.repository';
import type { WebhookDelivery } from './data/webhook-delivery.entity';
import type { Webhook } from './data/webhook.entity';
import { WebhooksRepository } from './data/webhooks.repository';
import { ATTEMPT_MS, type Attempt, outcomeOf, outcomeOfTest } from './domain/attempts';
import { signedHeaders } from './domain/signing';
import { testMessage } from './domain/test-message';
import { webhookKind } from './domain/vocabulary';
import { type OutboundAnswer, OutboundRequests } from './outbound/outbound-requests';
import { WebhookSecrets } from './webhook-secrets';

const scope = everything('a worker sends the messages of all organizations');

/** Messages about different records that one webhook sends at once. */
const MAX_PARALLEL = 4;

const AGENT = 'Assay-Webhooks/1';

/** Sends the messages of a webhook, and records how each attempt ended. */
@Injectable()
export class WebhookSending {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly secrets: WebhookSecrets,
    private readonly requests: OutboundRequests,
    private readonly feed: FeedService,
    private readonly pauses: DestinationPauses,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Sends some that are due. Returns how many. */
  async sendSome(reference: DestinationReference, signal: AbortSignal): Promise<number> {
    const { organizationId, id } = reference;
    const webhook = await this.webhooks.findOne(scope, organizationId, id);
    if (webhook === undefined || (await this.pauseWithoutMaker(webhook))) return 0;
    const now = this.clock.now();
    const isResting = webhook.state === 'paused' || (webhook.resumeAt !== null && webhook.resumeAt > now);
    const taken = await this.deliveries.take(webhook, {
      now,
      until: new Date(now.getTime() + ATTEMPT_MS),
      // One message shows whether the receiver answers again.
      most: webhook.misses > 0 ? 1 : MAX_PARALLEL,
      testsOnly: isResting,
    });
    const bodies = await this.bodiesOf(webhook, taken, now);
    await Promise.all(taken.map((one) => this.attempt(webhook, one, bodies.get(one.messageId), signal)));
    return taken.length;
  }

  /** Returns whether it is stopped. */
  private async pauseWithoutMaker(webhook: Webhook): Promise<boolean> {
    if (webhook.state === 'paused' || (await this.pauses.hasMaker(webhook))) return false;
    await this.unitOfWork.runIfDue(pauseOf(webhookKind, webhook), scope, async () => {
      const locked = await this.webhooks.lockOne(scope, webhook.organizationId, webhook.id);
      if (locked?.state !== 'active' || locked.makerId !== webhook.makerId) return undefined;
      await this.pauses.pause(this.webhooks, locked, 'maker_left');
      return 'paused';
    });
    return true;
  }

  /** The body of each message, which is the same in every attempt. */
  private async bodiesOf(
    { id, organizationId }: Webhook,
    taken: readonly WebhookDelivery[],
    now: Date,
  ): Promise<Map<string, string>> {
    const positions = taken.flatMap(({ position }) => (position === null ? [] : [Number(position)]));
    const entries = await this.feed.listAtOfVisible(organizationId, positions);
    const byPosition = new Map(entries.map((entry) => [String(entry.position), presentEntry(entry)]));
    return new Map(
      taken.flatMap(({ messageId, position }) => {
        const content = position === null ? testMessage(id, now) : byPosition.get(position);
        return content === undefined ? [] : [[messageId, JSON.stringify(content)] as const];
      }),
    );
  }

  private async attempt(
    webhook: Webhook,
    delivery: WebhookDelivery,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { organizationId, url } = webhook;
    if (body === undefined) return this.giveUp(delivery);
    const timestamp = this.clock.now();
    const message = { id: delivery.messageId, timestamp, body };
    const headers = {
      'content-type': 'application/json',
      'user-agent': AGENT,
      ...signedHeaders(this.secrets.inUse(webhook, timestamp), message),
    };
    await this.note(webhook, delivery, await this.requests.post({ organizationId, url, headers, body, signal }));
  }

  /** Its entry is no longer in the feed. */
  private async giveUp(delivery: WebhookDelivery): Promise<void> {
    const result = { state: 'failed', nextAttempt: null, statusCode: null, ms: null } as const;
    await this.deliveries.end(delivery, { ...result, error: 'entry_removed', ended: this.clock.now() });
  }

  private async note(webhook: Webhook, delivery: WebhookDelivery, answer: OutboundAnswer): Promise<void> {
    await this.unitOfWork.runIfDue(pauseOf(webhookKind, webhook), scope, async () => {
      const locked = await this.webhooks.lockOne(scope, webhook.organizationId, webhook.id);
      if (locked === undefined) return undefined;
      const now = this.clock.now();
      const { attempts, firstAttempt, position } = delivery;
      const attempt: Attempt = { answer, now, attempts, firstAttempt: firstAttempt ?? now, receiver: locked };
      const outcome = position === null ? outcomeOfTest(attempt) : outcomeOf(attempt);
      const { state, nextAttempt } = outcome;
      const ended = state === 'waiting' ? null : now;
      const isCurrent = await this.deliveries.end(delivery, { state, nextAttempt, ended, ...resultOf(answer) });
      if (!isCurrent) return undefined;
      const { failingSince, misses, resumeAt } = outcome.receiver;
      await this.webhooks.change(locked, { failingSince, misses, resumeAt });
      if (outcome.pause === undefined || locked.state === 'paused') return undefined;
      await this.pauses.pause(this.webhooks, locked, outcome.pause);
      return 'paused';
    });
  }
}

const resultOf = (answer: OutboundAnswer): Pick<WebhookDelivery, 'statusCode' | 'error' | 'ms'> =>
  'status' in answer
    ? { statusCode: answer.status, error: null, ms: answer.ms }
    : { statusCode: null, error: answer.error, ms: answer.ms };
