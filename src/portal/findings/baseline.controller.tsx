import { Body, Controller, Get } from '@nestjs/common';
import { BaselinesService, ConfirmBaselineRequest, ConfirmRefusalRequest } from '../../modules/retests';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { findingUrl } from '../urls';
import { BaselinePage } from './baseline-page';
import { People } from './people';
import { CONFIRM_REFUSAL, RefusalPage, type RefusalProps } from './refusal';

/** What retests of a finding compare with, beside the site as it is now. */
@Controller('o/:organization/findings/:finding_id/baseline')
export class BaselineController {
  constructor(
    private readonly baselines: BaselinesService,
    private readonly people: People,
  ) {}

  @Get()
  async show(@InOrganization() place: Place<'finding'>): Promise<Page> {
    const { id, title } = place.finding;
    const within = { label: title, href: findingUrl(place.organizationId, id) };
    const body = <BaselinePage {...await this.read(place)} />;
    return new Page('Baseline', body, 'findings', { tabTitle: `Baseline of #${id}`, within });
  }

  @Get('refusal')
  async showRefusal(@InOrganization() place: Place<'finding'>): Promise<Page> {
    const { id, title } = place.finding;
    const within = { label: title, href: findingUrl(place.organizationId, id) };
    const props = await this.read(place);
    const name = props.mayDecide && props.view.refusal !== null ? CONFIRM_REFUSAL : 'The refusal';
    return new Page(name, <RefusalPage {...props} />, 'findings', { tabTitle: `${name}: #${id}`, within });
  }

  private async read({ caller, organizationId, finding: { id: findingId } }: Place<'finding'>): Promise<RefusalProps> {
    const view = await this.baselines.get(caller.scope, findingId);
    const people = await this.people.namesOf([view.confirmed?.by ?? null, view.confirmedRefusal?.by ?? null]);
    return { organizationId, findingId, view, people, mayDecide: caller.hasRole('admin', organizationId) };
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
