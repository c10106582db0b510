import { operationsTagged } from '../../../platform/http/operation';
import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { PageQuery } from '../../../platform/http/page-query';
import { DEFAULT_OVERLAP_HOURS } from '../../../kernel/overlap';
import { ApiKeyListResponse, ApiKeyResponse, apiKeyExample } from './api-key.responses';

const operation = operationsTagged('API keys');

const { label, scopes, organization_id } = apiKeyExample;
const secret = 'as_Zx4OCW65_FOK382SdQcUUhzpYSTTV4sqz-oXGAFY2yA2TkJ9W';

export const listApiKeys = operation('GET /v1/api-keys/', {
  id: 'listApiKeys',
  summary: 'List your API keys',
  description:
    'Also those that are revoked or have expired. A key that is limited to an organization lists only keys with the same limit.',
  role: 'any',
  query: PageQuery,
  success: {
    description: 'The keys of the calling user, newest first, without secrets.',
    body: ApiKeyListResponse,
    example: { api_keys: [apiKeyExample] },
    paged: true,
  },
});

export const createApiKey = operation('POST /v1/api-keys/', {
  id: 'createApiKey',
  summary: 'Create an API key',
  description:
    'Only this response contains the secret, so store it now. The key cannot do more than the key of this request, ends with it at the latest, and is revoked with it. A user has at most 50 usable keys.',
  role: 'any',
  body: { example: { label, scopes, organization_id, expires: '2026-04-30T12:00:00Z' } },
  success: {
    status: 201,
    description: 'The key, with its secret.',
    body: ApiKeyResponse,
    example: { ...apiKeyExample, secret },
    secrets: ['secret'],
  },
  errors: [400, 401, 403, 404, 422],
  audit: { operation: 'api_key.create', resource: 'api_key' },
});

export const rotateApiKey = operation('POST /v1/api-keys/{key_id}/rotate', {
  id: 'rotateApiKey',
  summary: 'Replace the secret of an API key',
  description:
    'The access key stays the same. The old secret is valid for the overlap, in which it can neither create nor rotate keys. A key can rotate itself and the keys that it created. After a leak, revoke the key instead.',
  role: 'any',
  body: { example: { overlap_hours: DEFAULT_OVERLAP_HOURS } },
  success: {
    description: 'The key, with its new secret.',
    body: ApiKeyResponse,
    example: { ...apiKeyExample, previous_secret_expires: '2026-02-01T12:00:00.000Z', secret },
    secrets: ['secret'],
  },
  errors: [400, 401, 403, 404, 409],
  audit: { operation: 'api_key.rotate', resource: 'api_key', id: 'key_id' },
});

export const narrowApiKey = operation('PATCH /v1/api-keys/{key_id}', {
  id: 'narrowApiKey',
  summary: 'Take scopes from an API key',
  description:
    'A key never gets more scopes. `suggested_scopes` has those that it needs. Keys that it created keep their scopes.',
  role: 'any',
  body: { example: { scopes: ['ci'] } },
  success: { description: 'The key after the change.', body: ApiKeyResponse, example: apiKeyExample },
  errors: [400, 401, 403, 404, 409, 422],
  audit: { operation: 'api_key.narrow', resource: 'api_key', id: 'key_id' },
});

export const revokeApiKey = operation('DELETE /v1/api-keys/{key_id}', {
  id: 'revokeApiKey',
  summary: 'Revoke an API key, and all keys that it created',
  description: 'Every process refuses them within five seconds.',
  role: 'any',
  success: {
    description: 'The key was revoked.',
    body: Acknowledgement,
    example: { code: 200, description: 'API key revoked.', id: 8, success: true },
  },
  errors: [401, 403, 404, 409],
  audit: { operation: 'api_key.revoke', resource: 'api_key', id: 'key_id' },
});
