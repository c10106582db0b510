import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events';
import { FeedModule } from '../feed';
import { OrganizationsModule } from '../organizations';
import { WebhookDeliveriesRepository } from './data/webhook-deliveries.repository';
import { WebhookDelivery } from './data/webhook-delivery.entity';
import { Webhook } from './data/webhook.entity';
import { WebhooksRepository } from './data/webhooks.repository';
import { OutboundRequests } from './outbound/outbound-requests';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhookSecrets } from './webhook-secrets';
import { WebhookSending } from './webhook-sending';
import { WebhooksService } from './webhooks.service';
import { WebhookDeliveryWork, WebhookRetryWork } from './work/webhook-delivery-work';
import { WebhookUpkeep } from './work/webhook-upkeep';

@Module({
  imports: [TypeOrmModule.forFeature([Webhook, WebhookDelivery]), OrganizationsModule, EventsModule, FeedModule],
  providers: [
    WebhooksRepository,
    WebhookDeliveriesRepository,
    WebhookSecrets,
    WebhooksService,
    WebhookDeliveriesService,
    WebhookSending,
    WebhookDeliveryWork,
    WebhookRetryWork,
    WebhookUpkeep,
    OutboundRequests,
  ],
  exports: [WebhooksService, WebhookDeliveriesService, WebhookSecrets, OutboundRequests],
})
export class WebhooksModule {}
