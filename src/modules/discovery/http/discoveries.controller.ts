import { Body, Controller, Query } from '@nestjs/common';
import { Acknowledgement, done } from '../../../platform/http/acknowledgement';
import { InOrganization, type RecordPlace } from '../../../platform/http/in-organization';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { PathUuid } from '../../../platform/http/path-uuid';
import { DiscoveredAssetsService } from '../discovered-assets.service';
import { DiscoveriesService } from '../discoveries.service';
import { AddCandidatesRequest, StartDiscoveryRequest, discoveryRequestOf } from './discovery.requests';
import {
  AddedCandidatesResponse,
  DiscoveryDetailsResponse,
  DiscoveryListResponse,
  DiscoveryResponse,
  presentAddedCandidates,
  presentDetails,
  presentDiscovery,
} from './discovery.responses';
import * as operations from './discoveries.operations';

@Controller()
export class DiscoveriesController {
  constructor(
    private readonly discoveries: DiscoveriesService,
    private readonly discoveredAssets: DiscoveredAssetsService,
  ) {}

  @operations.startDiscovery
  async start(
    @InOrganization('beacon_id') { caller, organizationId, id: beaconId }: RecordPlace,
    @Body() body: StartDiscoveryRequest,
  ): Promise<DiscoveryResponse> {
    return presentDiscovery(await this.discoveries.start(caller, organizationId, beaconId, discoveryRequestOf(body)));
  }

  @operations.listDiscoveries
  async list(
    @InOrganization('beacon_id') { caller, organizationId, id: beaconId }: RecordPlace,
    @Query() query: PageQuery,
  ): Promise<PagedBody<DiscoveryListResponse>> {
    const page = query.slice;
    const slice = await this.discoveries.list(caller.scope, organizationId, beaconId, page);
    return new PagedBody({ discoveries: slice.items.map(presentDiscovery) }, page, slice);
  }

  @operations.getDiscovery
  async get(
    @InOrganization('beacon_id') { caller, organizationId, id: beaconId }: RecordPlace,
    @PathUuid('discovery_uuid') uuid: string,
  ): Promise<DiscoveryDetailsResponse> {
    return presentDetails(await this.discoveries.view(caller.scope, { organizationId, beaconId, uuid }));
  }

  @operations.cancelDiscovery
  async cancel(
    @InOrganization('beacon_id') { caller, organizationId, id: beaconId }: RecordPlace,
    @PathUuid('discovery_uuid') uuid: string,
  ): Promise<Acknowledgement> {
    await this.discoveries.cancel(caller, { organizationId, beaconId, uuid });
    return done('Discovery canceled.');
  }

  @operations.addDiscoveredAssets
  async add(
    @InOrganization('beacon_id') { caller, organizationId, id: beaconId }: RecordPlace,
    @PathUuid('discovery_uuid') uuid: string,
    @Body() { canonicalAddresses }: AddCandidatesRequest,
  ): Promise<AddedCandidatesResponse> {
    const place = { organizationId, beaconId, uuid };
    return presentAddedCandidates(await this.discoveredAssets.add(caller, place, canonicalAddresses));
  }
}
