import { Body, Controller, Get, Query, Req } from '@nestjs/common';
import { AcceptedChecksService, AssetsService, ChangeAssetRequest, PathCheckId } from '../../modules/assets';
import { JobReferences } from '../../modules/jobs';
import { labelsIn } from '../../modules/findings';
import { People } from '../findings/people';
import { countText } from '../frame/words';
import { Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { assetsUrl, assetUrl, scanUrl } from '../urls';
import { FullTestsPage } from './active-tests';
import { AddAsset } from './add-asset';
import { AssetPage } from './asset-page';
import { AssetReader } from './asset-reader';
import {
  AcceptanceForm,
  ActiveTestsForm,
  AssetForm,
  AssetLabelsForm,
  AssetOwnerForm,
  AssetsQuery,
  FullTestsForm,
  PathForm,
  changeOfForm,
} from './assets.requests';
import { AssetsPage } from './assets-page';

@Controller('o/:organization/assets')
export class AssetsController {
  constructor(
    private readonly reader: AssetReader,
    private readonly assets: AssetsService,
    private readonly accepted: AcceptedChecksService,
    private readonly references: JobReferences,
    private readonly people: People,
  ) {}

  @Get()
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: AssetsQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const owners = await this.people.owners(caller.scope, organizationId);
    const view = { ...(await this.reader.list(caller, organizationId, query)), owners };
    return new Page('Assets', <AssetsPage {...{ view, query, page: query.slice, url }} />, 'assets', {
      actions: view.mayChange && <AddAsset view={view} />,
      tabTitle: `Assets (${countText(view.slice.total ?? 0)})`,
    });
  }

  @PostChange('', { operation: 'asset.create', resource: 'asset' })
  async create(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { asset_value: value, type, tier = null, beacon_id: beaconId = null, owner = null }: AssetForm,
  ): Promise<SeeOther> {
    const id = await this.assets.create(caller, { organizationId, value, type, tier, beaconId, owner });
    return new SeeOther(assetUrl(organizationId, id));
  }

  @Get(':asset_id')
  async show(@InOrganization() place: Place<'asset'>): Promise<Page> {
    const owners = await this.people.owners(place.caller.scope, place.organizationId);
    const view = { ...(await this.reader.read(place)), owners };
    const references = await this.references.list(place.caller.scope, place.asset.id);
    return new Page(view.details.asset.value, <AssetPage {...{ view, references }} />, 'assets');
  }

  @PostChange(':asset_id', { operation: 'asset.change', resource: 'asset', id: 'asset_id' })
  async change(
    @InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>,
    @Body() form: ChangeAssetRequest,
  ): Promise<SeeOther> {
    await this.assets.change(caller, id, changeOfForm(form));
    return new SeeOther(assetUrl(organizationId, id));
  }

  @PostChange(':asset_id/owner', { operation: 'asset.change', resource: 'asset', id: 'asset_id' })
  async changeOwner(
    @InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>,
    @Body() { owner = null }: AssetOwnerForm,
  ): Promise<SeeOther> {
    await this.assets.change(caller, id, { owner });
    return new SeeOther(assetUrl(organizationId, id));
  }

  @PostChange(':asset_id/labels', { operation: 'asset.change', resource: 'asset', id: 'asset_id' })
  async changeLabels(
    @InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>,
    @Body() { labels = '' }: AssetLabelsForm,
  ): Promise<SeeOther> {
    await this.assets.change(caller, id, { labels: labelsIn(labels) });
    return new SeeOther(assetUrl(organizationId, id));
  }

  @PostChange(':asset_id/active-tests', { operation: 'asset.change', resource: 'asset', id: 'asset_id' })
  async changeActiveTests(
    @InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>,
    @Body() { active_tests: activeTests, requests_per_second: requestsPerSecond = null }: ActiveTestsForm,
  ): Promise<SeeOther> {
    await this.assets.change(caller, id, { requestsPerSecond, ...(activeTests !== undefined && { activeTests }) });
    return new SeeOther(assetUrl(organizationId, id));
  }

  @Get(':asset_id/full-tests')
  fullTests(@InOrganization() { caller, organizationId, asset }: Place<'asset'>): Page {
    caller.requireRole('admin', organizationId);
    return new Page('Allow full tests', <FullTestsPage {...{ organizationId, asset }} />, 'assets');
  }

  @PostChange(':asset_id/full-tests', { operation: 'asset.change', resource: 'asset', id: 'asset_id' })
  async allowFullTests(
    @InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>,
    @Body() { confirm_full: confirmFull = '' }: FullTestsForm,
  ): Promise<SeeOther> {
    await this.assets.change(caller, id, { activeTests: 'full', confirmFull });
    return new SeeOther(assetUrl(organizationId, id));
  }

  @PostChange(':asset_id/active-paths', { operation: 'asset.change', resource: 'asset', id: 'asset_id' })
  async decideAboutPath(
    @InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>,
    @Body() { path, decision, scan }: PathForm,
  ): Promise<SeeOther> {
    await this.assets.decideAboutPath(caller, id, path, decision === 'allow');
    return new SeeOther(`${scanUrl(organizationId, scan)}/left-out`);
  }

  @PostChange(':asset_id/delete', { operation: 'asset.delete', resource: 'asset', id: 'asset_id' })
  async delete(@InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>): Promise<SeeOther> {
    await this.assets.delete(caller, id);
    return new SeeOther(assetsUrl(organizationId));
  }

  @PostChange(':asset_id/accepted-checks', { operation: 'asset.accept_check', resource: 'asset', id: 'asset_id' })
  async accept(
    @InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>,
    @Body() { check_id: checkId, ...acceptance }: AcceptanceForm,
  ): Promise<SeeOther> {
    await this.accepted.accept(caller, id, checkId, acceptance);
    return new SeeOther(assetUrl(organizationId, id));
  }

  @PostChange(':asset_id/accepted-checks/:check_id/delete', {
    operation: 'asset.delete_accepted_check',
    resource: 'asset',
    id: 'asset_id',
  })
  async removeAccepted(
    @InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>,
    @PathCheckId('check_id') checkId: string,
  ): Promise<SeeOther> {
    await this.accepted.remove(caller, id, checkId);
    return new SeeOther(assetUrl(organizationId, id));
  }
}
