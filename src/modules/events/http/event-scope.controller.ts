import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, created, deleted } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { PathSlug } from '../../../platform/http/path-slug';
import { EventScopeService } from '../event-scope.service';
import { AddScopeAssetRequest, ListScopeQuery, scopeDraftOf } from './event-scope.requests';
import {
  EventScopeResponse,
  ScopeAssetResponse,
  presentScope,
  presentScopeAsset,
  scopeAssetExample,
} from './event-scope.responses';

@Controller()
export class EventScopeController {
  constructor(private readonly scopes: EventScopeService) {}

  @Operation('GET /v1/events/{event_slug}/scope', {
    id: 'getEventScope',
    tag: 'Events',
    summary: 'Read the scope of an event',
    description:
      'The assets that may be tested and those that must not be. By default a page has 100 assets of both kinds together, newest first.',
    role: 'viewer',
    scope: 'read',
    query: ListScopeQuery,
    success: {
      description: 'The assets, in scope and out of it.',
      body: EventScopeResponse,
      example: { in_scope: { assets: [scopeAssetExample] }, out_of_scope: { assets: [] } },
      paged: true,
    },
  })
  async list(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @Query() query: ListScopeQuery,
  ): Promise<PagedBody<EventScopeResponse>> {
    const page = query.slice;
    const slice = await this.scopes.list(caller.scope, slug, page);
    return new PagedBody(presentScope(slice.items), page, slice);
  }

  @Operation('POST /v1/events/{event_slug}/scope/assets/', {
    id: 'addScopeAsset',
    tag: 'Events',
    summary: 'Add an asset to the scope of an event, or exclude it',
    role: 'admin',
    scope: 'write',
    body: {
      example: {
        asset_id: 1,
        in_scope: true,
        wildcard: true,
        description: 'The shop; no orders above 1 EUR, please.',
      },
    },
    success: {
      status: 201,
      description: 'The asset was added to the list.',
      body: Acknowledgement,
      example: { code: 201, description: 'Scope asset created.', id: 42, success: true },
      location: ({ id }: Acknowledgement, params) => `/v1/events/${params['event_slug']}/scope/assets/${id}`,
    },
    errors: [400, 401, 403, 404, 409, 422],
    audit: { operation: 'scope_asset.create', resource: 'scope_asset' },
  })
  async add(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @Body() body: AddScopeAssetRequest,
  ): Promise<Acknowledgement> {
    await this.scopes.add(caller, slug, scopeDraftOf(body));
    return created('Scope asset', body.asset_id);
  }

  @Operation('GET /v1/events/{event_slug}/scope/assets/{asset_id}', {
    number: 8,
    id: 'getScopeAsset',
    tag: 'Events',
    summary: 'Read an asset in the scope of an event',
    role: 'viewer',
    scope: 'read',
    entityTag: true,
    success: { description: 'The asset.', body: ScopeAssetResponse, example: scopeAssetExample },
  })
  async get(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @PathId('asset_id') assetId: number,
  ): Promise<ScopeAssetResponse> {
    return presentScopeAsset(await this.scopes.get(caller.scope, slug, assetId));
  }

  @Operation('DELETE /v1/events/{event_slug}/scope/assets/{asset_id}', {
    number: 9,
    id: 'removeScopeAsset',
    tag: 'Events',
    summary: 'Remove an asset from the scope of an event',
    description: 'The asset itself is not deleted. Refused while a worker tests it in this event.',
    role: 'admin',
    scope: 'write',
    ifMatch: 'getScopeAsset',
    success: {
      description: 'The asset was removed from the list.',
      body: Acknowledgement,
      example: { code: 200, description: 'Scope asset deleted.', id: 42, success: true },
    },
    errors: [401, 403, 404, 409],
    audit: { operation: 'scope_asset.delete', resource: 'scope_asset', id: 'asset_id' },
  })
  async remove(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @PathId('asset_id') assetId: number,
  ): Promise<Acknowledgement> {
    await this.scopes.remove(caller, slug, assetId);
    return deleted('Scope asset', assetId);
  }
}
