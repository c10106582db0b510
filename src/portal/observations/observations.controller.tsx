import { Body, Controller, Get, Query, Req } from '@nestjs/common';
import {
  ChangeAssetObservationRequest,
  ListAssetChangesQuery,
  ObservationSettings,
  ObservationsService,
} from '../../modules/observations';
import { Fragment, Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { PostChange } from '../http/route-metadata';
import { assetUrl } from '../urls';
import { ChangesPage } from './changes';
import { ObservationReader } from './observation-reader';
import { ObservationPart } from './what-runs-here';

@Controller('o/:organization/assets/:asset_id')
export class ObservationsPageController {
  constructor(
    private readonly reader: ObservationReader,
    private readonly observations: ObservationsService,
    private readonly settings: ObservationSettings,
  ) {}

  @PostChange('observe', { operation: 'asset.observe', resource: 'asset', id: 'asset_id' })
  async observe(@InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>): Promise<SeeOther> {
    await this.observations.start(caller, id);
    return new SeeOther(assetUrl(organizationId, id), 'The look begins when a worker is free.');
  }

  @PostChange('observe/cancel', { operation: 'asset.observation_cancel', resource: 'observation' })
  async cancel(@InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>): Promise<SeeOther> {
    await this.observations.cancelNewest(caller, id);
    return new SeeOther(assetUrl(organizationId, id));
  }

  @PostChange('observe/setting', { operation: 'asset.observation_change', resource: 'asset', id: 'asset_id' })
  async changeSetting(
    @InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>,
    @Body() { observe }: ChangeAssetObservationRequest,
  ): Promise<SeeOther> {
    await this.settings.changeAsset(caller, id, { observe });
    return new SeeOther(assetUrl(organizationId, id));
  }

  /** An empty field stands for the usual ports. */
  @PostChange('observe/ports', { operation: 'asset.observation_change', resource: 'asset', id: 'asset_id' })
  async changePorts(
    @InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>,
    @Body() { observe_ports: observePorts = null }: ChangeAssetObservationRequest,
  ): Promise<SeeOther> {
    await this.settings.changeAsset(caller, id, { observePorts });
    return new SeeOther(assetUrl(organizationId, id));
  }

  /** One decision replaces another; without one, both end. */
  @PostChange('observe/host', { operation: 'asset.observation_change', resource: 'asset', id: 'asset_id' })
  async decideHost(
    @InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>,
    @Body() { own_target: ownTarget = null, permitted_target: permittedTarget = null }: ChangeAssetObservationRequest,
  ): Promise<SeeOther> {
    await this.settings.changeAsset(caller, id, { ownTarget, permittedTarget });
    return new SeeOther(assetUrl(organizationId, id));
  }

  /** A part of the asset's page, for a page that is shown already. */
  @Get('observation')
  async part(@InOrganization() place: Place<'asset'>): Promise<Fragment> {
    return new Fragment(<ObservationPart view={await this.reader.read(place)} />);
  }

  @Get('changes')
  async changes(
    @InOrganization() place: Place<'asset'>,
    @Query() { slice: page }: ListAssetChangesQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const { organizationId, asset } = place;
    const slice = await this.reader.changes(place, page);
    return new Page('Changes', <ChangesPage {...{ organizationId, asset, slice, page, url }} />, 'assets', {
      tabTitle: `Changes of ${asset.value}`,
    });
  }
}
