import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Name, Text } from '../../platform/http/fields';
import { InvitationsService } from '../../modules/identity';
import type { Caller } from '../../platform/api/caller';
import { Config } from '../../platform/config/load-config';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { Page, SeeOther } from '../frame/page';
import { BrowserSession } from '../http/browser-session';
import type { PortalRequest } from '../http/portal-request';
import { Changes, Open, OwnSession } from '../http/route-metadata';
import { clearSessionCookie } from '../http/session-cookie';
import { NewPasswordForm } from '../password-resets/password-resets.requests';
import { homeUrl } from '../urls';
import { InvitationPage } from './invitation-page';

class NewAccountForm {
  @Name(200, { optional: true })
  name?: string;

  @Text(1, 1_000)
  password!: string;
}

@Controller('invitations/:token')
export class InvitationPageController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly browser: BrowserSession,
    private readonly config: Config,
  ) {}

  @Get()
  @Open()
  async show(@Param('token') token: string, @Req() { caller }: PortalRequest): Promise<Page> {
    const invitation = await this.invitations.describe(token);
    return new Page('Invitation', <InvitationPage {...{ token, invitation, signedInAs: caller?.facts.email }} />);
  }

  @Post('accept')
  @OwnSession()
  @Changes({ operation: 'invitation.accept', resource: 'invitation' })
  async accept(@CurrentCaller() caller: Caller, @Param('token') token: string): Promise<SeeOther> {
    const { organizationId } = await this.invitations.accept(caller, token);
    return new SeeOther(homeUrl(organizationId));
  }

  /** It does not sign the user in, so that it does not replace a second factor. */
  @Post('new-password')
  @Open()
  @Changes({ operation: 'invitation.accept', resource: 'invitation' })
  async acceptWithNewPassword(
    @Param('token') token: string,
    @Body() { password }: NewPasswordForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const { organizationId } = await this.invitations.acceptWithNewPassword(token, password);
    clearSessionCookie(response, this.config);
    request.caller = undefined;
    return new SeeOther(`/sign-in?next=${homeUrl(organizationId)}`);
  }

  /** The new user is signed in at once. */
  @Post('new-user')
  @Open()
  @Changes({ operation: 'invitation.accept', resource: 'invitation' })
  async acceptAsNewUser(
    @Param('token') token: string,
    @Body() form: NewAccountForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const { userId, organizationId } = await this.invitations.acceptAsNewUser(token, form);
    await this.browser.renew(userId, request, response);
    return new SeeOther(homeUrl(organizationId));
  }
}
