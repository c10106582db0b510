import { Body, Controller, Get, Post, Query, Redirect, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CHALLENGE_MS, SessionsService, SetupService, type SignInResult, SignInsService } from '../../modules/identity';
import { Providers } from '../../modules/providers';
import type { Caller } from '../../platform/api/caller';
import { Config } from '../../platform/config/load-config';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { Page, SEE_OTHER, SeeOther } from '../frame/page';
import { attemptOf, BrowserSession } from '../http/browser-session';
import type { PortalRequest } from '../http/portal-request';
import { Changes, Open } from '../http/route-metadata';
import { challengeToken, clearChallengeCookie, clearSessionCookie, setChallengeCookie } from '../http/session-cookie';
import { returnPath } from '../http/sign-in-required';
import { SecondStepPage, SignInPage } from './sign-in-page';
import { CodeForm, SignInForm, SignInQuery } from './sign-in.requests';

const TITLE = 'Sign in';

@Controller()
export class SignInController {
  constructor(
    private readonly config: Config,
    private readonly signIns: SignInsService,
    private readonly sessions: SessionsService,
    private readonly setup: SetupService,
    private readonly browser: BrowserSession,
    private readonly providers: Providers,
  ) {}

  @Get('sign-in')
  @Open()
  async show(@Query() { next }: SignInQuery): Promise<Page> {
    const isSetUpNeeded = await this.setup.isNeeded();
    return new Page(
      TITLE,
      <SignInPage {...{ next, isSetUpNeeded, hasProvider: this.providers.ofInstallation !== undefined }} />,
    );
  }

  /** A new token for each sign-in, so that a token that an attacker planted is worth nothing. */
  @Post('sign-in')
  @Open()
  async signIn(
    @Body() { next, email, password }: SignInForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const result = await this.signIns.signIn({ email, password, ...attemptOf(request, this.config) });
    return this.lead(result, returnPath(next), response);
  }

  @Get('sign-in/code')
  @Open()
  async askCode(@Query() { next }: SignInQuery, @Req() request: PortalRequest): Promise<Page> {
    const factors = await this.signIns.factorsOf(challengeToken(request, this.config) ?? '');
    return new Page(TITLE, <SecondStepPage next={next} {...factors} />);
  }

  @Post('sign-in/code')
  @Open()
  async enterCode(
    @Body() { next, code }: CodeForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const challenge = challengeToken(request, this.config) ?? '';
    const session = await this.signIns.completeWithCode({ code, challenge, ...attemptOf(request, this.config) });
    clearChallengeCookie(response, this.config);
    return this.lead({ session }, returnPath(next), response);
  }

  /** To the requested page, or first to that of the second step. */
  private async lead({ session, challenge }: SignInResult, next: string, response: Response): Promise<SeeOther> {
    if (challenge !== undefined) {
      setChallengeCookie(response, this.config, challenge, CHALLENGE_MS);
      return new SeeOther(`/sign-in/code?next=${encodeURIComponent(next)}`);
    }
    await this.browser.start(response, session);
    return new SeeOther(next);
  }

  @Post('sign-out')
  @Redirect('/sign-in', SEE_OTHER)
  @Changes({ operation: 'session.end', resource: 'session' })
  async signOut(
    @CurrentCaller() caller: Caller,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.sessions.end(caller.facts.userId, request.portalSession?.id ?? 0);
    clearSessionCookie(response, this.config);
  }
}
