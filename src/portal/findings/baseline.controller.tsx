import { Body, Controller, Get } from '@nestjs/common';
import { BaselinesService, ConfirmBaselineRequest, ConfirmRefusalRequest } from '../../modules/retests';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { findingUrl } from '../urls';
import { BaselinePage } from './baseline-page';

/** What retests of a finding compare with, beside the site as it is now. */
@Controller('o/:organization/findings/:finding_id/baseline')
export class BaselineController {
  constructor(private readonly baselines: BaselinesService) {}

  @Get()
  async show(
    @InOrganization() { caller, organizationId, finding: { id: findingId } }: Place<'finding'>,
  ): Promise<Page> {
    const view = await this.baselines.get(caller.scope, findingId);
    const mayDecide = caller.hasRole('admin', organizationId);
    const props = { organizationId, findingId, view, mayDecide };
    return new Page('Baseline', <BaselinePage {...props} />, 'findings', { tabTitle: `Baseline of #${findingId}` });
  }

  @PostChange('', { operation: 'finding.confirm_baseline', resource: 'finding', id: 'finding_id' })
  async confirm(
    @InOrganization() { caller, organizationId, finding: { id: findingId } }: Place<'finding'>,
    @Body() { retest }: ConfirmBaselineRequest,
  ): Promise<SeeOther> {
    await this.baselines.confirm(caller, findingId, retest);
    return new SeeOther(`${findingUrl(organizationId, findingId)}/baseline`);
  }

  @PostChange('refusal', { operation: 'finding.confirm_refusal', resource: 'finding', id: 'finding_id' })
  async confirmRefusal(
    @InOrganization() { caller, organizationId, finding: { id: findingId } }: Place<'finding'>,
    @Body() { retest, reason, applies_to }: ConfirmRefusalRequest,
  ): Promise<SeeOther> {
    const confirmation = { retest, reason, isForOrigin: applies_to === 'origin' };
    await this.baselines.confirmRefusal(caller, findingId, confirmation);
    return new SeeOther(findingUrl(organizationId, findingId), 'The refusal was confirmed. Retest the finding now.');
  }
}
