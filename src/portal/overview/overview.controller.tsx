import { Controller, Get } from '@nestjs/common';
import { type Asset, AssetsService } from '../../modules/assets';
import { FindingOverviewService } from '../../modules/findings';
import { BeaconNames } from '../../modules/retests';
import { FindingListReader } from '../findings/finding-list-reader';
import { Page } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import type { FindingsParameters } from '../urls';
import { OverviewPage } from './overview-page';

/** The lists whose lengths are the first numbers. */
const listsAt = (now: Date): Readonly<Record<string, FindingsParameters>> => ({
  'Open critical': { severity: 'critical', open: true, sort: 'priority' },
  'Open high': { severity: 'high', open: true, max_severity: 'high', sort: 'priority' },
  Overdue: { overdue: true, sort: 'due_date' },
  'Fixed this month': { change: 'fixed', since: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())) },
});

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
    const lists = listsAt(given.computed);
    const previews = await this.findings.preview(place, Object.values(lists), 1);
    const figures = Object.entries(lists).map(([name, parameters], index) => ({
      name,
      parameters,
      total: previews[index]?.total ?? 0,
    }));
    return new Page('Overview', <OverviewPage {...{ organizationId, given, figures, names }} />, 'home');
  }
}
