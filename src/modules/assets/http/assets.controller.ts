import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, created, deleted } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { AssetDetailsService } from '../asset-details.service';
import { AssetsService } from '../assets.service';
import { ChangeAssetRequest, CreateAssetRequest, ListAssetsQuery, changeOfAsset } from './asset.requests';
import {
  AssetListResponse,
  AssetResponse,
  ShortAssetResponse,
  assetExample,
  listedAssetExample,
  presentAsset,
  presentListedAsset,
  presentShortAsset,
  shortAssetExample,
} from './asset.responses';

@Controller()
export class AssetsController {
  constructor(
    private readonly assets: AssetsService,
    private readonly details: AssetDetailsService,
  ) {}

  @Operation('GET /v1/assets/{asset_id}', {
    number: 10,
    id: 'getAsset',
    tag: 'Assets',
    summary: 'Read an asset with its newest findings',
    role: 'viewer',
    scope: 'read',
    entityTag: true,
    success: { description: 'The asset.', body: AssetResponse, example: assetExample },
  })
  async get(@CurrentCaller() caller: Caller, @PathId('asset_id') id: number): Promise<AssetResponse> {
    return presentAsset(await this.details.get(caller.scope, id));
  }

  @Operation('DELETE /v1/assets/{asset_id}', {
    number: 11,
    id: 'deleteAsset',
    tag: 'Assets',
    summary: 'Delete an asset',
    description:
      'Its findings stay, with `asset_id` null. The asset is removed from the scope of every event. Refused while a worker tests it.',
    role: 'admin',
    scope: 'write',
    ifMatch: 'getAsset',
    success: {
      description: 'The asset was deleted.',
      body: Acknowledgement,
      example: { code: 200, description: 'Asset deleted.', id: 42, success: true },
    },
    errors: [401, 403, 404, 409],
    audit: { operation: 'asset.delete', resource: 'asset', id: 'asset_id' },
  })
  async delete(@CurrentCaller() caller: Caller, @PathId('asset_id') id: number): Promise<Acknowledgement> {
    await this.assets.delete(caller, id);
    return deleted('Asset', id);
  }

  @Operation('POST /v1/assets/', {
    number: 12,
    id: 'createAsset',
    tag: 'Assets',
    summary: 'Add an asset',
    description:
      'Its value is stored in canonical form (lower case, ASCII, canonical addresses). It is unique in the organization for each beacon. The largest block is a /16, or a /48 in IPv6.',
    role: 'member',
    scope: 'write',
    body: {
      example: {
        organization_id: null,
        asset_value: 'www.example.com',
        asset_type: 'domain',
        beacon_id: null,
        tier: 1,
      },
    },
    success: {
      status: 201,
      description: 'The asset was added.',
      body: Acknowledgement,
      example: { code: 201, description: 'Asset created.', id: 42, success: true },
      location: ({ id }: Acknowledgement) => `/v1/assets/${id}`,
    },
    errors: [400, 401, 403, 404, 409, 422],
    audit: { operation: 'asset.create', resource: 'asset' },
  })
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateAssetRequest): Promise<Acknowledgement> {
    const id = await this.assets.create(caller, {
      organizationId: body.organization_id ?? null,
      value: body.asset_value,
      type: body.asset_type,
      beaconId: body.beacon_id ?? null,
      tier: body.tier ?? null,
      purl: body.purl ?? null,
      cpe: body.cpe ?? null,
    });
    return created('Asset', id);
  }

  @Operation('PATCH /v1/assets/{asset_id}', {
    id: 'changeAsset',
    tag: 'Assets',
    summary: 'Change the tier or the product of an asset',
    description: 'Omitted fields do not change, and null removes a value. The asset keeps its value and type.',
    role: 'member',
    scope: 'write',
    body: { example: { purl: 'pkg:npm/%40example/shop@4.2.0' } },
    ifMatch: 'getAsset',
    success: { description: 'The asset after the change.', body: AssetResponse, example: assetExample },
    audit: { operation: 'asset.change', resource: 'asset', id: 'asset_id' },
  })
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') id: number,
    @Body() body: ChangeAssetRequest,
  ): Promise<AssetResponse> {
    await this.assets.change(caller, id, changeOfAsset(body));
    return presentAsset(await this.details.get(caller.scope, id));
  }

  @Operation('GET /v1/organizations/{organization_id}/assets/{asset_id}', {
    number: 13,
    id: 'getOrganizationAsset',
    tag: 'Assets',
    summary: 'Read the summary of an asset of an organization',
    role: 'viewer',
    scope: 'read',
    success: { description: 'The asset.', body: ShortAssetResponse, example: shortAssetExample },
  })
  async getShort(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('asset_id') id: number,
  ): Promise<ShortAssetResponse> {
    return presentShortAsset(await this.assets.getIn(caller.scope, organizationId, id));
  }

  @Operation('GET /v1/organizations/{organization_id}/assets/', {
    id: 'listAssets',
    tag: 'Assets',
    summary: 'List the assets of an organization',
    role: 'viewer',
    scope: 'read',
    query: ListAssetsQuery,
    success: {
      description: 'The assets, newest first.',
      body: AssetListResponse,
      example: { assets: [listedAssetExample] },
      paged: true,
    },
  })
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @Query() query: ListAssetsQuery,
  ): Promise<PagedBody<AssetListResponse>> {
    const page = query.slice;
    const { type, tier, q } = query;
    const slice = await this.details.listFor(caller.scope, organizationId, { type, tier, q }, page);
    return new PagedBody({ assets: slice.items.map(presentListedAsset) }, page, slice);
  }
}
