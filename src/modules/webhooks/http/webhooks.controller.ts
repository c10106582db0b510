import { Body, Controller, Query } from '@nestjs/common';
import { Acknowledgement, deleted } from '../../../platform/http/acknowledgement';
import { InOrganization, type Place, type RecordPlace } from '../../../platform/http/in-organization';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { PathUuid } from '../../../platform/http/path-uuid';
import { WebhookDeliveriesService } from '../webhook-deliveries.service';
import { WebhooksService } from '../webhooks.service';
import {
  ChangeWebhookRequest,
  changeOf,
  CreateWebhookRequest,
  draftOf,
  ListDeliveriesQuery,
  RedeliverRangeRequest,
  RotateSecretRequest,
} from './webhook.requests';
import {
  DeliveryListResponse,
  DeliveryResponse,
  presentDelivery,
  presentWebhook,
  presentWithSecret,
  RedeliveredResponse,
  WebhookListResponse,
  WebhookResponse,
  WebhookSecretResponse,
} from './webhook.responses';
import * as operations from './webhooks.operations';

@Controller()
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  @operations.listWebhooks
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: PageQuery,
  ): Promise<PagedBody<WebhookListResponse>> {
    const page = query.slice;
    const slice = await this.webhooks.list(caller, organizationId, page);
    return new PagedBody({ webhooks: slice.items.map(presentWebhook) }, page, slice);
  }

  @operations.createWebhook
  async create(
    @InOrganization() { caller, organizationId }: Place,
    @Body() body: CreateWebhookRequest,
  ): Promise<WebhookSecretResponse> {
    return presentWithSecret(await this.webhooks.create(caller, organizationId, draftOf(body)));
  }

  @operations.getWebhook
  async get(@InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace): Promise<WebhookResponse> {
    return presentWebhook(await this.webhooks.get(caller, organizationId, id));
  }

  @operations.changeWebhook
  async change(
    @InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace,
    @Body() body: ChangeWebhookRequest,
  ): Promise<WebhookResponse> {
    return presentWebhook(await this.webhooks.change(caller, organizationId, id, changeOf(body)));
  }

  @operations.deleteWebhook
  async delete(@InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace): Promise<Acknowledgement> {
    await this.webhooks.delete(caller, organizationId, id);
    return deleted('Webhook', id);
  }

  @operations.rotateWebhookSecret
  async rotateSecret(
    @InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace,
    @Body() body: RotateSecretRequest,
  ): Promise<WebhookSecretResponse> {
    return presentWithSecret(await this.webhooks.rotateSecret(caller, organizationId, id, body.overlap));
  }

  @operations.testWebhook
  async test(@InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace): Promise<DeliveryResponse> {
    return presentDelivery(await this.deliveries.sendTest(caller, organizationId, id));
  }

  @operations.listWebhookDeliveries
  async listDeliveries(
    @InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace,
    @Query() query: ListDeliveriesQuery,
  ): Promise<PagedBody<DeliveryListResponse>> {
    const page = query.slice;
    const slice = await this.deliveries.list(caller, organizationId, id, query.filter, page);
    return new PagedBody({ deliveries: slice.items.map(presentDelivery) }, page, slice);
  }

  @operations.redeliver
  async redeliver(
    @InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace,
    @PathUuid('delivery_id') deliveryId: string,
  ): Promise<DeliveryResponse> {
    return presentDelivery(await this.deliveries.redeliver(caller, organizationId, id, deliveryId));
  }

  @operations.redeliverRange
  async redeliverRange(
    @InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace,
    @Body() body: RedeliverRangeRequest,
  ): Promise<RedeliveredResponse> {
    return { deliveries: await this.deliveries.redeliverRange(caller, organizationId, id, body.filter) };
  }
}
