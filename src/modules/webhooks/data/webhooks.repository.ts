import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { DestinationsRepository } from '../../feed';
import { webhookKind } from '../domain/vocabulary';
import { Webhook } from './webhook.entity';

@Injectable()
export class WebhooksRepository extends DestinationsRepository<Webhook> {
  constructor(database: Database) {
    super(database, Webhook, webhookKind);
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
}
