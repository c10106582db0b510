import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { InvitationsService } from '../../modules/identity';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { Page, SeeOther } from '../frame/page';
import { BrowserSession } from '../http/browser-session';
import { GivenForm } from '../http/given-form';
import type { PortalRequest } from '../http/portal-request';
import { orShowAgain } from '../http/refused-form';
import { Changes, Open } from '../http/route-metadata';
import { InvitationPage, type ShownInvitation } from './invitation-page';
import { NewAccountForm } from './invitations.requests';

@Controller('invitations/:token')
export class InvitationPageController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly browser: BrowserSession,
  ) {}

  @Get()
  @Open()
  show(@Param('token') token: string, @Req() request: PortalRequest): Promise<Page> {
    return this.page(token, request);
  }

  @Post('accept')
  @Changes({ operation: 'invitation.accept', resource: 'invitation' })
  accept(
    @CurrentCaller() caller: Caller,
    @Param('token') token: string,
    @Req() request: PortalRequest,
  ): Promise<Page | SeeOther> {
    return orShowAgain(
      async () => {
        const { organizationId } = await this.invitations.accept(caller, token);
        return new SeeOther(`/o/${organizationId}`);
      },
      (problem) => this.page(token, request, { problem }),
    );
  }

  /** The new user is signed in at once. */
  @Post('new-user')
  @Open()
  @Changes({ operation: 'invitation.accept', resource: 'invitation' })
  acceptAsNewUser(
    @Param('token') token: string,
    @Body() given: GivenForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page | SeeOther> {
    return orShowAgain(
      async () => {
        const form = await given.read(NewAccountForm);
        const { userId, organizationId } = await this.invitations.acceptAsNewUser(token, form);
        await this.browser.renew(userId, request, response);
        return new SeeOther(`/o/${organizationId}`);
      },
      (problem) => this.page(token, request, { given, problem }),
    );
  }

  private async page(
    token: string,
    request: PortalRequest,
    shown: Pick<ShownInvitation, 'given' | 'problem'> = {},
  ): Promise<Page> {
    const invitation = await this.invitations.describe(token);
    const signedInAs = request.caller?.facts.email;
    return new Page('Invitation', <InvitationPage {...{ ...shown, token, invitation, signedInAs }} />);
  }
}
