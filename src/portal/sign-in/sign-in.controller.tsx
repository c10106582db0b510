import { Body, Controller, Get, Post, Query, Redirect, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '../../kernel/domain-error';
import { LIFETIME_MS, SessionsService } from '../../modules/identity';
import { requestMetadata } from '../../platform/api/api-request';
import type { Caller } from '../../platform/api/caller';
import { Config } from '../../platform/config/load-config';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { Page } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { Changes, Open } from '../http/route-metadata';
import { clearSessionCookie, setSessionCookie } from '../http/session-cookie';
import { returnPath } from '../http/sign-in-required';
import { SignInPage } from './sign-in-page';
import { SignInForm, SignInQuery } from './sign-in.requests';

const TITLE = 'Sign in';

@Controller()
export class SignInController {
  constructor(
    private readonly config: Config,
    private readonly sessions: SessionsService,
  ) {}

  @Get('sign-in')
  @Open()
  show(@Query() { next }: SignInQuery): Page {
    return new Page(TITLE, <SignInPage next={next} />);
  }

  /** A new token for each sign-in, so that a token which an attacker planted is worth nothing. */
  @Post('sign-in')
  @Open()
  async signIn(
    @Body() { email, password, next }: SignInForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page | undefined> {
    const { ip = null } = request;
    const userAgent = request.get('user-agent') ?? null;
    const signIn = { email, password, ip, userAgent, metadata: requestMetadata(request) };
    try {
      setSessionCookie(response, this.config, await this.sessions.signIn(signIn), LIFETIME_MS);
      response.redirect(303, returnPath(next));
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      response.status(error.kind === 'too_many_requests' ? 429 : 401);
      return new Page(TITLE, <SignInPage email={email} next={next} error={error.message} />);
    }
  }

  @Post('sign-out')
  @Redirect('/sign-in', 303)
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
