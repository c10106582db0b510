import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import type { VNode } from 'preact';
import { EventsService } from '../../modules/events';
import {
  type Webhook,
  WebhookDeliveriesService,
  WebhooksService,
  type WebhookWithSecret,
} from '../../modules/webhooks';
import { PathId } from '../../platform/http/path-id';
import { PathUuid } from '../../platform/http/path-uuid';
import { DestinationPages } from '../destinations/destination-pages';
import { People } from '../findings/people';
import { Page, type SeeOther } from '../frame/page';
import { Settings } from '../frame/settings-tabs';
import { pluralize } from '../frame/words';
import { InOrganization } from '../http/in-organization';
import { OverlapForm } from '../http/overlap-form';
import type { Place, RecordPlace } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { Changes, PostChange } from '../http/route-metadata';
import { destinationUrl } from '../urls';
import { NewWebhookPage } from './webhook-form';
import { WebhookPage } from './webhook-page';
import { filterText } from './webhook-words';
import { DeliveriesQuery, RedeliverForm, WebhookForm } from './webhooks.requests';

@Controller('o/:organization/webhooks')
export class WebhooksPageController extends DestinationPages<Webhook>({
  noun: 'webhook',
  purpose: 'A webhook sends every change that you choose to a program of yours, signed and in order.',
  columns: [
    { label: 'Receiver', cell: ({ url }) => new URL(url).host },
    { label: 'Sends', dir: 'auto', cell: filterText },
  ],
}) {
  constructor(
    protected readonly destinations: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
    protected readonly events: EventsService,
    protected readonly people: People,
  ) {
    super();
  }

  @Get('new')
  async form(@InOrganization() place: Place): Promise<Page> {
    const { caller, organizationId } = place;
    caller.requireRole('admin', organizationId);
    const choices = await this.choicesFor(place);
    return new Page('New webhook', <NewWebhookPage {...{ organizationId, choices }} />, 'settings');
  }

  @PostChange('', { operation: 'webhook.create', resource: 'webhook' })
  async create(
    @InOrganization() place: Place,
    @Body() form: WebhookForm,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    const created = await this.destinations.create(place.caller, place.organizationId, form.draft);
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
    await this.destinations.change(caller, organizationId, id, form.change);
    return this.shown({ organizationId, id }, 'The webhook was changed.');
  }

  @PostChange(':webhook_id/secret', { operation: 'webhook.rotate_secret', resource: 'webhook', id: 'webhook_id' })
  async rotateSecret(
    @InOrganization() place: Place,
    @PathId('webhook_id') id: number,
    @Body() { overlap_hours: overlap }: OverlapForm,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    const rotated = await this.destinations.rotateSecret(place.caller, place.organizationId, id, overlap);
    return this.page(place, id, request, new DeliveriesQuery(), rotated);
  }

  @PostChange(':webhook_id/redeliver', { operation: 'webhook.redeliver', resource: 'webhook', id: 'webhook_id' })
  async redeliverRange(
    @InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace,
    @Body() { from, to, state }: RedeliverForm,
  ): Promise<SeeOther> {
    const filter = { from, to: to ?? undefined, state: state ?? undefined };
    const count = await this.deliveries.redeliverRange(caller, organizationId, id, filter);
    return this.shown({ organizationId, id }, `${pluralize(count, 'message')} will be sent again.`);
  }

  @Post(':webhook_id/deliveries/:delivery_id')
  @Changes({ operation: 'webhook.redeliver', resource: 'webhook', id: 'webhook_id' })
  async redeliver(
    @InOrganization('webhook_id') { caller, organizationId, id }: RecordPlace,
    @PathUuid('delivery_id') deliveryId: string,
  ): Promise<SeeOther> {
    await this.deliveries.redeliver(caller, organizationId, id, deliveryId);
    return this.shown({ organizationId, id }, 'The message will be sent again.');
  }

  protected override framed(list: VNode): VNode {
    return <Settings current="webhooks">{list}</Settings>;
  }

  protected sendTest({ caller, organizationId, id }: RecordPlace): Promise<unknown> {
    return this.deliveries.sendTest(caller, organizationId, id);
  }

  private async page(
    place: Place,
    id: number,
    { originalUrl }: PortalRequest,
    query: DeliveriesQuery,
    withSecret?: WebhookWithSecret,
  ): Promise<Page> {
    const { caller, organizationId } = place;
    const webhook = await this.destinations.get(caller, organizationId, id);
    const page = query.slice;
    const slice = await this.deliveries.list(caller, organizationId, id, { state: query.state }, page);
    const choices = await this.choicesFor(place);
    const url = withSecret === undefined ? originalUrl : destinationUrl('webhook', organizationId, id);
    const body = <WebhookPage {...{ webhook, choices, slice, page, url, state: query.state, withSecret }} />;
    return new Page(webhook.name, body, 'settings');
  }
}
