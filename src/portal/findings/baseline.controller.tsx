import { Body, Controller, Get, Post } from '@nestjs/common';
import { BaselinesService, ConfirmBaselineRequest } from '../../modules/retests';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page, SeeOther } from '../frame/page';
import { Changes } from '../http/route-metadata';
import { findingUrl } from '../urls';
import { BaselinePage } from './baseline-page';
import { FindingReader } from './finding-reader';

/** What retests of a finding compare with, beside the site as it is now. */
@Controller('o/:organization/findings/:finding_id/baseline')
export class BaselineController {
  constructor(
    private readonly reader: FindingReader,
    private readonly baselines: BaselinesService,
  ) {}

  @Get()
  async show(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') findingId: number,
  ): Promise<Page> {
    await this.reader.requireFinding(caller, organizationId, findingId);
    const view = await this.baselines.get(caller.scope, findingId);
    const mayDecide = caller.hasRole('admin', organizationId);
    const props = { organizationId, findingId, view, mayDecide };
    return new Page('Baseline', <BaselinePage {...props} />, 'findings', { tabTitle: `Baseline of #${findingId}` });
  }

  @Post()
  @Changes({ operation: 'finding.confirm_baseline', resource: 'finding', id: 'finding_id' })
  async confirm(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') findingId: number,
    @Body() { retest }: ConfirmBaselineRequest,
  ): Promise<SeeOther> {
    await this.reader.requireFinding(caller, organizationId, findingId);
    await this.baselines.confirm(caller, findingId, retest);
    return new SeeOther(`${findingUrl(organizationId, findingId)}/baseline`);
  }
}
