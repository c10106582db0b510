import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, done } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { InOrganization, type Place } from '../../../platform/http/in-organization';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { PathId } from '../../../platform/http/path-id';
import { PathUuid } from '../../../platform/http/path-uuid';
import { ObservationSettings } from '../observation-settings.service';
import { ObservationsService } from '../observations.service';
import { ObservedHosts } from '../observed-hosts.service';
import {
  changeOfObservation,
  ChangeAssetObservationRequest,
  ChangeObservationSettingsRequest,
  ListAssetChangesQuery,
  ListChangesQuery,
} from './observation.requests';
import {
  AssetObservationResponse,
  ObservationResponse,
  ObservationSettingsResponse,
  presentAssetObservation,
  presentObservation,
  presentSettings,
} from './observation.responses';
import {
  AssetChangeListResponse,
  ObservedHostListResponse,
  presentChange,
  presentHost,
} from './observed-host.responses';
import * as operations from './observations.operations';

@Controller()
export class ObservationsController {
  constructor(
    private readonly observations: ObservationsService,
    private readonly settings: ObservationSettings,
    private readonly hosts: ObservedHosts,
  ) {}

  @operations.startObservation
  async start(@CurrentCaller() caller: Caller, @PathId('asset_id') assetId: number): Promise<ObservationResponse> {
    return presentObservation(await this.observations.start(caller, assetId));
  }

  @operations.getObservation
  async get(@CurrentCaller() caller: Caller, @PathUuid('observation_uuid') uuid: string): Promise<ObservationResponse> {
    return presentObservation(await this.observations.get(caller.scope, uuid));
  }

  @operations.cancelObservation
  async cancel(@CurrentCaller() caller: Caller, @PathUuid('observation_uuid') uuid: string): Promise<Acknowledgement> {
    await this.observations.cancel(caller, uuid);
    return done('Observation canceled.');
  }

  @operations.getAssetObservation
  async getOfAsset(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
  ): Promise<AssetObservationResponse> {
    return presentAssetObservation(await this.settings.ofAsset(caller.scope, assetId));
  }

  @operations.changeAssetObservation
  async changeOfAsset(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @Body() body: ChangeAssetObservationRequest,
  ): Promise<AssetObservationResponse> {
    return presentAssetObservation(await this.settings.changeAsset(caller, assetId, changeOfObservation(body)));
  }

  @operations.getObservationSettings
  async getSettings(@InOrganization() { caller, organizationId }: Place): Promise<ObservationSettingsResponse> {
    return presentSettings(await this.settings.ofOrganization(caller.scope, organizationId));
  }

  @operations.changeObservationSettings
  async changeSettings(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { enabled: isEnabled, every_hours: everyHours = null }: ChangeObservationSettingsRequest,
  ): Promise<ObservationSettingsResponse> {
    await this.settings.changeOrganization(caller, organizationId, { isEnabled, everyHours });
    return presentSettings({ isEnabled, everyHours });
  }

  @operations.listObservedHosts
  async listHosts(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @Query() query: PageQuery,
  ): Promise<PagedBody<ObservedHostListResponse>> {
    const page = query.slice;
    const slice = await this.hosts.listFor(caller.scope, assetId, page);
    return new PagedBody({ hosts: slice.items.map(presentHost) }, page, slice);
  }

  @operations.listAssetChanges
  async listOfAsset(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @Query() query: ListAssetChangesQuery,
  ): Promise<PagedBody<AssetChangeListResponse>> {
    const page = query.slice;
    const slice = await this.hosts.listChangesOfAsset(caller.scope, assetId, query.filter, page);
    return new PagedBody({ changes: slice.items.map(presentChange) }, page, slice);
  }

  @operations.listChanges
  async listChanges(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: ListChangesQuery,
  ): Promise<PagedBody<AssetChangeListResponse>> {
    const page = query.slice;
    const filter = { ...query.filter, organizationId, assetId: query.asset_id };
    const slice = await this.hosts.listChanges(caller.scope, filter, page);
    return new PagedBody({ changes: slice.items.map(presentChange) }, page, slice);
  }
}
