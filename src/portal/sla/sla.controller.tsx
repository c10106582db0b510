import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { FindingSlaService } from '../../modules/findings';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page, SeeOther } from '../frame/page';
import { GivenForm } from '../http/given-form';
import { setNotice } from '../http/notice';
import { orShowAgain } from '../http/refused-form';
import { Changes } from '../http/route-metadata';
import { SlaPage } from './sla-page';
import { SlaForm } from './sla.requests';

/** The SLA of an organization, which sets the due dates of its findings. */
@Controller('o/:organization/settings/findings')
export class SlaController {
  constructor(private readonly slas: FindingSlaService) {}

  @Get()
  show(@CurrentCaller() caller: Caller, @PathId('organization') organizationId: number): Promise<Page> {
    return this.page(caller, organizationId);
  }

  @Post()
  @Changes({ operation: 'settings.sla_change', resource: 'settings' })
  change(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Body() given: GivenForm,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page | SeeOther> {
    return orShowAgain(
      async () => {
        const { sla } = await given.read(SlaForm);
        await this.slas.change(caller, organizationId, sla);
        setNotice(response, 'The days were saved.');
        return new SeeOther(`/o/${organizationId}/settings/findings`);
      },
      (problem) => this.page(caller, organizationId, { problem, given }),
    );
  }

  private async page(
    caller: Caller,
    organizationId: number,
    refused: { readonly problem?: string; readonly given?: GivenForm } = {},
  ): Promise<Page> {
    const sla = await this.slas.get(caller.scope, organizationId);
    const mayChange = caller.hasRole('admin', organizationId);
    return new Page('Settings', <SlaPage {...{ organizationId, sla, mayChange, ...refused }} />, 'settings', {
      tabTitle: 'Days to fix a finding',
    });
  }
}
