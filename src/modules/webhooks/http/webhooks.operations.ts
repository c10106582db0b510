import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { operationsTagged } from '../../../platform/http/operation';
import { PageQuery } from '../../../platform/http/page-query';
import { ListDeliveriesQuery } from './webhook.requests';
import {
  deliveryExample,
  DeliveryListResponse,
  DeliveryResponse,
  RedeliveredResponse,
  webhookExample,
  WebhookListResponse,
  WebhookResponse,
  WebhookSecretResponse,
} from './webhook.responses';

const operation = operationsTagged('Webhooks');

const WEBHOOKS = '/v1/organizations/{organization_id}/webhooks';
const ONE = `${WEBHOOKS}/{webhook_id}` as const;

const withSecret = { ...webhookExample, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' };

export const listWebhooks = operation(`GET ${WEBHOOKS}`, {
  id: 'listWebhooks',
  summary: 'List the webhooks of an organization',
  role: 'admin',
  query: PageQuery,
  success: {
    description: 'The webhooks, newest first.',
    body: WebhookListResponse,
    example: { webhooks: [webhookExample] },
    paged: true,
  },
  errors: [401, 403, 404],
});

export const createWebhook = operation(`POST ${WEBHOOKS}`, {
  id: 'createWebhook',
  summary: 'Create a webhook',
  description:
    'Entries of the feed from now on that match the filter are sent to its URL as in the feed, signed as Standard Webhooks says, at least once and in order for each record. At most 20 webhooks in an organization. docs/webhooks.md has the rest.',
  role: 'admin',
  body: {
    example: { name: 'Ticket system', url: 'https://hooks.example.com/assay', types: ['finding'], severity: 'high' },
  },
  success: {
    status: 201,
    description: 'The webhook, with its secret, which is shown only here.',
    body: WebhookSecretResponse,
    secrets: ['secret'],
    example: withSecret,
    location: ({ organization_id, id }: WebhookSecretResponse) => `/v1/organizations/${organization_id}/webhooks/${id}`,
  },
  errors: [400, 401, 403, 404, 422],
  audit: { operation: 'webhook.create', resource: 'webhook' },
});

export const getWebhook = operation(`GET ${ONE}`, {
  id: 'getWebhook',
  summary: 'Read a webhook',
  role: 'admin',
  entityTag: true,
  success: { description: 'The webhook.', body: WebhookResponse, example: webhookExample },
});

export const changeWebhook = operation(`PATCH ${ONE}`, {
  id: 'changeWebhook',
  summary: 'Change, pause or resume a webhook',
  description: 'Omitted fields do not change. The caller answers for it from then on.',
  role: 'admin',
  body: { example: { state: 'paused' } },
  ifMatch: 'getWebhook',
  success: { description: 'The webhook after the change.', body: WebhookResponse, example: webhookExample },
  audit: { operation: 'webhook.change', resource: 'webhook', id: 'webhook_id' },
});

export const deleteWebhook = operation(`DELETE ${ONE}`, {
  id: 'deleteWebhook',
  summary: 'Delete a webhook and its deliveries',
  role: 'admin',
  ifMatch: 'getWebhook',
  success: {
    description: 'It is deleted.',
    body: Acknowledgement,
    example: { code: 200, description: 'Webhook deleted.', id: 3, success: true },
  },
  audit: { operation: 'webhook.delete', resource: 'webhook', id: 'webhook_id' },
});

export const rotateWebhookSecret = operation(`POST ${ONE}/secret`, {
  id: 'rotateWebhookSecret',
  summary: 'Replace the secret of a webhook',
  description: 'Until the end of the overlap messages have two signatures, so that a receiver can change its secret.',
  role: 'admin',
  body: { example: { overlap_hours: 24 } },
  ifMatch: 'getWebhook',
  success: {
    description: 'The webhook with its new secret, which is shown only here.',
    body: WebhookSecretResponse,
    secrets: ['secret'],
    example: withSecret,
  },
  audit: { operation: 'webhook.rotate_secret', resource: 'webhook', id: 'webhook_id' },
});

export const testWebhook = operation(`POST ${ONE}/test`, {
  id: 'testWebhook',
  summary: 'Send a test to a webhook',
  description: 'One attempt with an entry of the type webhook.test, also while the webhook is paused.',
  role: 'admin',
  success: {
    status: 202,
    description: 'The delivery, whose result is in the list of deliveries.',
    body: DeliveryResponse,
    example: { ...deliveryExample, type: 'webhook.test', state: 'waiting', attempts: 0, status_code: null, ms: null },
  },
  audit: { operation: 'webhook.test', resource: 'webhook', id: 'webhook_id' },
});

export const listWebhookDeliveries = operation(`GET ${ONE}/deliveries`, {
  id: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Deliveries of the last 30 days, and at most the newest 20,000 that have ended.',
  role: 'admin',
  query: ListDeliveriesQuery,
  success: {
    description: 'The deliveries, newest first.',
    body: DeliveryListResponse,
    example: { deliveries: [deliveryExample] },
    paged: true,
  },
});

export const redeliver = operation(`POST ${ONE}/deliveries/{delivery_id}/redeliver`, {
  id: 'redeliver',
  summary: 'Send a message again',
  description: 'With the same id. One that waits for its next attempt is sent at once.',
  role: 'admin',
  success: { status: 202, description: 'The delivery.', body: DeliveryResponse, example: deliveryExample },
  errors: [401, 403, 404, 409],
  audit: { operation: 'webhook.redeliver', resource: 'webhook', id: 'webhook_id' },
});

export const redeliverRange = operation(`POST ${ONE}/redeliver`, {
  id: 'redeliverRange',
  summary: 'Send all messages of a time range again',
  description: 'Those that were created in the range and have ended, with the same ids. At most 10,000.',
  role: 'admin',
  body: { example: { from: '2026-01-31T00:00:00Z', state: 'failed' } },
  success: {
    status: 202,
    description: 'How many are sent again.',
    body: RedeliveredResponse,
    example: { deliveries: 12 },
  },
  errors: [400, 401, 403, 404, 409, 422],
  audit: { operation: 'webhook.redeliver', resource: 'webhook', id: 'webhook_id' },
});
