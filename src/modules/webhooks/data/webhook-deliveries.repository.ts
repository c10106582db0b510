import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { ListOrder, readSlice } from '../../../platform/database/list-order';
import { type Sql, allOf, raw, sql } from '../../../platform/database/sql';
import { ownedIn, visibleTo } from '../../../platform/database/visible';
import type { DestinationReference, Entry, WaitingEntries } from '../../feed';
import type { DeliveryState } from '../domain/vocabulary';
import { WebhookDelivery } from './webhook-delivery.entity';

export type NewDelivery = Pick<
  WebhookDelivery,
  'organizationId' | 'webhookId' | 'messageId' | 'type' | 'record' | 'nextAttempt' | 'created'
> & { readonly position: number | null };

export interface DeliveryFilter {
  readonly state?: DeliveryState;
  readonly types?: readonly string[];
  readonly from?: Date;
  readonly to?: Date;
}

export interface TakeTerms {
  readonly now: Date;
  /** When the attempt counts as lost. */
  readonly until: Date;
  readonly most: number;
  readonly testsOnly: boolean;
}

export interface DueWebhook extends DestinationReference {
  readonly misses: number;
}

const newestFirst = new ListOrder<WebhookDelivery>(['d.id'], ({ id }) => [Number(id)]);

const ofWebhook = ({ id, organizationId }: DestinationReference): Sql =>
  sql`d.webhook_id = ${id} AND d.organization_id = ${organizationId}`;

const conditions = ({ state, types, from, to }: DeliveryFilter): Sql =>
  allOf([
    state && sql`d.state = ${state}`,
    types && sql`d.type = ANY(${types}::text[])`,
    from && sql`d.created >= ${from}`,
    to && sql`d.created <= ${to}`,
  ]);

/** It is sent again from the beginning, with the same message id. */
const again = (now: Date): Sql => sql`state = 'waiting', first_attempt = NULL, next_attempt = ${now}, ended = NULL`;

/** No earlier message about the same record waits. */
const isFirstOfRecord = raw(`NOT EXISTS (
  SELECT 1 FROM webhook_deliveries e WHERE e.webhook_id = d.webhook_id AND e.organization_id = d.organization_id
    AND e.state = 'waiting' AND e.record = d.record AND e.id < d.id)`);

@Injectable()
export class WebhookDeliveriesRepository implements WaitingEntries {
  private readonly columns = this.database.columns(WebhookDelivery, 'd');

  constructor(private readonly database: Database) {}

  listOfVisible(webhook: DestinationReference, filter: DeliveryFilter, page: Page): Promise<Slice<WebhookDelivery>> {
    const list = sql`FROM webhook_deliveries d WHERE ${ofWebhook(webhook)} AND ${conditions(filter)}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  findOfVisible(webhook: DestinationReference, messageId: string): Promise<WebhookDelivery | undefined> {
    return this.database.row<WebhookDelivery>(
      sql`SELECT ${this.columns} FROM webhook_deliveries d WHERE ${ofWebhook(webhook)} AND d.message_id = ${messageId}`,
    );
  }

  countWaitingOfLocked(webhook: DestinationReference): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM webhook_deliveries d WHERE ${ofWebhook(webhook)} AND d.state = 'waiting'`);
  }

  addEntries({ id, organizationId }: DestinationReference, entries: readonly Entry[], now: Date): Promise<void> {
    return this.add(
      entries.map(({ position, type, recordId }) => ({
        organizationId,
        webhookId: id,
        messageId: randomUUID(),
        position,
        type,
        record: `${type.split('.')[0]} ${recordId}`,
        nextAttempt: now,
        created: now,
      })),
    );
  }

  /** In this order. An entry that the webhook already has is left out. */
  async add(deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.database.change(sql`
      INSERT INTO webhook_deliveries ${this.database.insertedRows(WebhookDelivery, deliveries)}
      ON CONFLICT ON CONSTRAINT uq_webhook_deliveries_position DO NOTHING`);
  }

  /** Begins attempts: another worker takes them only when they count as lost. */
  take(webhook: DestinationReference, { now, until, most, testsOnly }: TakeTerms): Promise<WebhookDelivery[]> {
    return this.database.rows<WebhookDelivery>(sql`
      UPDATE webhook_deliveries d SET attempts = attempts + 1, next_attempt = ${until},
        first_attempt = coalesce(first_attempt, ${now})
      WHERE ${ofWebhook(webhook)} AND d.id = ANY (ARRAY(
        SELECT d.id FROM webhook_deliveries d
        WHERE ${ofWebhook(webhook)} AND d.state = 'waiting' AND d.next_attempt <= ${now}
          AND (d.position IS NULL OR NOT ${testsOnly}::boolean) AND ${isFirstOfRecord}
        ORDER BY d.next_attempt, d.id LIMIT ${most} FOR UPDATE SKIP LOCKED))
      RETURNING ${this.columns}`);
  }

  /** Returns false if the attempt has lost its claim: another one has begun. */
  async end(
    { id, organizationId, attempts }: WebhookDelivery,
    result: Pick<WebhookDelivery, 'state' | 'nextAttempt' | 'statusCode' | 'error' | 'ms' | 'ended'>,
  ): Promise<boolean> {
    const ended = await this.database.change(sql`
      UPDATE webhook_deliveries SET state = ${result.state}, next_attempt = ${result.nextAttempt}, ended = ${result.ended},
        status_code = ${result.statusCode}, error = ${result.error}, ms = ${result.ms}
      WHERE id = ${id} AND organization_id = ${organizationId} AND attempts = ${attempts} AND state = 'waiting'`);
    return ended === 1;
  }

  /** The webhooks with messages that can be sent now. */
  listDueWebhooks(scope: Scope, now: Date): Promise<DueWebhook[]> {
    return this.database.rows<DueWebhook>(sql`
      SELECT w.id, w.organization_id AS "organizationId", w.misses FROM webhooks w
      WHERE ${visibleTo(scope, 'w.organization_id')} AND EXISTS (
        SELECT 1 FROM webhook_deliveries d
        WHERE d.webhook_id = w.id AND d.organization_id = w.organization_id AND d.state = 'waiting' AND d.next_attempt <= ${now}
          AND (d.position IS NULL OR (w.state = 'active' AND coalesce(w.resume_at, ${now}) <= ${now})))
      ORDER BY w.id`);
  }

  async sendAgain(webhook: DestinationReference, messageId: string, now: Date): Promise<void> {
    await this.database.change(
      sql`UPDATE webhook_deliveries d SET ${again(now)} WHERE ${ofWebhook(webhook)} AND d.message_id = ${messageId}`,
    );
  }

  /** Those that have ended, without tests. At most `limit + 1`, so that the caller sees that there are more. */
  async sendRangeAgain(
    webhook: DestinationReference,
    filter: DeliveryFilter,
    now: Date,
    limit: number,
  ): Promise<number> {
    return this.database.change(sql`
      UPDATE webhook_deliveries d SET ${again(now)} WHERE ${ofWebhook(webhook)} AND d.id = ANY (ARRAY(
        SELECT d.id FROM webhook_deliveries d
        WHERE ${ofWebhook(webhook)} AND d.state <> 'waiting' AND d.position IS NOT NULL AND ${conditions(filter)}
        ORDER BY d.id LIMIT ${limit + 1}))`);
  }

  removeEndedBefore(scope: Scope, date: Date, limit: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries WHERE ended < ${date} AND ${ownedIn(scope, 'organization_id')}
        LIMIT ${limit} FOR UPDATE SKIP LOCKED))`);
  }

  /** Of each webhook, those beyond the newest `kept` that have ended. */
  removeBeyond(scope: Scope, kept: number, limit: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
        SELECT d.id FROM webhooks w CROSS JOIN LATERAL (
          SELECT id FROM webhook_deliveries
          WHERE webhook_id = w.id AND organization_id = w.organization_id AND state <> 'waiting'
          ORDER BY id DESC OFFSET ${kept}) d
        WHERE ${ownedIn(scope, 'w.organization_id')} LIMIT ${limit}))`);
  }
}
