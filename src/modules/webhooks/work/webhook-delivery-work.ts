import { Injectable } from '@nestjs/common';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { DELIVER_KIND, RETRY_KIND } from '../domain/work-kinds';
import { WebhookSending } from '../webhook-sending';

/** After this time other webhooks have their turn. */
const TURN_MS = 5_000;

/** A turn of a webhook. The scheduled task adds the next one while messages wait. */
@Injectable()
@WorkKind(DELIVER_KIND)
export class WebhookDeliveryWork implements WorkHandler {
  readonly isRepeatable = true;

  constructor(private readonly sending: WebhookSending) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const { organizationId, reference } = claim;
    const end = performance.now() + TURN_MS;
    if (organizationId !== null) {
      const webhook = { id: Number(reference), organizationId };
      while ((await this.sending.sendSome(webhook, signal)) > 0 && performance.now() < end) signal.throwIfAborted();
    }
    return this.completion(claim);
  }

  /** Waiting messages are taken again in the next turn. */
  abandon(claim: Claim, error: string): Completion {
    return this.completion(claim, { error });
  }

  private completion(claim: Claim, metadata?: Record<string, unknown>): Completion {
    return {
      audit: workAudit(claim, { operation: 'webhook.deliver', resourceType: 'webhook', metadata }),
      apply: async () => undefined,
      // Deliveries are a log of their own.
      isSilent: metadata === undefined,
    };
  }
}

/** For receivers that did not answer. */
@Injectable()
@WorkKind(RETRY_KIND)
export class WebhookRetryWork extends WebhookDeliveryWork {
  readonly maxConcurrent = 3;
}
