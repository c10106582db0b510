import { Body, Controller, Get } from '@nestjs/common';
import { AcceptedChecksOnManyService, PathCheckId } from '../../modules/assets';
import { AcceptanceRules, FindingSlaService } from '../../modules/findings';
import { RefusalSetting, SecondLooks } from '../../modules/retests';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { slaUrl } from '../urls';
import { SlaPage } from './sla-page';
import {
  AcceptanceForm,
  AcceptOnManyForm,
  RefusalsForm,
  RemoveOnManyForm,
  SecondLookForm,
  SlaForm,
} from './sla.requests';

/** The SLA of an organization, which sets the due dates of its findings. */
@Controller('o/:organization/settings/findings')
export class SlaController {
  constructor(
    private readonly slas: FindingSlaService,
    private readonly looks: SecondLooks,
    private readonly rules: AcceptanceRules,
    private readonly refusals: RefusalSetting,
    private readonly accepted: AcceptedChecksOnManyService,
  ) {}

  @Get()
  async show(@InOrganization() { caller, organizationId }: Place): Promise<Page> {
    const sla = await this.slas.get(caller.scope, organizationId);
    const secondLookHours = await this.looks.hoursOf(caller.scope, organizationId);
    const acceptance = await this.rules.get(caller.scope, organizationId);
    const refusalsCountAsFixed = await this.refusals.get(caller.scope, organizationId);
    const acceptedOnMany = await this.accepted.list(caller.scope, organizationId);
    const [mayChange, isOwner] = [caller.hasRole('admin', organizationId), caller.hasRole('owner', organizationId)];
    const settings = { sla, secondLookHours, acceptance, refusalsCountAsFixed, acceptedOnMany };
    const page = <SlaPage {...{ organizationId, ...settings, mayChange, isOwner }} />;
    return new Page('Settings', page, 'settings', { tabTitle: 'Settings of findings' });
  }

  @PostChange('', { operation: 'settings.sla_change', resource: 'settings' })
  async change(@InOrganization() { caller, organizationId }: Place, @Body() form: SlaForm): Promise<SeeOther> {
    await this.slas.change(caller, organizationId, form.sla);
    return new SeeOther(slaUrl(organizationId), 'The days were saved.');
  }

  @PostChange('acceptance', { operation: 'settings.acceptance_change', resource: 'settings' })
  async changeAcceptance(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { comment = false, until = false }: AcceptanceForm,
  ): Promise<SeeOther> {
    const setting = { acceptanceNeedsComment: comment, acceptanceNeedsEnd: until };
    await this.rules.change(caller, organizationId, setting);
    return new SeeOther(slaUrl(organizationId), 'The requirements were saved.');
  }

  @PostChange('accepted-checks', {
    operation: 'organization.accept_check',
    resource: 'organization',
    id: 'organization',
  })
  async acceptOnMany(
    @InOrganization() { caller, organizationId }: Place,
    @Body() form: AcceptOnManyForm,
  ): Promise<SeeOther> {
    await this.accepted.accept(caller, organizationId, form.check_id, form.acceptance);
    return new SeeOther(slaUrl(organizationId), 'The check is accepted.');
  }

  @PostChange('accepted-checks/:check_id/delete', {
    operation: 'organization.delete_accepted_check',
    resource: 'organization',
    id: 'organization',
  })
  async removeOnMany(
    @InOrganization() { caller, organizationId }: Place,
    @PathCheckId('check_id') checkId: string,
    @Body() { label = '' }: RemoveOnManyForm,
  ): Promise<SeeOther> {
    await this.accepted.remove(caller, organizationId, checkId, label ?? '');
    return new SeeOther(slaUrl(organizationId), 'The check is no longer accepted.');
  }

  @PostChange('refusals', { operation: 'settings.refusals_change', resource: 'settings' })
  async changeRefusals(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { count = false }: RefusalsForm,
  ): Promise<SeeOther> {
    await this.refusals.change(caller, organizationId, count);
    return new SeeOther(slaUrl(organizationId), 'The setting was saved.');
  }

  @PostChange('second-look', { operation: 'settings.second_look_change', resource: 'settings' })
  async changeSecondLook(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { hours }: SecondLookForm,
  ): Promise<SeeOther> {
    await this.looks.changeHours(caller, organizationId, hours ?? null);
    return new SeeOther(slaUrl(organizationId), 'The hours were saved.');
  }
}
