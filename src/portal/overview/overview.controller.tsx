import { Controller, Get } from '@nestjs/common';
import { AssetsService } from '../../modules/assets';
import { FindingOverviewService } from '../../modules/findings';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page } from '../frame/page';
import { OverviewPage } from './overview-page';

@Controller('o/:organization/overview')
export class OverviewController {
  constructor(
    private readonly overviews: FindingOverviewService,
    private readonly assets: AssetsService,
  ) {}

  @Get()
  async show(@CurrentCaller() { scope }: Caller, @PathId('organization') organizationId: number): Promise<Page> {
    const given = await this.overviews.read(scope, organizationId);
    const { riskiest } = given.overview;
    const assets = await this.assets.listByIds(
      scope,
      riskiest.map(({ id }) => id),
    );
    const names = new Map(assets.map(({ id, value }) => [id, value]));
    return new Page('Overview', <OverviewPage {...{ organizationId, given, names }} />, 'home');
  }
}
