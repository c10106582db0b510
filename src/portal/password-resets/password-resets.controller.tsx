import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { PasswordResetsService } from '../../modules/identity';
import { Config } from '../../platform/config/load-config';
import { Page } from '../frame/page';
import { GivenForm } from '../http/given-form';
import type { PortalRequest } from '../http/portal-request';
import { orShowAgain } from '../http/refused-form';
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
  request(@Body() given: GivenForm, @Req() request: PortalRequest): Promise<Page> {
    const { isMailed } = this.resets;
    return orShowAgain(
      async () => {
        const { email } = await given.read(ForgottenPasswordForm);
        await this.resets.requestByMail(email, request.ip ?? null);
        return new Page(FORGOTTEN, <LinkSentPage email={email} />);
      },
      (problem) =>
        new Page(FORGOTTEN, <ForgottenPasswordPage {...{ isMailed, email: given.text('email'), problem }} />),
    );
  }

  @Get('password-resets/:token')
  @Open()
  show(@Param('token') token: string): Promise<Page> {
    return this.page(token);
  }

  /** It signs nobody in, so that it does not replace the second factor. */
  @Post('password-resets/:token')
  @Open()
  @Changes({ operation: 'password_reset.complete', resource: 'password_reset' })
  complete(
    @Param('token') token: string,
    @Body() given: GivenForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page> {
    return orShowAgain(
      async () => {
        const { password } = await given.read(NewPasswordForm);
        await this.resets.complete(token, password);
        clearSessionCookie(response, this.config);
        request.caller = undefined;
        return new Page(NEW, <PasswordSetPage />);
      },
      (problem) => this.page(token, problem),
    );
  }

  private async page(token: string, problem?: string): Promise<Page> {
    const { email } = await this.resets.describe(token);
    return new Page(NEW, <NewPasswordPage {...{ token, email, problem }} />);
  }
}
