import { Controller, Get } from '@nestjs/common';
import { type Asset, AssetsService } from '../../modules/assets';
import { FindingOverviewService } from '../../modules/findings';
import { BeaconNames } from '../../modules/retests';
import { Page } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { OverviewPage } from './overview-page';

@Controller('o/:organization/overview')
export class OverviewController {
  constructor(
    private readonly overviews: FindingOverviewService,
    private readonly assets: AssetsService,
    private readonly beacons: BeaconNames,
  ) {}

  @Get()
  async show(@InOrganization() { caller: { scope }, organizationId }: Place): Promise<Page> {
    const given = await this.overviews.read(scope, organizationId);
    const { riskiest } = given.overview;
    const assets = await this.assets.listByIds(
      scope,
      riskiest.map(({ id }) => id),
    );
    const behind = assets.map(({ beaconId }) => beaconId);
    const beacons = await this.beacons.namesOf(scope, organizationId, behind);
    const nameOf = ({ value, beaconId }: Asset): string => {
      const beacon = beacons.get(beaconId ?? 0);
      return beacon === undefined ? value : `${value} (${beacon.name})`;
    };
    const names = new Map(assets.map((asset) => [asset.id, nameOf(asset)]));
    return new Page('Overview', <OverviewPage {...{ organizationId, given, names }} />, 'home');
  }
}
