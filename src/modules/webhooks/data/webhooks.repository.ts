import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { DestinationsRepository } from '../../feed';
import { webhookKind } from '../domain/vocabulary';
import { Webhook } from './webhook.entity';

@Injectable()
export class WebhooksRepository extends DestinationsRepository<Webhook> {
  constructor(database: Database) {
    super(database, Webhook, webhookKind);
  }
}
