import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, created, deleted } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { PathSlug } from '../../../platform/http/path-slug';
import { EventScopeService } from '../event-scope.service';
import { AddScopeAssetRequest, ListScopeQuery, scopeDraftOf } from './event-scope.requests';
import { EventScopeResponse, ScopeAssetResponse, presentScope, presentScopeAsset } from './event-scope.responses';
import * as operations from './event-scope.operations';

@Controller()
export class EventScopeController {
  constructor(private readonly scopes: EventScopeService) {}

  @operations.getEventScope
  async list(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @Query() query: ListScopeQuery,
  ): Promise<PagedBody<EventScopeResponse>> {
    const page = query.slice;
    const slice = await this.scopes.list(caller.scope, slug, page);
    return new PagedBody(presentScope(slice.items), page, slice);
  }

  @operations.addScopeAsset
  async add(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @Body() body: AddScopeAssetRequest,
  ): Promise<Acknowledgement> {
    await this.scopes.add(caller, slug, scopeDraftOf(body));
    return created('Scope asset', body.asset_id);
  }

  @operations.getScopeAsset
  async get(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @PathId('asset_id') assetId: number,
  ): Promise<ScopeAssetResponse> {
    return presentScopeAsset(await this.scopes.get(caller.scope, slug, assetId));
  }

  @operations.removeScopeAsset
  async remove(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @PathId('asset_id') assetId: number,
  ): Promise<Acknowledgement> {
    await this.scopes.remove(caller, slug, assetId);
    return deleted('Scope asset', assetId);
  }
}
