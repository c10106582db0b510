import { operationsTagged } from '../../../platform/http/operation';
import { PageQuery } from '../../../platform/http/page-query';
import { DEFAULT_OVERLAP_HOURS } from '../../../kernel/overlap';
import { BeaconListResponse, BeaconReportResponse, BeaconResponse, OneTimeTokenResponse } from './beacon.responses';

const operation = operationsTagged('Beacons');

const settings = {
  name: 'office-berlin',
  allowed_cidrs: ['10.20.0.0/16', 'fd00:20::/48'],
  dns_server: '10.20.0.53',
};

const example = {
  id: 4,
  ...settings,
  interface_name: 'eth0',
  status: 1,
  connected: true,
  agent_version: '0.1.0',
  observe: true,
  last_seen: '2026-01-31T12:05:00.000Z',
  created: '2026-01-31T12:00:00.000Z',
  version: 1,
  beacon_token: null,
  rathole_server: 'tunnel.example.com:2333',
  rathole_public_port: 20417,
  wireguard_config: null,
};

const newExample = {
  ...example,
  status: 0,
  connected: false,
  agent_version: null,
  last_seen: example.created,
  beacon_token: 'ab_R29vZCB0b2tlbnMgYXJlIHJhbmRvbTsgdGhpcyBub3Q',
  wireguard_config: '[Interface]\nPrivateKey = …\nListenPort = 51820\n',
};

export const createBeacon = operation('POST /v1/organizations/{organization_id}/beacons/', {
  number: 19,
  id: 'createBeacon',
  summary: 'Create a beacon',
  description:
    'A beacon connects a private network. Only this response contains its token and its WireGuard configuration, so store them now. An organization has at most 50 beacons.',
  role: 'admin',
  body: { example: { ...settings, interface_name: 'eth0' } },
  success: {
    status: 201,
    description: 'The beacon, with its secrets.',
    body: BeaconResponse,
    example: newExample,
    secrets: ['beacon_token', 'wireguard_config'],
    location: ({ id }: BeaconResponse, params) => `/v1/organizations/${params['organization_id']}/beacons/${id}`,
  },
  errors: [400, 401, 403, 404, 409, 422],
  audit: { operation: 'beacon.create', resource: 'beacon' },
});

export const listBeacons = operation('GET /v1/organizations/{organization_id}/beacons/', {
  id: 'listBeacons',
  summary: 'List the beacons of an organization',
  role: 'viewer',
  query: PageQuery,
  success: {
    description: 'The beacons, newest first.',
    body: BeaconListResponse,
    example: { beacons: [example] },
    paged: true,
  },
});

export const getBeacon = operation('GET /v1/organizations/{organization_id}/beacons/{beacon_id}', {
  id: 'getBeacon',
  summary: 'Read a beacon',
  role: 'viewer',
  entityTag: true,
  success: { description: 'The beacon.', body: BeaconResponse, example },
});

export const changeBeacon = operation('PATCH /v1/organizations/{organization_id}/beacons/{beacon_id}', {
  number: 20,
  id: 'changeBeacon',
  summary: 'Change the name, the CIDRs or the DNS server of a beacon',
  description:
    'Omitted fields do not change. Null does not change `name` and `allowed_cidrs`, and removes `dns_server`. Each change increments the version.',
  role: 'admin',
  body: { example: { allowed_cidrs: ['10.20.0.0/16'], dns_server: null } },
  ifMatch: 'getBeacon',
  success: { description: 'The beacon after the change.', body: BeaconResponse, example },
  errors: [400, 401, 403, 404, 409],
  audit: { operation: 'beacon.change', resource: 'beacon', id: 'beacon_id' },
});

export const deleteBeacon = operation('DELETE /v1/organizations/{organization_id}/beacons/{beacon_id}', {
  number: 21,
  id: 'deleteBeacon',
  summary: 'Delete a beacon and all its assets',
  role: 'admin',
  ifMatch: 'getBeacon',
  success: { status: 204, description: 'The beacon and its assets were deleted.' },
  audit: { operation: 'beacon.delete', resource: 'beacon', id: 'beacon_id' },
});

export const reportBeacon = operation('POST /v1/beacons/report', {
  id: 'reportBeacon',
  summary: 'Report as a beacon',
  description:
    'A beacon sends a report every 300 seconds and gets its configuration. Its first report, and the first report after missed ones, set its status to online.',
  role: 'any',
  credentials: 'beacon',
  body: { example: { version: 1, interfaces: ['eth0', 'wg0'] } },
  success: {
    description: 'The configuration of the beacon.',
    body: BeaconReportResponse,
    example: { allowed_cidrs: settings.allowed_cidrs, version: 1 },
  },
  errors: [400, 401],
});

export const connectBeacon = operation('GET /v1/beacons/connect', {
  id: 'connectBeacon',
  summary: 'Connect as the agent of a beacon',
  description:
    'A WebSocket with the subprotocol `assay.beacon.1`, which the program assay-beacon opens. The service tests targets in the networks of the beacon through it. Without a WebSocket the response is a 426.',
  role: 'any',
  scope: 'write',
  credentials: 'beacon',
  success: { status: 101, description: 'The connection is a WebSocket.' },
  errors: [401],
});

export const rotateBeaconToken = operation('POST /v1/organizations/{organization_id}/beacons/{beacon_id}/token', {
  id: 'rotateBeaconToken',
  summary: 'Replace the token of a beacon',
  description:
    'The old token is valid for the overlap. When it ends, agents that use it are disconnected within 5 seconds. After a leak, set `overlap_hours` to 0.',
  role: 'admin',
  body: { example: { overlap_hours: DEFAULT_OVERLAP_HOURS } },
  success: {
    description: 'The beacon, with its new token.',
    body: BeaconResponse,
    example: { ...newExample, status: 1, wireguard_config: null, version: 1 },
    secrets: ['beacon_token'],
  },
  audit: { operation: 'beacon.rotate_token', resource: 'beacon', id: 'beacon_id' },
});

const oneTimeToken = (prefix: string) => ({
  status: 201 as const,
  description: 'The token.',
  body: OneTimeTokenResponse,
  example: { token: `${prefix}_4_R29vZCB0b2tlbnMgYXJlIHJhbmRvbTsgdGhpcyBub3Q`, until: '2026-01-31T13:00:00.000Z' },
  secrets: ['token'],
});

export const createBeaconRegistration = operation(
  'POST /v1/organizations/{organization_id}/beacons/{beacon_id}/registration',
  {
    id: 'createBeaconRegistration',
    summary: 'Create a registration token for a beacon',
    description:
      'One agent registers with it, within an hour, and gets a token of its own. The earlier token of the beacon ends then. Another registration token ends this one.',
    role: 'admin',
    success: oneTimeToken('ar'),
    audit: { operation: 'beacon.create_registration', resource: 'beacon', id: 'beacon_id' },
  },
);

export const createBeaconDeletion = operation('POST /v1/organizations/{organization_id}/beacons/{beacon_id}/deletion', {
  id: 'createBeaconDeletion',
  summary: 'Create a deletion token for a beacon',
  description:
    'With it, the beacon and its assets can be deleted within an hour, for example while its chart is uninstalled. Another deletion token ends this one.',
  role: 'admin',
  success: oneTimeToken('ad'),
  audit: { operation: 'beacon.create_deletion', resource: 'beacon', id: 'beacon_id' },
});

export const registerBeacon = operation('POST /v1/beacons/register', {
  id: 'registerBeacon',
  summary: 'Register as the agent of a beacon',
  description:
    'Sets the token of the beacon. The same request can be repeated until the registration token ends; another one with it is a 409. The networks of the beacon can only become smaller.',
  role: 'any',
  credentials: 'registration',
  body: { example: { beacon_token: newExample.beacon_token, name: settings.name, networks: ['10.20.0.0/16'] } },
  success: {
    description: 'The configuration of the beacon.',
    body: BeaconReportResponse,
    example: { allowed_cidrs: ['10.20.0.0/16'], version: 2 },
  },
  errors: [400, 401, 409, 422],
  audit: { operation: 'beacon.register', resource: 'beacon' },
});

export const deleteOwnBeacon = operation('DELETE /v1/beacons/self', {
  id: 'deleteOwnBeacon',
  summary: 'Delete a beacon and all its assets with its deletion token',
  role: 'any',
  credentials: 'deletion',
  success: { status: 204, description: 'The beacon and its assets were deleted.' },
  errors: [401],
  audit: { operation: 'beacon.delete', resource: 'beacon' },
});
