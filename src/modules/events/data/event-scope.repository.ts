import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { type Sql, sql } from '../../../platform/database/sql';
import { ListOrder, readSlice } from '../../../platform/database/list-order';
import { visibleTo } from '../../../platform/database/visible';
import { assetNotFound } from '../../assets';
import { scopeAssetExists } from '../domain/event.errors';
import { EventScope } from './event-scope.entity';

const newestFirst = new ListOrder<EventScope>(['s.asset_id'], ({ assetId }) => [assetId]);

/** The scope entries of events. Callers have already read the event in their scope. */
@Injectable()
export class EventScopeRepository {
  private readonly columns = this.database.columns(EventScope, 's');

  constructor(private readonly database: Database) {}

  findOfVisible(eventId: number, assetId: number): Promise<EventScope | undefined> {
    return this.database.row<EventScope>(this.one(eventId, assetId));
  }

  lockOfVisible(eventId: number, assetId: number): Promise<EventScope | undefined> {
    return this.database.row<EventScope>(sql`${this.one(eventId, assetId)} FOR UPDATE`);
  }

  listForVisible(eventId: number, page: Page): Promise<Slice<EventScope>> {
    const list = sql`FROM event_scope s WHERE s.event_id = ${eventId}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  async versionOfVisible(eventId: number): Promise<string> {
    const row = await this.database.row<{ version: string }>(sql`
      SELECT concat_ws(' ', count(*), sum(s.asset_id), max(s.created)) AS version
      FROM event_scope s WHERE s.event_id = ${eventId}`);
    return row?.version ?? '';
  }

  /** The organization of the asset, if the scope of a visible event lists the asset. */
  async findOrganization(scope: Scope, assetId: number): Promise<number | undefined> {
    const row = await this.database.row<{ organizationId: number }>(sql`
      SELECT s.organization_id AS "organizationId" FROM event_scope s
      WHERE s.asset_id = ${assetId} AND ${visibleTo(scope, 's.organization_id')} LIMIT 1`);
    return row?.organizationId;
  }

  async save(entry: Omit<EventScope, 'created'>): Promise<void> {
    const repository = await this.database.repository(EventScope);
    await onViolation(repository.insert(entry), {
      pk_event_scope: scopeAssetExists,
      fk_event_scope_asset: assetNotFound,
    });
  }

  async remove(eventId: number, assetId: number): Promise<void> {
    const repository = await this.database.repository(EventScope);
    await repository.delete({ eventId, assetId });
  }

  private one(eventId: number, assetId: number): Sql {
    return sql`SELECT ${this.columns} FROM event_scope s WHERE s.event_id = ${eventId} AND s.asset_id = ${assetId}`;
  }
}
