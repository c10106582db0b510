import { presented, ResponseField } from '../../../platform/api/response-field';
import { destinationExample, DestinationResponse } from '../../feed';
import type { WebhookDelivery } from '../data/webhook-delivery.entity';
import type { Webhook } from '../data/webhook.entity';
import {
  DELIVERY_STATES,
  type DeliveryState,
  PAUSE_REASONS,
  type PauseReason,
  type Signature,
  SIGNATURES,
} from '../domain/vocabulary';
import { OUTBOUND_ERRORS } from '../outbound/outbound-errors';
import type { WebhookWithSecret } from '../webhooks.service';

export class WebhookResponse extends DestinationResponse {
  @ResponseField.string()
  url!: string;

  @ResponseField.string({ enum: SIGNATURES })
  signature!: Signature;

  @ResponseField.string({ nullable: true, description: 'With which an ed25519 signature is verified.' })
  public_key!: string | null;

  @ResponseField.instant({ nullable: true, description: 'Until when messages are also signed with the secret before.' })
  previous_secret_until!: string | null;

  @ResponseField.string({ nullable: true, enum: Object.keys(PAUSE_REASONS) })
  pause_reason!: PauseReason | null;

  @ResponseField.instant({ nullable: true, description: 'Since when the receiver has accepted nothing.' })
  failing_since!: string | null;
}

export class WebhookSecretResponse extends WebhookResponse {
  @ResponseField.string({
    nullable: true,
    description: 'Shown only here. Null with an ed25519 signature, which `public_key` verifies.',
  })
  secret!: string | null;
}

export class WebhookListResponse {
  @ResponseField.list(WebhookResponse)
  webhooks!: WebhookResponse[];
}

export class DeliveryResponse {
  @ResponseField.string({ description: 'A UUID: the header `webhook-id` of the message.' })
  id!: string;

  @ResponseField.integer({ nullable: true, description: 'Of the entry in the feed. Null for a test.' })
  position!: number | null;

  @ResponseField.string()
  type!: string;

  @ResponseField.string({ description: 'The kind and the id of the record, of which messages are sent in order.' })
  record!: string;

  @ResponseField.string({ enum: DELIVERY_STATES })
  state!: DeliveryState;

  @ResponseField.integer()
  attempts!: number;

  @ResponseField.integer({ nullable: true, description: 'The HTTP status of the last attempt.' })
  status_code!: number | null;

  @ResponseField.string({
    nullable: true,
    enum: [...Object.keys(OUTBOUND_ERRORS), 'entry_removed'],
    description: 'Why the last attempt has no status.',
  })
  error!: string | null;

  @ResponseField.integer({ nullable: true, description: 'How long the last attempt took.' })
  ms!: number | null;

  @ResponseField.instant({ nullable: true, description: 'While it waits.' })
  next_attempt!: string | null;

  @ResponseField.instant()
  created!: string;

  @ResponseField.instant({ nullable: true, description: 'When it was delivered or given up.' })
  ended!: string | null;
}

export class DeliveryListResponse {
  @ResponseField.list(DeliveryResponse)
  deliveries!: DeliveryResponse[];
}

export class RedeliveredResponse {
  @ResponseField.integer({ description: 'How many are sent again.' })
  deliveries!: number;
}

export const presentWebhook = (webhook: Webhook) =>
  presented(WebhookResponse, webhook, {
    events: webhook.eventIds,
    previous_secret_until: webhook.previousUntil?.toISOString() ?? null,
  });

export const presentWithSecret = ({ webhook, secret }: WebhookWithSecret): WebhookSecretResponse => ({
  ...presentWebhook(webhook),
  secret,
});

export const presentDelivery = (delivery: WebhookDelivery): DeliveryResponse =>
  presented(DeliveryResponse, delivery, {
    id: delivery.messageId,
    position: delivery.position === null ? null : Number(delivery.position),
  });

export const webhookExample = {
  ...destinationExample,
  name: 'Ticket system',
  url: 'https://hooks.example.com/assay',
  signature: 'hmac',
  public_key: null,
  previous_secret_until: null,
  failing_since: null,
};

export const deliveryExample = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  position: 1201,
  type: 'finding.changed',
  record: 'finding 4711',
  state: 'delivered',
  attempts: 1,
  status_code: 204,
  error: null,
  ms: 87,
  next_attempt: null,
  created: destinationExample.created,
  ended: '2026-01-31T12:00:02.000Z',
};
