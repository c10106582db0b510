import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import {
  KNOWN_BROWSER_MS,
  KnownBrowsers,
  LIFETIME_MS,
  type NewSession,
  type SessionClient,
  SessionsService,
} from '../../modules/identity';
import { requestMetadata } from '../../platform/api/api-request';
import { Config } from '../../platform/config/load-config';
import type { PortalRequest } from './portal-request';
import { csrfTokenOf, knownBrowserToken, setKnownBrowserCookie, setSessionCookie } from './session-cookie';

/** The browser of a request, as the list of sessions shows it. */
export const clientOf = (request: PortalRequest, config: Config): SessionClient => ({
  ip: request.ip ?? null,
  userAgent: request.get('user-agent') ?? null,
  knownBrowser: knownBrowserToken(request, config),
});

/** The source of a sign-in, with the data of the request for its audit entry. */
export const attemptOf = (request: PortalRequest, config: Config) => ({
  ...clientOf(request, config),
  metadata: requestMetadata(request),
});

/** The address of the portal: as the browser names it, where none is configured. */
export const originOf = (request: PortalRequest, config: Config): string =>
  config.PORTAL_URL ?? `${request.protocol}://${request.get('host')}`;

/** Gives the browser of a request a new session. */
@Injectable()
export class BrowserSession {
  constructor(
    private readonly config: Config,
    private readonly sessions: SessionsService,
    private readonly knownBrowsers: KnownBrowsers,
  ) {}

  /** With the request if only a provider has opened the session. */
  async start(response: Response, { token, userId }: NewSession, provided?: PortalRequest): Promise<void> {
    setSessionCookie(response, this.config, token, LIFETIME_MS);
    const earlier = provided && knownBrowserToken(provided, this.config);
    const known = await this.knownBrowsers.tokenFor(userId, provided === undefined, earlier);
    if (known !== undefined) setKnownBrowserCookie(response, this.config, known, KNOWN_BROWSER_MS);
  }

  /** Ends all sessions of the user and begins one. The page of this response has forms of the new session. */
  async renew(
    userId: number,
    request: PortalRequest,
    response: Response,
    hasUsedPasskey = request.caller?.facts.userId === userId && request.portalSession?.hasUsedPasskey === true,
  ): Promise<void> {
    const client = { ...clientOf(request, this.config), hasUsedPasskey };
    const own = request.caller?.facts.userId === userId ? request.portalSession?.id : undefined;
    const { id, token } = await this.sessions.renew(userId, client, own);
    await this.start(response, { token, userId });
    if (request.portalSession !== undefined)
      request.portalSession = { id, csrfToken: csrfTokenOf(token), hasUsedPasskey, unmet: [] };
  }
}
