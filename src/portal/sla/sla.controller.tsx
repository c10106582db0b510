import { Body, Controller, Get, Post } from '@nestjs/common';
import { FindingSlaService } from '../../modules/findings';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page, SeeOther } from '../frame/page';
import { Changes } from '../http/route-metadata';
import { SlaPage } from './sla-page';
import { SlaForm } from './sla.requests';

/** The SLA of an organization, which sets the due dates of its findings. */
@Controller('o/:organization/settings/findings')
export class SlaController {
  constructor(private readonly slas: FindingSlaService) {}

  @Get()
  async show(@CurrentCaller() caller: Caller, @PathId('organization') organizationId: number): Promise<Page> {
    const sla = await this.slas.get(caller.scope, organizationId);
    const mayChange = caller.hasRole('admin', organizationId);
    return new Page('Settings of findings', <SlaPage {...{ organizationId, sla, mayChange }} />, 'settings');
  }

  @Post()
  @Changes({ operation: 'settings.sla_change', resource: 'settings' })
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Body() form: SlaForm,
  ): Promise<SeeOther> {
    await this.slas.change(caller, organizationId, form.sla);
    return new SeeOther(`/o/${organizationId}/settings/findings`, 'The days were saved.');
  }
}
