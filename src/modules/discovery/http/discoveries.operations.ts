import { operationsTagged } from '../../../platform/http/operation';
import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { PageQuery } from '../../../platform/http/page-query';
import {
  AddedCandidatesResponse,
  DiscoveryDetailsResponse,
  DiscoveryListResponse,
  DiscoveryResponse,
} from './discovery.responses';

const operation = operationsTagged('Beacons');

const example = {
  uuid: '0c1f6f0e-3a55-4a0b-8b57-6f2f4f3f9d21',
  beacon_id: 4,
  status: 'FINISHED',
  error: null,
  cidrs: ['10.20.0.0/24'],
  ports: [22, 80, 443],
  hosts_total: 254,
  hosts_tried: 254,
  hosts_skipped: 0,
  hosts_answered: 1,
  created: '2026-01-31T12:00:00.000Z',
  started: '2026-01-31T12:00:01.000Z',
  finished: '2026-01-31T12:00:37.000Z',
};

const newExample = {
  ...example,
  status: 'PENDING',
  hosts_tried: 0,
  hosts_answered: 0,
  started: null,
  finished: null,
};

export const startDiscovery = operation('POST /v1/organizations/{organization_id}/beacons/{beacon_id}/discover', {
  id: 'startDiscovery',
  summary: 'Search for hosts in the network of a beacon',
  description:
    'Tries to connect to a few ports of each private address in the CIDRs of the beacon, at most 50 connections a second, for at most 90 minutes. The agent of the beacon must be connected. A beacon has one running discovery, of at most 4,096 hosts and 20 ports, and its last 10 are kept.',
  role: 'admin',
  body: { example: { ports: [22, 80, 443], cidrs: ['10.20.0.0/24'] } },
  success: {
    status: 202,
    description: 'The discovery waits for a worker.',
    body: DiscoveryResponse,
    example: newExample,
    location: ({ uuid, beacon_id }: DiscoveryResponse, params) =>
      `/v1/organizations/${params['organization_id']}/beacons/${beacon_id}/discoveries/${uuid}`,
  },
  errors: [400, 401, 403, 404, 409, 422],
  audit: { operation: 'beacon.discover', resource: 'beacon', id: 'beacon_id' },
});

export const listDiscoveries = operation('GET /v1/organizations/{organization_id}/beacons/{beacon_id}/discoveries/', {
  id: 'listDiscoveries',
  summary: 'List the discoveries of a beacon',
  role: 'viewer',
  query: PageQuery,
  success: {
    description: 'The discoveries, newest first.',
    body: DiscoveryListResponse,
    example: { discoveries: [example] },
    paged: true,
  },
});

export const getDiscovery = operation(
  'GET /v1/organizations/{organization_id}/beacons/{beacon_id}/discoveries/{discovery_uuid}',
  {
    id: 'getDiscovery',
    summary: 'Read a discovery with the hosts that answered',
    description: 'While it runs, it shows its progress and the hosts that have answered so far.',
    role: 'viewer',
    scope: 'read',
    success: {
      description: 'The discovery.',
      body: DiscoveryDetailsResponse,
      example: { ...example, candidates: [{ address: '10.20.0.7', ports: [22, 443], asset_id: null }] },
    },
  },
);

export const cancelDiscovery = operation(
  'POST /v1/organizations/{organization_id}/beacons/{beacon_id}/discoveries/{discovery_uuid}/cancel',
  {
    id: 'cancelDiscovery',
    summary: 'Cancel a discovery',
    description:
      'A running discovery stops within two seconds and keeps what it has found. Canceling it again changes nothing.',
    role: 'admin',
    scope: 'write',
    success: {
      description: 'The discovery is canceled.',
      body: Acknowledgement,
      example: { code: 200, description: 'Discovery canceled.', id: null, success: true },
    },
    errors: [401, 403, 404, 409],
    audit: { operation: 'beacon.discovery_cancel', resource: 'beacon', id: 'beacon_id' },
  },
);

export const addDiscoveredAssets = operation(
  'POST /v1/organizations/{organization_id}/beacons/{beacon_id}/discoveries/{discovery_uuid}/assets',
  {
    id: 'addDiscoveredAssets',
    summary: 'Add hosts that answered as assets',
    description:
      'Adds up to 500 candidates as assets behind the beacon, and returns a result for each. One that is refused does not undo the others. Each new asset has an audit entry of its own. If the response is lost, send the request again: assets that exist stay as they are.',
    role: 'member',
    scope: 'write',
    body: { example: { addresses: ['10.20.0.7'] } },
    success: {
      description: 'The result of each address.',
      body: AddedCandidatesResponse,
      example: {
        added: 1,
        refused: 0,
        remaining: 0,
        results: [{ address: '10.20.0.7', result: 'added', asset_id: 42, status: null, error: null }],
      },
    },
    audit: { operation: 'beacon.add_discovered_assets', resource: 'beacon', id: 'beacon_id' },
  },
);
