import { Body, Controller, Get, Query, Req } from '@nestjs/common';
import { BeaconsService } from '../../modules/beacons';
import { DiscoveriesService } from '../../modules/discovery';
import { Config } from '../../platform/config/load-config';
import { Page, SeeOther } from '../frame/page';
import { apiUrlFor } from '../http/api-url';
import { OverlapForm } from '../http/overlap-form';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { beaconsUrl } from '../urls';
import { BeaconPage, BeaconsPage, CreatedBeaconPage, NewBeacon, NewTokenPage } from './beacons-page';
import { DeletionPage, RegistrationPage } from './one-time-token-pages';
import { BeaconForm, BeaconsQuery, changeOfForm, NewBeaconForm, settingsOfForm } from './beacons.requests';

/** More are not kept. */
const ALL_DISCOVERIES = { page: 1, perPage: 10 };

@Controller('o/:organization/beacons')
export class BeaconsController {
  constructor(
    private readonly beacons: BeaconsService,
    private readonly discoveries: DiscoveriesService,
    private readonly config: Config,
  ) {}

  @Get()
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() { slice: page, silent: isSilent = false }: BeaconsQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const slice = await this.beacons.list(caller.scope, organizationId, page, isSilent);
    const mayChange = caller.hasRole('admin', organizationId);
    return new Page(
      'Beacons',
      <BeaconsPage {...{ organizationId, slice, page, url, isSilent, mayChange }} />,
      'beacons',
      { actions: mayChange && <NewBeacon organizationId={organizationId} /> },
    );
  }

  /** Shows the secrets in its own answer, because they are not stored. */
  @PostChange('', { operation: 'beacon.create', resource: 'beacon' })
  async create(
    @InOrganization() { caller, organizationId }: Place,
    @Body() form: NewBeaconForm,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    const { beacon, secrets } = await this.beacons.create(caller, organizationId, settingsOfForm(form));
    const apiUrl = apiUrlFor(this.config, request);
    return new Page('New beacon', <CreatedBeaconPage {...{ organizationId, beacon, secrets, apiUrl }} />, 'beacons');
  }

  @Get(':beacon_id')
  async show(@InOrganization() { caller, organizationId, beacon }: Place<'beacon'>): Promise<Page> {
    const { scope } = caller;
    const { items: discoveries } = await this.discoveries.list(scope, organizationId, beacon.id, ALL_DISCOVERIES);
    const mayChange = caller.hasRole('admin', organizationId);
    return new Page(beacon.name, <BeaconPage {...{ organizationId, beacon, discoveries, mayChange }} />, 'beacons');
  }

  @PostChange(':beacon_id', { operation: 'beacon.change', resource: 'beacon', id: 'beacon_id' })
  async change(
    @InOrganization() { caller, organizationId, beacon: { id } }: Place<'beacon'>,
    @Body() form: BeaconForm,
  ): Promise<SeeOther> {
    await this.beacons.change(caller, organizationId, id, changeOfForm(form));
    return new SeeOther(`${beaconsUrl(organizationId)}/${id}`);
  }

  /** Shows the token in its own answer, because it is not stored. */
  @PostChange(':beacon_id/token', { operation: 'beacon.rotate_token', resource: 'beacon', id: 'beacon_id' })
  async rotateToken(
    @InOrganization() { caller, organizationId, beacon: { id } }: Place<'beacon'>,
    @Body() { overlap_hours: overlap }: OverlapForm,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    const { beacon, token } = await this.beacons.rotateToken(caller, organizationId, id, overlap);
    const apiUrl = apiUrlFor(this.config, request);
    return new Page('New token', <NewTokenPage {...{ organizationId, beacon, token, apiUrl }} />, 'beacons');
  }

  @PostChange(':beacon_id/registration', {
    operation: 'beacon.create_registration',
    resource: 'beacon',
    id: 'beacon_id',
  })
  async createRegistration(
    @InOrganization() { caller, organizationId, beacon }: Place<'beacon'>,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    const created = await this.beacons.createOneTimeToken(caller, organizationId, beacon.id, 'registration');
    const shown = { organizationId, beacon, created, apiUrl: apiUrlFor(this.config, request) };
    return new Page('Registration token', <RegistrationPage {...shown} />, 'beacons');
  }

  @PostChange(':beacon_id/deletion', { operation: 'beacon.create_deletion', resource: 'beacon', id: 'beacon_id' })
  async createDeletion(@InOrganization() { caller, organizationId, beacon }: Place<'beacon'>): Promise<Page> {
    const created = await this.beacons.createOneTimeToken(caller, organizationId, beacon.id, 'deletion');
    return new Page('Deletion token', <DeletionPage {...{ organizationId, beacon, created }} />, 'beacons');
  }

  @PostChange(':beacon_id/delete', { operation: 'beacon.delete', resource: 'beacon', id: 'beacon_id' })
  async delete(@InOrganization() { caller, organizationId, beacon: { id } }: Place<'beacon'>): Promise<SeeOther> {
    await this.beacons.delete(caller, organizationId, id);
    return new SeeOther(beaconsUrl(organizationId));
  }
}
