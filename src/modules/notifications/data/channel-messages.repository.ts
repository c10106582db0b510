import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { type Sql, sql } from '../../../platform/database/sql';
import { ownedIn } from '../../../platform/database/visible';
import type { DestinationReference, Entry, WaitingEntries } from '../../feed';
import { ChannelMessage } from './channel-message.entity';

export type NewChannelMessage = Pick<Entry, 'type' | 'recordId' | 'data'> & {
  readonly position: number | null;
  readonly created: Date;
};

/** The caller has locked the channel. */
@Injectable()
export class ChannelMessagesRepository implements WaitingEntries {
  private readonly columns = this.database.columns(ChannelMessage, 'm');

  constructor(private readonly database: Database) {}

  addEntries(channel: DestinationReference, entries: readonly Entry[], created: Date): Promise<void> {
    const messages = entries.map(({ position, type, recordId, data }) => ({ type, recordId, data, position, created }));
    return this.add(channel, messages);
  }

  async add(
    { id: channelId, organizationId }: DestinationReference,
    messages: readonly NewChannelMessage[],
  ): Promise<void> {
    if (messages.length === 0) return;
    const rows = messages.map((message) => ({ ...message, channelId, organizationId }));
    await this.database.change(sql`
      INSERT INTO channel_messages ${this.database.insertedRows(ChannelMessage, rows)} ON CONFLICT DO NOTHING`);
  }

  countWaitingOfLocked(channel: DestinationReference): Promise<number> {
    return this.database.count(sql`SELECT count(*)::int AS count FROM channel_messages m WHERE ${of(channel)}`);
  }

  /** Tests first, then in the order of the feed. */
  listWaitingOfLocked(channel: DestinationReference): Promise<ChannelMessage[]> {
    return this.database.rows<ChannelMessage>(sql`
      SELECT ${this.columns} FROM channel_messages m WHERE ${of(channel)} AND m.taken IS NULL
      ORDER BY m.position NULLS FIRST, m.id`);
  }

  /** null: they wait again. */
  async setTaken(channel: DestinationReference, ids: readonly string[], taken: Date | null): Promise<void> {
    await this.database.change(sql`
      UPDATE channel_messages m SET taken = ${taken} WHERE ${of(channel)} AND m.id = ANY(${ids}::bigint[])`);
  }

  async remove(channel: DestinationReference, ids: readonly string[]): Promise<void> {
    await this.database.change(
      sql`DELETE FROM channel_messages m WHERE ${of(channel)} AND m.id = ANY(${ids}::bigint[])`,
    );
  }

  /** Of a channel that was paused, and of workers that were lost. */
  deleteCreatedBefore(scope: Scope, date: Date): Promise<number> {
    return this.database.change(sql`
      DELETE FROM channel_messages WHERE created < ${date} AND ${ownedIn(scope, 'organization_id')}`);
  }
}

const of = ({ id, organizationId }: DestinationReference): Sql =>
  sql`m.channel_id = ${id} AND m.organization_id = ${organizationId}`;
