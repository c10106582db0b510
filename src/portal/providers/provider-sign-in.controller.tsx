import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  CALLBACK_PATH,
  ProviderLogoutService,
  Providers,
  ProviderSignInService,
  SIGN_IN_MS,
} from '../../modules/providers';
import { requestMetadata } from '../../platform/api/api-request';
import { Config } from '../../platform/config/load-config';
import { Page, SeeOther } from '../frame/page';
import { BrowserSession, clientOf } from '../http/browser-session';
import type { PortalRequest } from '../http/portal-request';
import { FromAnywhere, Open } from '../http/route-metadata';
import { providerToken, setProviderCookie } from '../http/session-cookie';
import { returnPath } from '../http/sign-in-required';
import { SignInQuery } from '../sign-in/sign-in.requests';
import { AddressPage, ContinuePage } from './provider-sign-in-pages';
import { AddressForm, LogoutForm } from './providers.requests';

const TITLE = 'Sign in';
const SIGN_IN_PAGE = 'sign-in/provider/:token';

/** Signing in through the provider of an organization, or of the installation. */
@Controller()
export class ProviderSignInController {
  constructor(
    private readonly config: Config,
    private readonly providers: Providers,
    private readonly signIns: ProviderSignInService,
    private readonly logouts: ProviderLogoutService,
    private readonly browser: BrowserSession,
  ) {}

  @Get('sign-in/organization')
  @Open()
  askAddress(@Query() { next }: SignInQuery): Page {
    return new Page(TITLE, <AddressPage next={next} />);
  }

  @Post('sign-in/organization')
  @Open()
  async find(@Body() { email, next }: AddressForm): Promise<SeeOther> {
    const { id } = await this.providers.forAddress(email);
    return new SeeOther(`/sign-in/provider/${id}?next=${encodeURIComponent(returnPath(next))}`);
  }

  @Get(`${CALLBACK_PATH}/:token`)
  @Open()
  async complete(@Req() request: PortalRequest, @Res({ passthrough: true }) response: Response): Promise<SeeOther> {
    const { caller, portalSession } = request;
    const { pathname: path, search: query } = new URL(request.originalUrl, 'http://portal.invalid');
    const { session, next } = await this.signIns.complete({
      path,
      query,
      browser: providerToken(request, this.config),
      client: clientOf(request, this.config),
      current: caller && portalSession && { sessionId: portalSession.id, caller },
      metadata: requestMetadata(request),
    });
    await this.browser.start(response, session, request);
    return new SeeOther(next);
  }

  /** With a link, so that no other site can begin a sign-in: a person has to follow it. */
  @Get(SIGN_IN_PAGE)
  @Open()
  async begin(
    @Param('token') id: string,
    @Query() { next }: SignInQuery,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page> {
    const { provider, url, browser } = await this.signIns.begin({
      providerId: id,
      browser: providerToken(request, this.config),
      ip: request.ip ?? null,
      next: returnPath(next),
    });
    setProviderCookie(response, this.config, browser, SIGN_IN_MS);
    return new Page(TITLE, <ContinuePage url={url} issuer={provider.issuer} />);
  }

  @Post(`${SIGN_IN_PAGE}/logout`)
  @HttpCode(200)
  @Open()
  @FromAnywhere()
  async logOut(@Param('token') id: string, @Body() { logout_token: token }: LogoutForm): Promise<string> {
    await this.logouts.logOut(id, token);
    return '';
  }
}
