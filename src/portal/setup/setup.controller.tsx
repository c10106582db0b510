import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { SetupService } from '../../modules/identity';
import { Page, SeeOther } from '../frame/page';
import { BrowserSession } from '../http/browser-session';
import { GivenForm } from '../http/given-form';
import type { PortalRequest } from '../http/portal-request';
import { orShowAgain } from '../http/refused-form';
import { Changes, Open } from '../http/route-metadata';
import { SetupPage } from './setup-page';
import { SetupForm } from './setup.requests';

const TITLE = 'Set up';

/** The link of the operator in an installation without users. */
@Controller('setup/:token')
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly browser: BrowserSession,
  ) {}

  @Get()
  @Open()
  async show(@Param('token') token: string): Promise<Page> {
    await this.setup.requireOpen(token);
    return new Page(TITLE, <SetupPage token={token} />);
  }

  @Post()
  @Open()
  @Changes({ operation: 'user.create', resource: 'user' })
  complete(
    @Param('token') token: string,
    @Body() given: GivenForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page | SeeOther> {
    return orShowAgain(
      async () => {
        const { name = null, ...form } = await given.read(SetupForm);
        const { userId, organizationId } = await this.setup.complete(token, { ...form, name });
        await this.browser.renew(userId, request, response);
        return new SeeOther(`/o/${organizationId}`);
      },
      async (problem) => {
        await this.setup.requireOpen(token);
        return new Page(TITLE, <SetupPage {...{ token, given, problem }} />);
      },
    );
  }
}
