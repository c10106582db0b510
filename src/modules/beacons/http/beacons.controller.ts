import { Body, Controller, Query, Req, Res } from '@nestjs/common';
import type { ApiRequest, ApiResponse } from '../../../platform/api/api-request';
import { Config } from '../../../platform/config/load-config';
import { basicCredentials } from '../../../platform/auth/basic-credentials';
import { CurrentBeacon } from '../../../platform/http/caller.decorator';
import { InOrganization, type Place, type RecordPlace } from '../../../platform/http/in-organization';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { BeaconRegistrationsService } from '../beacon-registrations.service';
import { BeaconReportsService, type ReportingBeacon } from '../beacon-reports.service';
import { DEFAULT_OVERLAP_HOURS } from '../../../kernel/overlap';
import { BeaconsService, type BeaconView } from '../beacons.service';
import { AgentConnections } from '../connections/agent-connections';
import {
  ChangeBeaconRequest,
  CreateBeaconRequest,
  RegisterBeaconRequest,
  ReportBeaconRequest,
  RotateBeaconTokenRequest,
  changeOf,
  registrationOf,
  reportOf,
  settingsOf,
} from './beacon.requests';
import {
  BeaconListResponse,
  BeaconReportResponse,
  BeaconResponse,
  OneTimeTokenResponse,
  presentBeacon,
  presentConfiguration,
  presentOneTimeToken,
} from './beacon.responses';
import * as operations from './beacons.operations';

@Controller()
export class BeaconsController {
  constructor(
    private readonly beacons: BeaconsService,
    private readonly reports: BeaconReportsService,
    private readonly registrations: BeaconRegistrationsService,
    private readonly agents: AgentConnections,
    private readonly config: Config,
  ) {}

  @operations.createBeacon
  async create(
    @InOrganization() { caller, organizationId }: Place,
    @Body() body: CreateBeaconRequest,
  ): Promise<BeaconResponse> {
    const { beacon, secrets } = await this.beacons.create(caller, organizationId, settingsOf(body));
    return presentBeacon(beacon, this.config.BEACON_RATHOLE_SERVER, secrets);
  }

  @operations.listBeacons
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: PageQuery,
  ): Promise<PagedBody<BeaconListResponse>> {
    const page = query.slice;
    const slice = await this.beacons.list(caller.scope, organizationId, page);
    return new PagedBody({ beacons: slice.items.map((item) => this.present(item)) }, page, slice);
  }

  @operations.getBeacon
  async get(
    @InOrganization('beacon_id') { caller, organizationId, id: beaconId }: RecordPlace,
  ): Promise<BeaconResponse> {
    return this.present(await this.beacons.get(caller.scope, organizationId, beaconId));
  }

  @operations.changeBeacon
  async change(
    @InOrganization('beacon_id') { caller, organizationId, id: beaconId }: RecordPlace,
    @Body() body: ChangeBeaconRequest,
  ): Promise<BeaconResponse> {
    return this.present(await this.beacons.change(caller, organizationId, beaconId, changeOf(body)));
  }

  @operations.deleteBeacon
  async delete(@InOrganization('beacon_id') { caller, organizationId, id: beaconId }: RecordPlace): Promise<void> {
    await this.beacons.delete(caller, organizationId, beaconId);
  }

  @operations.reportBeacon
  async report(
    @CurrentBeacon() beacon: ReportingBeacon,
    @Body() body: ReportBeaconRequest,
  ): Promise<BeaconReportResponse> {
    return presentConfiguration(await this.reports.report(beacon, reportOf(body)));
  }

  @operations.connectBeacon
  async connect(
    @CurrentBeacon() beacon: ReportingBeacon,
    @Req() request: ApiRequest,
    // Without it the framework would send a response after the connection was taken over.
    @Res() _response: ApiResponse,
  ): Promise<void> {
    await this.agents.accept(beacon, request);
  }

  @operations.rotateBeaconToken
  async rotateToken(
    @InOrganization('beacon_id') { caller, organizationId, id: beaconId }: RecordPlace,
    @Body() { overlap_hours = DEFAULT_OVERLAP_HOURS }: RotateBeaconTokenRequest,
  ): Promise<BeaconResponse> {
    const { beacon, token } = await this.beacons.rotateToken(caller, organizationId, beaconId, overlap_hours);
    return presentBeacon(beacon, this.config.BEACON_RATHOLE_SERVER, { token });
  }

  @operations.createBeaconRegistration
  async createRegistration(
    @InOrganization('beacon_id') { caller, organizationId, id }: RecordPlace,
  ): Promise<OneTimeTokenResponse> {
    return presentOneTimeToken(await this.beacons.createOneTimeToken(caller, organizationId, id, 'registration'));
  }

  @operations.createBeaconDeletion
  async createDeletion(
    @InOrganization('beacon_id') { caller, organizationId, id }: RecordPlace,
  ): Promise<OneTimeTokenResponse> {
    return presentOneTimeToken(await this.beacons.createOneTimeToken(caller, organizationId, id, 'deletion'));
  }

  @operations.registerBeacon
  async register(
    @CurrentBeacon() { id }: ReportingBeacon,
    @Req() request: ApiRequest,
    @Body() body: RegisterBeaconRequest,
  ): Promise<BeaconReportResponse> {
    return presentConfiguration(
      await this.registrations.register({ id, token: tokenOf(request) }, registrationOf(body)),
    );
  }

  @operations.deleteOwnBeacon
  async deleteItself(@CurrentBeacon() { id }: ReportingBeacon, @Req() request: ApiRequest): Promise<void> {
    await this.registrations.delete({ id, token: tokenOf(request) });
  }

  private present(beacon: BeaconView): BeaconResponse {
    return presentBeacon(beacon, this.config.BEACON_RATHOLE_SERVER);
  }
}

const tokenOf = (request: ApiRequest): string => basicCredentials(request)?.password ?? '';
