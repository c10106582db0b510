import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { SetupService } from '../../modules/identity';
import { Page, SeeOther } from '../frame/page';
import { BrowserSession } from '../http/browser-session';
import type { PortalRequest } from '../http/portal-request';
import { Changes, Open } from '../http/route-metadata';
import { homeUrl } from '../urls';
import { SetupPage } from './setup-page';
import { SetupForm } from './setup.requests';

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
    return new Page('Set up', <SetupPage token={token} />);
  }

  @Post()
  @Open()
  @Changes({ operation: 'user.create', resource: 'user' })
  async complete(
    @Param('token') token: string,
    @Body() { organization, name, email, password }: SetupForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const { userId, organizationId } = await this.setup.complete(token, {
      organization,
      name: name ?? null,
      email,
      password,
    });
    await this.browser.renew(userId, request, response);
    return new SeeOther(homeUrl(organizationId));
  }
}
