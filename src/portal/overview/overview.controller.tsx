import { Controller, Get } from '@nestjs/common';
import { MAX_COUNT } from '../../kernel/page';
import { type Asset, AssetsService } from '../../modules/assets';
import { FindingOverviewService } from '../../modules/findings';
import { BeaconNames } from '../../modules/retests';
import { FindingListReader } from '../findings/finding-list-reader';
import { Page } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { fixedSince, monthOf, OVERDUE } from './figures';
import { OverviewPage } from './overview-page';

@Controller('o/:organization/overview')
export class OverviewController {
  constructor(
    private readonly overviews: FindingOverviewService,
    private readonly assets: AssetsService,
    private readonly beacons: BeaconNames,
    private readonly findings: FindingListReader,
  ) {}

  @Get()
  async show(@InOrganization() place: Place): Promise<Page> {
    const { caller, organizationId } = place;
    const { scope } = caller;
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
    const month = monthOf(given.computed);
    const counted = { shown: 1, counted: MAX_COUNT };
    const [overdue, fixed] = await this.findings.preview(place, [OVERDUE, fixedSince(month)], counted);
    const counts = { overdue: overdue?.total ?? 0, fixed: fixed?.total ?? 0, month };
    return new Page('Overview', <OverviewPage {...{ organizationId, given, counts, names }} />, 'home');
  }
}
