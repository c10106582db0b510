import { operationsTagged } from '../../../platform/http/operation';
import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { ListAssetsQuery } from './asset.requests';
import {
  AssetListResponse,
  AssetResponse,
  ShortAssetResponse,
  assetExample,
  listedAssetExample,
  shortAssetExample,
} from './asset.responses';

const operation = operationsTagged('Assets');

export const getAsset = operation('GET /v1/assets/{asset_id}', {
  number: 10,
  id: 'getAsset',
  summary: 'Read an asset with its newest findings',
  role: 'viewer',
  entityTag: true,
  success: { description: 'The asset.', body: AssetResponse, example: assetExample },
});

export const deleteAsset = operation('DELETE /v1/assets/{asset_id}', {
  number: 11,
  id: 'deleteAsset',
  summary: 'Delete an asset',
  description:
    'Its findings stay, with `asset_id` null. The asset is removed from the scope of every event. Refused while a worker tests it.',
  role: 'admin',
  ifMatch: 'getAsset',
  success: {
    description: 'The asset was deleted.',
    body: Acknowledgement,
    example: { code: 200, description: 'Asset deleted.', id: 42, success: true },
  },
  errors: [401, 403, 404, 409],
  audit: { operation: 'asset.delete', resource: 'asset', id: 'asset_id' },
});

export const createAsset = operation('POST /v1/assets/', {
  number: 12,
  id: 'createAsset',
  summary: 'Add an asset',
  description:
    'Its value is stored in canonical form (lower case, ASCII, canonical addresses). It is unique in the organization for each beacon. The largest block is a /16, or a /48 in IPv6.',
  role: 'member',
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
});

export const changeAsset = operation('PATCH /v1/assets/{asset_id}', {
  id: 'changeAsset',
  summary: 'Change an asset',
  description: 'Omitted fields do not change, and null removes a value. The asset keeps its value and type.',
  role: 'member',
  body: { example: { purl: 'pkg:npm/%40example/shop@4.2.0' } },
  ifMatch: 'getAsset',
  otherErrors: {
    422: 'active_tests cannot be read_only: www.example.com is hosted elsewhere, at sites.example.net (Example Hosting). First confirm that the host is yours, or that its operator permits more.',
  },
  success: { description: 'The asset after the change.', body: AssetResponse, example: assetExample },
  audit: { operation: 'asset.change', resource: 'asset', id: 'asset_id' },
});

export const getOrganizationAsset = operation('GET /v1/organizations/{organization_id}/assets/{asset_id}', {
  number: 13,
  id: 'getOrganizationAsset',
  summary: 'Read the summary of an asset of an organization',
  role: 'viewer',
  success: { description: 'The asset.', body: ShortAssetResponse, example: shortAssetExample },
});

export const listAssets = operation('GET /v1/organizations/{organization_id}/assets/', {
  id: 'listAssets',
  summary: 'List the assets of an organization',
  role: 'viewer',
  query: ListAssetsQuery,
  success: {
    description: 'The assets, newest first.',
    body: AssetListResponse,
    example: { assets: [listedAssetExample] },
    paged: true,
  },
});
