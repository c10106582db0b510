import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { LIFETIME_MS, type SessionClient, SessionsService } from '../../modules/identity';
import { Config } from '../../platform/config/load-config';
import type { PortalRequest } from './portal-request';
import { csrfTokenOf, setSessionCookie } from './session-cookie';

/** The browser of a request, as the list of sessions shows it. */
export const clientOf = (request: PortalRequest): SessionClient => ({
  ip: request.ip ?? null,
  userAgent: request.get('user-agent') ?? null,
});

/** Gives the browser of a request a new session. */
@Injectable()
export class BrowserSession {
  constructor(
    private readonly config: Config,
    private readonly sessions: SessionsService,
  ) {}

  start(response: Response, token: string): void {
    setSessionCookie(response, this.config, token, LIFETIME_MS);
  }

  /** Ends all sessions of the user and begins one. The page of this response has forms of the new session. */
  async renew(userId: number, request: PortalRequest, response: Response): Promise<void> {
    const { id, token } = await this.sessions.renew(userId, clientOf(request));
    this.start(response, token);
    if (request.portalSession !== undefined) request.portalSession = { id, csrfToken: csrfTokenOf(token) };
  }
}
