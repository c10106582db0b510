import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { PasswordResetsService } from '../../modules/identity';
import { Config } from '../../platform/config/load-config';
import { Page } from '../frame/page';
import { clientOf } from '../http/browser-session';
import type { PortalRequest } from '../http/portal-request';
import { Changes, Open } from '../http/route-metadata';
import { clearSessionCookie } from '../http/session-cookie';
import { ForgottenPasswordPage, LinkSentPage, NewPasswordPage, PasswordSetPage } from './password-reset-pages';
import { ForgottenPasswordForm, NewPasswordForm } from './password-resets.requests';

const FORGOTTEN = 'Forgotten password';
const NEW = 'New password';

@Controller()
export class PasswordResetController {
  constructor(
    private readonly config: Config,
    private readonly resets: PasswordResetsService,
  ) {}

  @Get('forgotten-password')
  @Open()
  askAddress(): Page {
    return new Page(FORGOTTEN, <ForgottenPasswordPage isMailed={this.resets.isMailed} />);
  }

  /** The same answer for every address. */
  @Post('forgotten-password')
  @Open()
  @Changes({ operation: 'password_reset.request', resource: 'password_reset' })
  async request(@Body() { email }: ForgottenPasswordForm, @Req() request: PortalRequest): Promise<Page> {
    await this.resets.requestByMail(email, clientOf(request, this.config));
    return new Page(FORGOTTEN, <LinkSentPage email={email} />);
  }

  @Get('password-resets/:token')
  @Open()
  async show(@Param('token') token: string): Promise<Page> {
    const { email } = await this.resets.describe(token);
    return new Page(NEW, <NewPasswordPage {...{ token, email }} />);
  }

  /** It does not sign the user in, so that it does not replace the second factor. */
  @Post('password-resets/:token')
  @Open()
  @Changes({ operation: 'password_reset.complete', resource: 'password_reset' })
  async complete(
    @Param('token') token: string,
    @Body() { password }: NewPasswordForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page> {
    const ended = await this.resets.complete(token, password);
    clearSessionCookie(response, this.config);
    request.caller = undefined;
    return new Page(NEW, <PasswordSetPage ended={ended} />);
  }
}
