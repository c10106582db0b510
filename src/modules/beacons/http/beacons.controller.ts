import { Body, Controller, Query, Req, Res } from '@nestjs/common';
import type { ApiRequest, ApiResponse } from '../../../platform/api/api-request';
import type { Caller } from '../../../platform/api/caller';
import { Config } from '../../../platform/config/load-config';
import { CurrentBeacon, CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { PageQuery } from '../../../platform/http/page-query';
import { BeaconReportsService, type ReportingBeacon } from '../beacon-reports.service';
import { DEFAULT_OVERLAP_HOURS } from '../../../kernel/overlap';
import { BeaconsService, type BeaconView } from '../beacons.service';
import { AgentConnections } from '../connections/agent-connections';
import {
  ChangeBeaconRequest,
  CreateBeaconRequest,
  ReportBeaconRequest,
  RotateBeaconTokenRequest,
  changeOf,
  reportOf,
  settingsOf,
} from './beacon.requests';
import {
  BeaconListResponse,
  BeaconReportResponse,
  BeaconResponse,
  presentBeacon,
  presentConfiguration,
} from './beacon.responses';

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
  beacon_token: 'ab_R29vZCB0b2tlbnMgYXJlIHJhbmRvbTsgdGhpcyBpcyBub3Q',
  wireguard_config: '[Interface]\nPrivateKey = …\nListenPort = 51820\n',
};

@Controller()
export class BeaconsController {
  constructor(
    private readonly beacons: BeaconsService,
    private readonly reports: BeaconReportsService,
    private readonly agents: AgentConnections,
    private readonly config: Config,
  ) {}

  @Operation('POST /v1/organizations/{organization_id}/beacons/', {
    number: 19,
    id: 'createBeacon',
    tag: 'Beacons',
    summary: 'Create a beacon',
    description:
      'A beacon connects a private network. Only this response contains its token and its WireGuard configuration, so store them now. An organization has at most 50 beacons.',
    role: 'admin',
    scope: 'write',
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
  })
  async create(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @Body() body: CreateBeaconRequest,
  ): Promise<BeaconResponse> {
    const { beacon, secrets } = await this.beacons.create(caller, organizationId, settingsOf(body));
    return presentBeacon(beacon, this.config.BEACON_RATHOLE_SERVER, secrets);
  }

  @Operation('GET /v1/organizations/{organization_id}/beacons/', {
    id: 'listBeacons',
    tag: 'Beacons',
    summary: 'List the beacons of an organization',
    role: 'viewer',
    scope: 'read',
    query: PageQuery,
    success: {
      description: 'The beacons, newest first.',
      body: BeaconListResponse,
      example: { beacons: [example] },
      paged: true,
    },
  })
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @Query() query: PageQuery,
  ): Promise<PagedBody<BeaconListResponse>> {
    const page = query.slice;
    const slice = await this.beacons.list(caller.scope, organizationId, page);
    return new PagedBody({ beacons: slice.items.map((item) => this.present(item)) }, page, slice);
  }

  @Operation('GET /v1/organizations/{organization_id}/beacons/{beacon_id}', {
    id: 'getBeacon',
    tag: 'Beacons',
    summary: 'Read a beacon',
    role: 'viewer',
    scope: 'read',
    entityTag: true,
    success: { description: 'The beacon.', body: BeaconResponse, example },
  })
  async get(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('beacon_id') beaconId: number,
  ): Promise<BeaconResponse> {
    return this.present(await this.beacons.get(caller.scope, organizationId, beaconId));
  }

  @Operation('PATCH /v1/organizations/{organization_id}/beacons/{beacon_id}', {
    number: 20,
    id: 'changeBeacon',
    tag: 'Beacons',
    summary: 'Change the name, the CIDRs or the DNS server of a beacon',
    description:
      'Omitted fields do not change. Null does not change `name` and `allowed_cidrs`, and removes `dns_server`. Each change increments the version.',
    role: 'admin',
    scope: 'write',
    body: { example: { allowed_cidrs: ['10.20.0.0/16'], dns_server: null } },
    ifMatch: 'getBeacon',
    success: { description: 'The beacon after the change.', body: BeaconResponse, example },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'beacon.change', resource: 'beacon', id: 'beacon_id' },
  })
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('beacon_id') beaconId: number,
    @Body() body: ChangeBeaconRequest,
  ): Promise<BeaconResponse> {
    return this.present(await this.beacons.change(caller, organizationId, beaconId, changeOf(body)));
  }

  @Operation('DELETE /v1/organizations/{organization_id}/beacons/{beacon_id}', {
    number: 21,
    id: 'deleteBeacon',
    tag: 'Beacons',
    summary: 'Delete a beacon and all its assets',
    role: 'admin',
    scope: 'write',
    ifMatch: 'getBeacon',
    success: { status: 204, description: 'The beacon and its assets were deleted.' },
    audit: { operation: 'beacon.delete', resource: 'beacon', id: 'beacon_id' },
  })
  async delete(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('beacon_id') beaconId: number,
  ): Promise<void> {
    await this.beacons.delete(caller, organizationId, beaconId);
  }

  @Operation('POST /v1/beacons/report', {
    id: 'reportBeacon',
    tag: 'Beacons',
    summary: 'Report as a beacon',
    description:
      'A beacon sends a report every 300 seconds and gets its configuration. Its first report, and the first report after missed ones, set its status to online.',
    role: 'any',
    scope: 'write',
    credentials: 'beacon',
    body: { example: { version: 1, interfaces: ['eth0', 'wg0'] } },
    success: {
      description: 'The configuration of the beacon.',
      body: BeaconReportResponse,
      example: { allowed_cidrs: settings.allowed_cidrs, version: 1 },
    },
    errors: [400, 401],
  })
  async report(
    @CurrentBeacon() beacon: ReportingBeacon,
    @Body() body: ReportBeaconRequest,
  ): Promise<BeaconReportResponse> {
    return presentConfiguration(await this.reports.report(beacon, reportOf(body)));
  }

  @Operation('GET /v1/beacons/connect', {
    id: 'connectBeacon',
    tag: 'Beacons',
    summary: 'Connect as the agent of a beacon',
    description:
      'A WebSocket with the subprotocol `assay.beacon.1`, which the program assay-beacon opens. The service tests targets in the networks of the beacon through it. Without a WebSocket the response is a 426.',
    role: 'any',
    scope: 'write',
    credentials: 'beacon',
    success: { status: 101, description: 'The connection is a WebSocket.' },
    errors: [401],
  })
  async connect(
    @CurrentBeacon() beacon: ReportingBeacon,
    @Req() request: ApiRequest,
    // Without it the framework would send a response after the connection was taken over.
    @Res() _response: ApiResponse,
  ): Promise<void> {
    await this.agents.accept(beacon, request);
  }

  @Operation('POST /v1/organizations/{organization_id}/beacons/{beacon_id}/token', {
    id: 'rotateBeaconToken',
    tag: 'Beacons',
    summary: 'Replace the token of a beacon',
    description:
      'The old token is valid for the overlap. When it ends, agents that use it are disconnected within 5 seconds. After a leak, set `overlap_hours` to 0.',
    role: 'admin',
    scope: 'write',
    body: { example: { overlap_hours: DEFAULT_OVERLAP_HOURS } },
    success: {
      description: 'The beacon, with its new token.',
      body: BeaconResponse,
      example: { ...newExample, status: 1, wireguard_config: null, version: 1 },
      secrets: ['beacon_token'],
    },
    audit: { operation: 'beacon.rotate_token', resource: 'beacon', id: 'beacon_id' },
  })
  async rotateToken(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('beacon_id') beaconId: number,
    @Body() { overlap_hours = DEFAULT_OVERLAP_HOURS }: RotateBeaconTokenRequest,
  ): Promise<BeaconResponse> {
    const { beacon, token } = await this.beacons.rotateToken(caller, organizationId, beaconId, overlap_hours);
    return presentBeacon(beacon, this.config.BEACON_RATHOLE_SERVER, { token });
  }

  private present(beacon: BeaconView): BeaconResponse {
    return presentBeacon(beacon, this.config.BEACON_RATHOLE_SERVER);
  }
}
