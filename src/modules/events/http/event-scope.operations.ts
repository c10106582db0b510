import { operationsTagged } from '../../../platform/http/operation';
import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { ListScopeQuery } from './event-scope.requests';
import { EventScopeResponse, ScopeAssetResponse, scopeAssetExample } from './event-scope.responses';

const operation = operationsTagged('Events');

export const getEventScope = operation('GET /v1/events/{event_slug}/scope', {
  id: 'getEventScope',
  summary: 'Read the scope of an event',
  description:
    'The assets that may be tested and those that must not be. By default a page has 100 assets of both kinds together, newest first.',
  role: 'viewer',
  query: ListScopeQuery,
  success: {
    description: 'The assets, in scope and out of it.',
    body: EventScopeResponse,
    example: { in_scope: { assets: [scopeAssetExample] }, out_of_scope: { assets: [] } },
    paged: true,
  },
});

export const addScopeAsset = operation('POST /v1/events/{event_slug}/scope/assets/', {
  id: 'addScopeAsset',
  summary: 'Add an asset to the scope of an event, or exclude it',
  role: 'admin',
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
});

export const getScopeAsset = operation('GET /v1/events/{event_slug}/scope/assets/{asset_id}', {
  number: 8,
  id: 'getScopeAsset',
  summary: 'Read an asset in the scope of an event',
  role: 'viewer',
  entityTag: true,
  success: { description: 'The asset.', body: ScopeAssetResponse, example: scopeAssetExample },
});

export const removeScopeAsset = operation('DELETE /v1/events/{event_slug}/scope/assets/{asset_id}', {
  number: 9,
  id: 'removeScopeAsset',
  summary: 'Remove an asset from the scope of an event',
  description: 'The asset itself is not deleted. Refused while a worker tests it in this event.',
  role: 'admin',
  ifMatch: 'getScopeAsset',
  success: {
    description: 'The asset was removed from the list.',
    body: Acknowledgement,
    example: { code: 200, description: 'Scope asset deleted.', id: 42, success: true },
  },
  errors: [401, 403, 404, 409],
  audit: { operation: 'scope_asset.delete', resource: 'scope_asset', id: 'asset_id' },
});
