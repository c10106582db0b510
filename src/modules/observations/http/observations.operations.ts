import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { operationsTagged } from '../../../platform/http/operation';
import { PageQuery } from '../../../platform/http/page-query';
import { ListAssetChangesQuery, ListChangesQuery } from './observation.requests';
import { AssetObservationResponse, ObservationResponse, ObservationSettingsResponse } from './observation.responses';
import { AssetChangeListResponse, ObservedHostListResponse } from './observed-host.responses';

const operation = operationsTagged('Assets');
const setting = operationsTagged('Settings');

const example = {
  uuid: '7d6d2c0a-9a53-4a0b-8b57-6f2f4f3f9d21',
  asset_id: 42,
  status: 'FINISHED',
  cause: 'request',
  error: null,
  note: null,
  hosts: 1,
  open_ports: 2,
  changes: 1,
  not_stored: 0,
  created: '2026-01-31T12:00:00.000Z',
  started: '2026-01-31T12:00:01.000Z',
  finished: '2026-01-31T12:00:09.000Z',
};

const newExample = {
  ...example,
  status: 'PENDING',
  hosts: 0,
  open_ports: 0,
  changes: 0,
  started: null,
  finished: null,
};

const stateExample = {
  observe: true,
  observe_ports: null,
  reason: null,
  addresses: ['192.0.2.7', '2001:db8::7'],
  aliases: ['example.github.io'],
  hosted_by: 'GitHub Pages',
  hosted_target: 'example.github.io',
  limited: true,
  own_target: null,
  permitted_target: null,
  block: null,
  last_observed: '2026-01-31T12:00:09.000Z',
  next_observation: '2026-02-01T12:00:00.000Z',
};

const hostExample = {
  id: 9,
  address: '192.0.2.7',
  gone: false,
  first_seen: '2026-01-30T12:00:09.000Z',
  last_seen: '2026-01-31T12:00:09.000Z',
  ports: [
    {
      port: 443,
      state: 'open',
      service: 'https',
      security: 'tls',
      certificate: {
        subject: 'CN=www.example.com',
        issuer: "CN=R11, O=Let's Encrypt",
        names: 'DNS:www.example.com',
        sha256: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
        key_type: 'EC',
        key_bits: 256,
        valid_from: '2026-01-01T00:00:00.000Z',
        valid_until: '2026-04-01T00:00:00.000Z',
      },
      technologies: [
        {
          name: 'nginx',
          vendor: 'F5',
          version: '1.28.0',
          os: '',
          cpe: '',
          source: 'Server header of https://www.example.com/',
        },
      ],
      first_seen: '2026-01-30T12:00:09.000Z',
      last_seen: '2026-01-31T12:00:09.000Z',
    },
  ],
};

const changeExample = {
  id: '019aa3f4-5c00-7c3e-9d0b-4f6f0e6b1a2c',
  asset_id: 42,
  seen: '2026-01-31T12:00:09.000Z',
  kind: 'version_changed',
  address: '192.0.2.7',
  port: 443,
  before: { name: 'nginx', vendor: 'F5', version: '1.26.2' },
  after: { name: 'nginx', vendor: 'F5', version: '1.28.0' },
};

export const startObservation = operation('POST /v1/assets/{asset_id}/observe', {
  id: 'startObservation',
  summary: 'Observe an asset now',
  description:
    'Looks up its addresses, and tells its ports, services, technologies and certificates. What may not be tested is a 422 with the reason. An organization has at most 50 unfinished observations, and an asset one. A block is first searched on 8 ports, at most 4,096 addresses a day, and only hosts that answer are looked at.',
  role: 'member',
  limit: 'launch',
  success: {
    status: 202,
    description: 'The observation waits for a worker.',
    body: ObservationResponse,
    example: newExample,
    location: ({ uuid }: ObservationResponse) => `/v1/observations/${uuid}`,
  },
  errors: [401, 403, 404, 409, 422],
  audit: { operation: 'asset.observe', resource: 'asset', id: 'asset_id' },
});

export const getObservation = operation('GET /v1/observations/{observation_uuid}', {
  id: 'getObservation',
  summary: 'Read an observation',
  description: 'Observations are kept for 30 days, and what they showed for longer.',
  role: 'viewer',
  success: { description: 'The observation.', body: ObservationResponse, example },
});

export const cancelObservation = operation('POST /v1/observations/{observation_uuid}/cancel', {
  id: 'cancelObservation',
  summary: 'Cancel an observation',
  description: 'A running observation stops within two seconds. Canceling it again changes nothing.',
  role: 'member',
  success: {
    description: 'The observation is canceled.',
    body: Acknowledgement,
    example: { code: 200, description: 'Observation canceled.', id: null, success: true },
  },
  errors: [401, 403, 404, 409],
  audit: { operation: 'asset.observation_cancel', resource: 'observation', id: 'observation_uuid' },
});

export const getAssetObservation = operation('GET /v1/assets/{asset_id}/observation', {
  id: 'getAssetObservation',
  summary: 'Read how an asset is observed, and who runs its host',
  role: 'viewer',
  entityTag: true,
  success: { description: 'How it is observed.', body: AssetObservationResponse, example: stateExample },
});

export const changeAssetObservation = operation('PATCH /v1/assets/{asset_id}/observation', {
  id: 'changeAssetObservation',
  summary: 'Change how an asset is observed',
  description:
    'Omitted fields do not change. While someone else runs the host, only ports 80 and 443 are tried, until an admin confirms its `hosted_target` as your own or as permitted.',
  role: 'admin',
  body: { example: { observe_ports: '22,80,443' } },
  ifMatch: 'getAssetObservation',
  success: {
    description: 'How it is observed after the change.',
    body: AssetObservationResponse,
    example: stateExample,
  },
  errors: [400, 401, 403, 404, 422],
  audit: { operation: 'asset.observation_change', resource: 'asset', id: 'asset_id' },
});

export const getObservationSettings = setting('GET /v1/organizations/{organization_id}/settings/observation', {
  id: 'getObservationSettings',
  summary: 'Read whether the assets of an organization are observed',
  role: 'viewer',
  scope: 'read',
  entityTag: true,
  success: {
    description: 'The setting.',
    body: ObservationSettingsResponse,
    example: { enabled: true, every_hours: null },
  },
});

export const changeObservationSettings = setting('PUT /v1/organizations/{organization_id}/settings/observation', {
  id: 'changeObservationSettings',
  summary: 'Set whether and how often the assets of an organization are observed',
  description:
    'When observation is turned on, the first round is spread over a week. Beacons have a setting of their own.',
  role: 'admin',
  scope: 'write',
  body: { example: { enabled: true, every_hours: 24 } },
  ifMatch: 'getObservationSettings',
  success: {
    description: 'The setting.',
    body: ObservationSettingsResponse,
    example: { enabled: true, every_hours: 24 },
  },
  audit: { operation: 'settings.observation_change', resource: 'settings' },
});

export const listObservedHosts = operation('GET /v1/assets/{asset_id}/hosts', {
  id: 'listObservedHosts',
  summary: 'List the hosts of an asset with their ports and services',
  role: 'viewer',
  query: PageQuery,
  success: {
    description: 'The hosts, newest first.',
    body: ObservedHostListResponse,
    example: { hosts: [hostExample] },
    paged: true,
  },
});

export const listAssetChanges = operation('GET /v1/assets/{asset_id}/changes', {
  id: 'listAssetChanges',
  summary: 'List what has changed on an asset',
  description:
    'The differences between its observations of the last 400 days. A port counts as closed, and a host as gone, after two observations.',
  role: 'viewer',
  query: ListAssetChangesQuery,
  success: {
    description: 'The changes, newest first.',
    body: AssetChangeListResponse,
    example: { changes: [changeExample] },
    paged: true,
  },
});

export const listChanges = operation('GET /v1/organizations/{organization_id}/changes', {
  id: 'listChanges',
  summary: 'List what has changed on the assets of an organization',
  role: 'viewer',
  query: ListChangesQuery,
  success: {
    description: 'The changes, newest first.',
    body: AssetChangeListResponse,
    example: { changes: [changeExample] },
    paged: true,
  },
});
