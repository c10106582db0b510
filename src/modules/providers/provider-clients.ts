import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import * as openid from 'openid-client';
import { Clock } from '../../kernel/clock';
import { isLine } from '../../kernel/plain-text';
import { FailureThrottle } from '../../platform/auth/failure-throttle';
import { Config } from '../../platform/config/load-config';
import { OutboundRequests } from '../webhooks';
import { discoverProvider, type KnownClient, type ProviderClient } from './discover-provider';
import { type ProviderClaims, claimsOf, shownClaims } from './domain/provider-claims';
import { portalUrlMissing, ProviderFailure, tooManySettings } from './domain/provider.errors';
import { failureOf } from './domain/provider-failure';

export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface ProviderAnswer {
  readonly claims: ProviderClaims;
  readonly refreshToken: string | undefined;
}

interface RememberedClient {
  /** A hash of the settings that an owner has saved. */
  readonly settings: string;
  readonly client: Promise<KnownClient>;
}

const METADATA_MS = 3_600_000;
const MAX_CLIENTS = 1_000;
/** Providers that an organization tries in its settings. */
const TRIED_PER_MINUTE = 10;
/** Never `none` and never a shared secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Of the clock of a provider, which may be ahead. */
const MAX_SKEW_SECONDS = 60;
const SUBJECT = /^[\x20-\x7e]{1,255}$/;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const GOOGLE = 'https://accounts.google.com';

export const CALLBACK_PATH = '/sign-in/provider/callback';

/** Another one for each organization, so that a provider cannot make the code of another's provider its own. */
export const callbackPathOf = (organizationId: number | null): string =>
  `${CALLBACK_PATH}/${organizationId ?? 'installation'}`;

/** OpenID Connect, through the egress of webhooks. Its errors are `ProviderFailure`s. */
@Injectable()
export class ProviderClients {
  /** One of each organization, as it was saved last. */
  private readonly clients = new LRUCache<number, RememberedClient>({ max: MAX_CLIENTS, ttl: METADATA_MS });
  private readonly tried: FailureThrottle;

  constructor(
    private readonly outbound: OutboundRequests,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.tried = new FailureThrottle(TRIED_PER_MINUTE, clock);
  }

  /** Throws unless the provider answers, and calls itself by this issuer. It is not saved yet, so nothing is cached. */
  async require(provider: ProviderClient): Promise<void> {
    if (this.config.PORTAL_URL === undefined) throw portalUrlMissing();
    this.outbound.requireUrl(provider.issuer, provider.organizationId ?? 0, 'issuer');
    const wait = this.tried.fail(String(provider.organizationId));
    if (wait !== undefined) throw tooManySettings(wait);
    await discoverProvider(this.outbound, provider).catch((error: unknown) => {
      throw failureOf(error);
    });
  }

  authorizationUrl(provider: ProviderClient, { state, nonce, verifier }: PendingSignIn): Promise<string> {
    return this.ask(provider, async ({ configuration }) => {
      const { scopes_supported: scopes } = configuration.serverMetadata();
      const isOffline = scopes === undefined || scopes.includes('offline_access');
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: this.redirectUriOf(provider),
        scope: `openid email profile${isOffline ? ' offline_access' : ''}`,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // Google has no scope for refresh tokens.
        ...(provider.issuer === GOOGLE && { access_type: 'offline', prompt: 'consent' }),
      });
      return url.href;
    });
  }

  /** `query` is the query of the address that the provider has sent the browser to. */
  redeem(provider: ProviderClient, query: string, { state, nonce, verifier }: PendingSignIn): Promise<ProviderAnswer> {
    return this.ask(provider, async ({ configuration }) => {
      const url = new URL(this.redirectUriOf(provider));
      url.search = query;
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await openid.authorizationCodeGrant(configuration, url, checks);
      return this.answerOf(provider, configuration, tokens);
    });
  }

  /** Without claims if the provider sends no ID token. */
  refresh(provider: ProviderClient, token: string): Promise<Partial<ProviderAnswer>> {
    return this.ask(provider, async ({ configuration }) => {
      const tokens = await openid.refreshTokenGrant(configuration, token);
      return tokens.id_token === undefined
        ? { refreshToken: tokens.refresh_token }
        : this.answerOf(provider, configuration, tokens);
    });
  }

  verifyLogout(provider: ProviderClient, token: string): Promise<JWTPayload> {
    return this.ask(provider, async ({ keys }) => {
      const { payload } = await jwtVerify(token, keys, {
        issuer: provider.issuer,
        audience: provider.clientId,
        algorithms: ALGORITHMS,
        maxTokenAge: 300,
        clockTolerance: 30,
        requiredClaims: ['jti', 'events'],
      });
      const events = payload['events'] as Record<string, unknown> | null;
      if (typeof events?.[LOGOUT_EVENT] !== 'object' || 'nonce' in payload)
        throw new ProviderFailure('It is no logout token.');
      if (![payload.sub, payload['sid']].every((one) => typeof one !== 'string' || isLine(one)))
        throw new ProviderFailure('Its sub or sid has characters that no name has.');
      return payload;
    });
  }

  private redirectUriOf({ organizationId }: ProviderClient): string {
    if (this.config.PORTAL_URL === undefined) throw portalUrlMissing();
    return this.config.PORTAL_URL + callbackPathOf(organizationId);
  }

  private async answerOf(
    provider: ProviderClient,
    configuration: openid.Configuration,
    tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers,
  ): Promise<ProviderAnswer> {
    const own = tokens.claims();
    if (own === undefined) throw new ProviderFailure('It sent no ID token.');
    if (own.iat > this.clock.now().getTime() / 1_000 + MAX_SKEW_SECONDS)
      throw new ProviderFailure('Its iat is in the future: compare the clocks.');
    if (!SUBJECT.test(own.sub)) throw new ProviderFailure('Its sub is longer than 255 ASCII characters.');
    try {
      const isComplete = 'email' in own && provider.groupsClaim in own;
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined && !isComplete;
      const more = hasMore ? await openid.fetchUserInfo(configuration, tokens.access_token, own.sub) : {};
      return { claims: claimsOf({ ...more, ...own }, provider.groupsClaim), refreshToken: tokens.refresh_token };
    } catch (error) {
      throw failureOf(error, shownClaims(own));
    }
  }

  private async ask<T>(provider: ProviderClient, work: (client: KnownClient) => Promise<T>): Promise<T> {
    try {
      return await work(await this.clientOf(provider));
    } catch (error) {
      throw failureOf(error);
    }
  }

  private clientOf(provider: ProviderClient): Promise<KnownClient> {
    const { organizationId, issuer, clientId, clientSecret } = provider;
    const owner = organizationId ?? 0;
    const settings = createHash('sha256')
      .update(JSON.stringify([issuer, clientId, clientSecret]))
      .digest('hex');
    const known = this.clients.get(owner);
    if (known?.settings === settings) return known.client;
    const client = discoverProvider(this.outbound, provider).catch((error: unknown) => {
      if (this.clients.get(owner)?.client === client) this.clients.delete(owner);
      throw error;
    });
    this.clients.set(owner, { settings, client });
    return client;
  }
}
