import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type NewSession, PasskeysService, SignInsService } from '../../modules/identity';
import { Config } from '../../platform/config/load-config';
import { SeeOther } from '../frame/page';
import { attemptOf, BrowserSession } from '../http/browser-session';
import { PasskeyRequests } from '../http/passkey-requests';
import type { PortalRequest } from '../http/portal-request';
import { Open } from '../http/route-metadata';
import { challengeToken, clearChallengeCookie } from '../http/session-cookie';
import { returnPath } from '../http/sign-in-required';
import { PasskeyForm } from './sign-in.requests';

/** Sign-ins with a passkey: instead of the password, or after it. A script of the page asks for the options. */
@Controller('sign-in')
export class PasskeySignInController {
  constructor(
    private readonly config: Config,
    private readonly signIns: SignInsService,
    private readonly passkeys: PasskeysService,
    private readonly requests: PasskeyRequests,
    private readonly browser: BrowserSession,
  ) {}

  @Get('passkey/options')
  @Open()
  options(@Req() request: PortalRequest, @Res({ passthrough: true }) response: Response): Promise<object> {
    const { party, challenge } = this.requests.begin(request, response, 'sign in', '');
    return this.passkeys.requestOptions(party, challenge);
  }

  @Post('passkey')
  @Open()
  async signIn(
    @Body() form: PasskeyForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const session = await this.signIns.signInWithPasskey(this.attemptOf(form, request));
    return this.lead(session, form, response);
  }

  @Get('code/options')
  @Open()
  async secondStepOptions(
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const waiting = challengeToken(request, this.config) ?? '';
    const userId = await this.signIns.userOf(waiting);
    const { party, challenge } = this.requests.begin(request, response, 'second step', waiting);
    return this.passkeys.requestOptions(party, challenge, userId);
  }

  @Post('code/passkey')
  @Open()
  async completeSignIn(
    @Body() form: PasskeyForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const challenge = challengeToken(request, this.config) ?? '';
    const session = await this.signIns.completeWithPasskey({ ...this.attemptOf(form, request), challenge });
    clearChallengeCookie(response, this.config);
    return this.lead(session, form, response);
  }

  private attemptOf({ response }: PasskeyForm, request: PortalRequest) {
    return { ...attemptOf(request, this.config), given: { ...this.requests.givenIn(request), response } };
  }

  private async lead(session: NewSession, { next }: PasskeyForm, response: Response): Promise<SeeOther> {
    await this.browser.start(response, session);
    return new SeeOther(returnPath(next));
  }
}
