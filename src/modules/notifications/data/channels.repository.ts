import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { byId, readSlice } from '../../../platform/database/list-order';
import { type Sql, emptySql, raw, sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { Channel } from './channel.entity';

export type ChannelReference = Pick<Channel, 'id' | 'organizationId'>;

const newestFirst = byId<Channel>('c.id');

@Injectable()
export class ChannelsRepository {
  private readonly columns = this.database.columns(Channel, 'c');

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, organizationId: number, id: number): Promise<Channel | undefined> {
    return this.one(scope, organizationId, id, emptySql);
  }

  lockOne(scope: Scope, organizationId: number, id: number): Promise<Channel | undefined> {
    return this.one(scope, organizationId, id, raw('FOR NO KEY UPDATE OF c'));
  }

  async findOrganization(scope: Scope, id: number): Promise<number | undefined> {
    const row = await this.database.row<Pick<Channel, 'organizationId'>>(sql`
      SELECT c.organization_id AS "organizationId" FROM channels c
      WHERE c.id = ${id} AND ${visibleTo(scope, 'c.organization_id')}`);
    return row?.organizationId;
  }

  listFor(scope: Scope, organizationId: number, page: Page): Promise<Slice<Channel>> {
    const list = sql`FROM channels c WHERE c.organization_id = ${organizationId} AND ${visibleTo(scope, 'c.organization_id')}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  listActive(scope: Scope): Promise<(ChannelReference & { readonly position: number })[]> {
    return this.database.rows(sql`
      SELECT c.id, c.organization_id AS "organizationId", c.cursor::float8 AS position FROM channels c
      WHERE c.state = 'active' AND ${visibleTo(scope, 'c.organization_id')} ORDER BY c.organization_id, c.id`);
  }

  /** Those that may send something now. Tests are sent at once, also by channels that are paused. */
  listDue(scope: Scope, now: Date): Promise<ChannelReference[]> {
    return this.database.rows(sql`
      SELECT c.id, c.organization_id AS "organizationId" FROM channels c
      WHERE EXISTS (SELECT 1 FROM channel_messages m
          WHERE m.channel_id = c.id AND m.organization_id = c.organization_id AND m.taken IS NULL
            AND (m.position IS NULL OR (c.state = 'active' AND coalesce(c.next_attempt <= ${now}, true))))
        AND ${visibleTo(scope, 'c.organization_id')} ORDER BY c.id`);
  }

  /** The caller has locked the organization for counting. */
  async countOfLocked(organizationId: number): Promise<number> {
    const row = await this.database.row<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM channels WHERE organization_id = ${organizationId}`,
    );
    return row?.count ?? 0;
  }

  async save(channel: Partial<Channel>): Promise<number> {
    const repository = await this.database.repository(Channel);
    const row = repository.create(channel);
    await repository.insert(row);
    return row.id;
  }

  /** The caller has locked it. */
  async change({ id, organizationId }: ChannelReference, change: Partial<Omit<Channel, 'id'>>): Promise<void> {
    const repository = await this.database.repository(Channel);
    await repository.update({ id, organizationId }, change);
  }

  /** With its messages, by ON DELETE CASCADE. */
  async remove({ id, organizationId }: ChannelReference): Promise<void> {
    const repository = await this.database.repository(Channel);
    await repository.delete({ id, organizationId });
  }

  listAfter(id: number, limit: number): Promise<{ id: number; sealed: Buffer }[]> {
    return this.database.rows(
      sql`SELECT id, sealed FROM channels WHERE id > ${id} AND sealed IS NOT NULL ORDER BY id LIMIT ${limit}`,
    );
  }

  /** Returns false if the URL was replaced meanwhile. */
  async reencrypt({ id, sealed }: { id: number; sealed: Buffer }, resealed: Buffer): Promise<boolean> {
    const changed = await this.database.change(
      sql`UPDATE channels SET sealed = ${resealed} WHERE id = ${id} AND sealed = ${sealed}`,
    );
    return changed === 1;
  }

  private one(scope: Scope, organizationId: number, id: number, rest: Sql): Promise<Channel | undefined> {
    return this.database.row<Channel>(sql`
      SELECT ${this.columns} FROM channels c
      WHERE c.id = ${id} AND c.organization_id = ${organizationId} AND ${visibleTo(scope, 'c.organization_id')} ${rest}`);
  }
}
