import { createPublicKey, verify } from 'node:crypto';
import { Clock } from '../../src/kernel/clock';
import { WebhookUpkeep } from '../../src/modules/webhooks/work/webhook-upkeep';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { everything } from '../../src/platform/api/scope';
import type { Claim } from '../../src/platform/work/claim';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { WorkRepository } from '../../src/platform/work/work.repository';
import type { RunningApi } from './api';
import type { Client } from './client';
import { query } from './database';
import type { ReceivedMessage } from './webhook-receiver';

export interface WebhookBody {
  readonly id: number;
  readonly organization_id: number;
  readonly secret: string | null;
  readonly public_key: string | null;
  readonly state: string;
  readonly pause_reason: string | null;
  readonly failing_since: string | null;
}

export interface DeliveryBody {
  readonly id: string;
  readonly position: number | null;
  readonly type: string;
  readonly record: string;
  readonly state: string;
  readonly attempts: number;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly next_attempt: string | null;
}

export const webhooksPath = (organizationId: number): string => `/v1/organizations/${organizationId}/webhooks`;

export async function createWebhook(
  client: Client,
  organizationId: number,
  body: Readonly<Record<string, unknown>>,
): Promise<WebhookBody> {
  const answer = await client.post(webhooksPath(organizationId), { name: 'Receiver', ...body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as WebhookBody;
}

/** Oldest first. */
export async function deliveriesOf(client: Client, { organization_id, id }: WebhookBody): Promise<DeliveryBody[]> {
  const { body } = await client.get(`${webhooksPath(organization_id)}/${id}/deliveries?per_page=100`);
  return (body.deliveries as DeliveryBody[]).toReversed();
}

/** Feeds and sends in this process, at a time that the test sets. */
export class WebhookTime {
  private now = Date.now();

  constructor(private readonly api: RunningApi) {}

  start(): void {
    this.now = Date.now();
    jest.spyOn(this.api.app.get(Clock), 'now').mockImplementation(() => new Date(this.now));
  }

  advance(seconds: number): void {
    this.now += seconds * 1_000;
  }

  /** The time that the service has, so many seconds later, whatever the machine needs meanwhile. */
  at(seconds: number): string {
    return new Date(this.now + seconds * 1_000).toISOString();
  }

  /** The scheduled task alone. */
  tick(): Promise<void> {
    return this.api.app.get(WebhookUpkeep, { strict: false }).run();
  }

  /** As workers do with all that waits of this webhook. */
  async run({ id }: Pick<WebhookBody, 'id'>): Promise<void> {
    await this.tick();
    const claims = await query<Claim>(
      `UPDATE work SET state = 'running', attempt = attempt + 1, lease_until = now() + interval '1 hour'
       WHERE kind LIKE 'webhook.%' AND reference = $1 AND state = 'waiting'
       RETURNING id, kind, reference, organization_id AS "organizationId", attempt, failures`,
      [String(id)],
    );
    for (const claim of claims) await this.complete(claim);
  }

  private async complete(claim: Claim): Promise<void> {
    const handler = this.api.app.get(WorkRegistry).handlerOf(claim.kind);
    const { audit, apply } = await handler.perform(claim, new AbortController().signal);
    await this.api.app.get(UnitOfWork).runIfDue(audit, everything('a test'), async () => {
      await this.api.app.get(WorkRepository, { strict: false }).finish(claim, 'done');
      await apply();
      return undefined;
    });
  }
}

const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Whether one of the signatures was made with the private key of this public key. */
export function isSignedFor(publicKey: string, { headers, body }: ReceivedMessage): boolean {
  const key = createPublicKey({
    key: Buffer.concat([SPKI, Buffer.from(publicKey.replace('whpk_', ''), 'base64')]),
    format: 'der',
    type: 'spki',
  });
  const signed = Buffer.from(`${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${body}`);
  return (headers['webhook-signature'] as string)
    .split(' ')
    .filter((signature) => signature.startsWith('v1a,'))
    .some((signature) => verify(null, signed, key, Buffer.from(signature.slice('v1a,'.length), 'base64')));
}
