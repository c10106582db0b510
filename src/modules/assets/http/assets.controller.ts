import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, created, deleted } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { InOrganization, type Place, type RecordPlace } from '../../../platform/http/in-organization';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { AssetDetailsService } from '../asset-details.service';
import { AssetsService } from '../assets.service';
import { ChangeAssetRequest, CreateAssetRequest, ListAssetsQuery, changeOfAsset } from './asset.requests';
import {
  AssetListResponse,
  AssetResponse,
  ShortAssetResponse,
  presentAsset,
  presentListedAsset,
  presentShortAsset,
} from './asset.responses';
import * as operations from './assets.operations';

@Controller()
export class AssetsController {
  constructor(
    private readonly assets: AssetsService,
    private readonly details: AssetDetailsService,
  ) {}

  @operations.getAsset
  async get(@CurrentCaller() caller: Caller, @PathId('asset_id') id: number): Promise<AssetResponse> {
    return presentAsset(await this.details.get(caller.scope, id));
  }

  @operations.deleteAsset
  async delete(@CurrentCaller() caller: Caller, @PathId('asset_id') id: number): Promise<Acknowledgement> {
    await this.assets.delete(caller, id);
    return deleted('Asset', id);
  }

  @operations.createAsset
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateAssetRequest): Promise<Acknowledgement> {
    const id = await this.assets.create(caller, {
      organizationId: body.organization_id ?? null,
      value: body.asset_value,
      type: body.asset_type,
      beaconId: body.beacon_id ?? null,
      tier: body.tier ?? null,
      purl: body.purl ?? null,
      cpe: body.cpe ?? null,
      labels: body.labels,
      owner: body.owner,
    });
    return created('Asset', id);
  }

  @operations.changeAsset
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') id: number,
    @Body() body: ChangeAssetRequest,
  ): Promise<AssetResponse> {
    await this.assets.change(caller, id, changeOfAsset(body));
    return presentAsset(await this.details.get(caller.scope, id));
  }

  @operations.getOrganizationAsset
  async getShort(@InOrganization('asset_id') { caller, organizationId, id }: RecordPlace): Promise<ShortAssetResponse> {
    return presentShortAsset(await this.assets.getIn(caller.scope, organizationId, id));
  }

  @operations.listAssets
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: ListAssetsQuery,
  ): Promise<PagedBody<AssetListResponse>> {
    const page = query.slice;
    const slice = await this.details.listFor(caller.scope, organizationId, query.filterFor(caller), page, query.order);
    return new PagedBody({ assets: slice.items.map(presentListedAsset) }, page, slice);
  }
}
