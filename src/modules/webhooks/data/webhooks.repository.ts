import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { byId, readSlice } from '../../../platform/database/list-order';
import { type Sql, emptySql, raw, sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { Webhook } from './webhook.entity';

export type NewWebhook = Omit<
  Webhook,
  'id' | 'created' | 'previousUntil' | 'failingSince' | 'misses' | 'resumeAt' | 'state' | 'pauseReason'
>;
export type WebhookReference = Pick<Webhook, 'id' | 'organizationId'>;

const newestFirst = byId<Webhook>('w.id');

@Injectable()
export class WebhooksRepository {
  private readonly columns = this.database.columns(Webhook, 'w');

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, organizationId: number, id: number): Promise<Webhook | undefined> {
    return this.one(scope, organizationId, id, emptySql);
  }

  lockOne(scope: Scope, organizationId: number, id: number): Promise<Webhook | undefined> {
    return this.one(scope, organizationId, id, raw('FOR NO KEY UPDATE OF w'));
  }

  async findOrganization(scope: Scope, id: number): Promise<number | undefined> {
    const row = await this.database.row<Pick<Webhook, 'organizationId'>>(sql`
      SELECT w.organization_id AS "organizationId" FROM webhooks w
      WHERE w.id = ${id} AND ${visibleTo(scope, 'w.organization_id')}`);
    return row?.organizationId;
  }

  listFor(scope: Scope, organizationId: number, page: Page): Promise<Slice<Webhook>> {
    const list = sql`FROM webhooks w WHERE w.organization_id = ${organizationId} AND ${visibleTo(scope, 'w.organization_id')}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /** Those that the service has paused. */
  listStoppedFor(scope: Scope, organizationId: number): Promise<Webhook[]> {
    return this.database.rows<Webhook>(sql`
      SELECT ${this.columns} FROM webhooks w WHERE w.organization_id = ${organizationId} AND w.state = 'paused'
        AND w.pause_reason <> 'admin' AND ${visibleTo(scope, 'w.organization_id')} ORDER BY w.id`);
  }

  listActive(scope: Scope): Promise<(WebhookReference & { readonly position: number })[]> {
    return this.database.rows(sql`
      SELECT w.id, w.organization_id AS "organizationId", w.cursor::float8 AS position FROM webhooks w
      WHERE w.state = 'active' AND ${visibleTo(scope, 'w.organization_id')} ORDER BY w.organization_id, w.id`);
  }

  /** The caller has locked the organization for counting. */
  async countOfLocked(organizationId: number): Promise<number> {
    const row = await this.database.row<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM webhooks WHERE organization_id = ${organizationId}`,
    );
    return row?.count ?? 0;
  }

  async save(webhook: NewWebhook): Promise<number> {
    const repository = await this.database.repository(Webhook);
    const row = repository.create(webhook);
    await repository.insert(row);
    return row.id;
  }

  /** The caller has locked it. */
  async change({ id, organizationId }: WebhookReference, change: Partial<Omit<Webhook, 'id'>>): Promise<void> {
    const repository = await this.database.repository(Webhook);
    await repository.update({ id, organizationId }, change);
  }

  /** With its deliveries, by ON DELETE CASCADE. */
  async remove({ id, organizationId }: WebhookReference): Promise<void> {
    const repository = await this.database.repository(Webhook);
    await repository.delete({ id, organizationId });
  }

  listAfter(id: number, limit: number): Promise<Pick<Webhook, 'id' | 'sealed'>[]> {
    return this.database.rows(sql`SELECT id, sealed FROM webhooks WHERE id > ${id} ORDER BY id LIMIT ${limit}`);
  }

  /** Returns false if the secret was replaced meanwhile. */
  async reencrypt({ id, sealed }: Pick<Webhook, 'id' | 'sealed'>, resealed: Buffer): Promise<boolean> {
    const changed = await this.database.change(
      sql`UPDATE webhooks SET sealed = ${resealed} WHERE id = ${id} AND sealed = ${sealed}`,
    );
    return changed === 1;
  }

  private one(scope: Scope, organizationId: number, id: number, rest: Sql): Promise<Webhook | undefined> {
    return this.database.row<Webhook>(sql`
      SELECT ${this.columns} FROM webhooks w
      WHERE w.id = ${id} AND w.organization_id = ${organizationId} AND ${visibleTo(scope, 'w.organization_id')} ${rest}`);
  }
}
