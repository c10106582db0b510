import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import { EventsService } from '../../modules/events';
import { WebhookDeliveriesService, WebhooksService, type WebhookWithSecret } from '../../modules/webhooks';
import { PageQuery } from '../../platform/http/page-query';
import { PathId } from '../../platform/http/path-id';
import { PathUuid } from '../../platform/http/path-uuid';
import { NewLink } from '../frame/new-link';
import { Page, SeeOther } from '../frame/page';
import { pluralize } from '../frame/words';
import { InOrganization } from '../http/in-organization';
import { OverlapForm } from '../http/overlap-form';
import type { Place, RecordPlace } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { Changes, PostChange } from '../http/route-metadata';
import { newWebhookUrl, webhooksUrl, webhookUrl } from '../urls';
import { NewWebhookPage } from './webhook-form';
import { WebhookPage } from './webhook-page';
import { WebhooksPage } from './webhooks-page';
import { DeliveriesQuery, RedeliverForm, WebhookForm } from './webhooks.requests';

const CHOICES = { page: 1, perPage: 100 } as const;

@Controller('o/:organization/webhooks')
export class WebhooksPageController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly events: EventsService,
  ) {}

  @Get()
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() { slice: page }: PageQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const slice = await this.webhooks.list(caller, organizationId, page);
    return new Page('Webhooks', <WebhooksPage {...{ organizationId, slice, page, url }} />, 'settings', {
      actions: <NewLink href={newWebhookUrl(organizationId)} label="New webhook" />,
    });
  }

  @Get('new')
  async form(@InOrganization() { caller, organizationId }: Place): Promise<Page> {
    caller.requireRole('admin', organizationId);
    const { items: events } = await this.events.list(caller.scope, organizationId, CHOICES);
    return new Page('New webhook', <NewWebhookPage {...{ organizationId, events }} />, 'settings');
  }

  @PostChange('', { operation: 'webhook.create', resource: 'webhook' })
  async create(
    @InOrganization() place: Place,
    @Body() form: WebhookForm,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    const created = await this.webhooks.create(place.caller, place.organizationId, form.draft);
    return this.page(place, created.webhook.id, request, new DeliveriesQuery(), created);
  }

  @Get(':webhook_id')
  show(
    @InOrganization() place: Place,
    @PathId('webhook_id') id: number,
    @Query() query: DeliveriesQuery,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    return this.page(place, id, request, query);
  }

  @PostChange(':webhook_id', { operation: 'webhook.change', resource: 'webhook', id: 'webhook_id' })
  async change(
    @InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace,
    @Body() form: WebhookForm,
  ): Promise<SeeOther> {
    await this.webhooks.change(caller, organizationId, id, form.change);
    return new SeeOther(webhookUrl(organizationId, id), 'The webhook was changed.');
  }

  @PostChange(':webhook_id/pause', { operation: 'webhook.change', resource: 'webhook', id: 'webhook_id' })
  async pause(@InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.webhooks.change(caller, organizationId, id, { state: 'paused' });
    return new SeeOther(webhookUrl(organizationId, id), 'The webhook is paused.');
  }

  @PostChange(':webhook_id/resume', { operation: 'webhook.change', resource: 'webhook', id: 'webhook_id' })
  async resume(@InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.webhooks.change(caller, organizationId, id, { state: 'active' });
    return new SeeOther(webhookUrl(organizationId, id), 'The webhook is active, and continues where it stopped.');
  }

  @PostChange(':webhook_id/secret', { operation: 'webhook.rotate_secret', resource: 'webhook', id: 'webhook_id' })
  async rotateSecret(
    @InOrganization() place: Place,
    @PathId('webhook_id') id: number,
    @Body() { overlap_hours: overlap }: OverlapForm,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    const rotated = await this.webhooks.rotateSecret(place.caller, place.organizationId, id, overlap);
    return this.page(place, id, request, new DeliveriesQuery(), rotated);
  }

  @PostChange(':webhook_id/test', { operation: 'webhook.test', resource: 'webhook', id: 'webhook_id' })
  async test(@InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.deliveries.sendTest(caller, organizationId, id);
    return new SeeOther(webhookUrl(organizationId, id), 'A test is on its way. Reload the page to see its result.');
  }

  @PostChange(':webhook_id/redeliver', { operation: 'webhook.redeliver', resource: 'webhook', id: 'webhook_id' })
  async redeliverRange(
    @InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace,
    @Body() { from, to, state }: RedeliverForm,
  ): Promise<SeeOther> {
    const filter = { from, to: to ?? undefined, state: state ?? undefined };
    const count = await this.deliveries.redeliverRange(caller, organizationId, id, filter);
    return new SeeOther(webhookUrl(organizationId, id), `${pluralize(count, 'message')} will be sent again.`);
  }

  @Post(':webhook_id/deliveries/:delivery_id')
  @Changes({ operation: 'webhook.redeliver', resource: 'webhook', id: 'webhook_id' })
  async redeliver(
    @InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace,
    @PathUuid('delivery_id') deliveryId: string,
  ): Promise<SeeOther> {
    await this.deliveries.redeliver(caller, organizationId, id, deliveryId);
    return new SeeOther(webhookUrl(organizationId, id), 'The message will be sent again.');
  }

  @PostChange(':webhook_id/delete', { operation: 'webhook.delete', resource: 'webhook', id: 'webhook_id' })
  async delete(@InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.webhooks.delete(caller, organizationId, id);
    return new SeeOther(webhooksUrl(organizationId), 'The webhook was deleted.');
  }

  private async page(
    { caller, organizationId }: Place,
    id: number,
    { originalUrl }: PortalRequest,
    query: DeliveriesQuery,
    withSecret?: WebhookWithSecret,
  ): Promise<Page> {
    const webhook = await this.webhooks.get(caller, organizationId, id);
    const page = query.slice;
    const slice = await this.deliveries.list(caller, organizationId, id, { state: query.state }, page);
    const { items: events } = await this.events.list(caller.scope, organizationId, CHOICES);
    const url = withSecret === undefined ? originalUrl : webhookUrl(organizationId, id);
    const body = <WebhookPage {...{ webhook, events, slice, page, url, state: query.state, withSecret }} />;
    return new Page(webhook.name, body, 'settings');
  }
}
