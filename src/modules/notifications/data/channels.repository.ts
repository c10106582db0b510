import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { type DestinationReference, DestinationsRepository } from '../../feed';
import { channelKind } from '../domain/channel-vocabulary';
import { Channel } from './channel.entity';

@Injectable()
export class ChannelsRepository extends DestinationsRepository<Channel> {
  constructor(database: Database) {
    super(database, Channel, channelKind);
  }

  /** Those that may send something now. Tests are sent at once, also by channels that are paused. */
  listDue(scope: Scope, now: Date): Promise<DestinationReference[]> {
    return this.database.rows(sql`
      SELECT c.id, c.organization_id AS "organizationId" FROM channels c
      WHERE EXISTS (SELECT 1 FROM channel_messages m
          WHERE m.channel_id = c.id AND m.organization_id = c.organization_id AND m.taken IS NULL
            AND (m.position IS NULL OR (c.state = 'active' AND coalesce(c.next_attempt <= ${now}, true))))
        AND ${visibleTo(scope, 'c.organization_id')} ORDER BY c.id`);
  }
}
