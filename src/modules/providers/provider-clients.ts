import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { createRemoteJWKSet, customFetch as joseFetch, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import * as openid from 'openid-client';
import { Clock } from '../../kernel/clock';
import { isLine } from '../../kernel/plain-text';
import { Config } from '../../platform/config/load-config';
import { OUTBOUND_ERRORS, OutboundRequests } from '../webhooks';
import { type ProviderClaims, claimsOf, shownClaims } from './domain/provider-claims';
import { portalUrlMissing, ProviderFailure } from './domain/provider.errors';
import { failureOf, issuerDiffers, Unreachable } from './domain/provider-failure';

/** What the protocol needs to know of a provider. */
export interface ProviderClient {
  readonly organizationId: number | null;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly groupsClaim: string;
}

export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface ProviderAnswer {
  readonly claims: ProviderClaims;
  readonly refreshToken: string | undefined;
}

interface KnownClient {
  readonly configuration: openid.Configuration;
  readonly keys: JWTVerifyGetKey;
}

/** Keys are fetched again for an unknown one, at most once in this time. */
const KEYS_COOLDOWN_MS = 60_000;
const METADATA_MS = 3_600_000;
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
  private readonly clients = new LRUCache<string, Promise<KnownClient>>({ max: 1_000, ttl: METADATA_MS });

  constructor(
    private readonly outbound: OutboundRequests,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Throws unless the provider answers, and calls itself by this issuer. */
  async require(provider: ProviderClient): Promise<void> {
    if (this.config.PORTAL_URL === undefined) throw portalUrlMissing();
    this.outbound.requireUrl(provider.issuer, provider.organizationId ?? 0, 'issuer');
    await this.clientOf(provider);
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
      if (!/^https?:$/.test(url.protocol)) throw new ProviderFailure('Its authorization_endpoint is no web address.');
      return url.href;
    });
  }

  /** `query` is that of the address which the provider has sent the browser to. */
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
    const name = createHash('sha256')
      .update(JSON.stringify([organizationId, issuer, clientId, clientSecret]))
      .digest('hex');
    const known = this.clients.get(name);
    if (known !== undefined) return known;
    const client = this.discover(provider).catch((error: unknown) => {
      this.clients.delete(name);
      throw failureOf(error);
    });
    this.clients.set(name, client);
    return client;
  }

  private async discover({ organizationId, issuer, clientId, clientSecret }: ProviderClient): Promise<KnownClient> {
    const fetch = this.fetchFor(organizationId ?? 0);
    const options = { [openid.customFetch]: fetch, execute: [openid.allowInsecureRequests] };
    const found = await openid.discovery(new URL(issuer), clientId, undefined, undefined, options);
    const metadata = found.serverMetadata();
    // Otherwise any tenant of a provider with many could sign in.
    if (metadata.issuer !== issuer) throw issuerDiffers(metadata.issuer);
    if (metadata.jwks_uri === undefined) throw new ProviderFailure('It has no jwks_uri.');
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authentication = methods.includes('client_secret_basic')
      ? openid.ClientSecretBasic(clientSecret)
      : openid.ClientSecretPost(clientSecret);
    const configuration = new openid.Configuration(metadata, clientId, undefined, authentication);
    configuration[openid.customFetch] = fetch;
    // The egress decides about http. Signatures are checked also of tokens that came from the provider itself.
    openid.allowInsecureRequests(configuration);
    openid.enableNonRepudiationChecks(configuration);
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
      [joseFetch]: (url, { headers }) => fetch(url, { method: 'GET', headers: Object.fromEntries(headers) }),
      cooldownDuration: KEYS_COOLDOWN_MS,
    });
    return { configuration, keys };
  }

  private fetchFor(organizationId: number) {
    return async (url: string, init: FetchInit): Promise<Response> => {
      const method = init.method === 'POST' ? 'POST' : 'GET';
      const body = init.body instanceof URLSearchParams ? init.body.toString() : '';
      const answer = await this.outbound.fetch({ organizationId, url, method, headers: init.headers, body });
      if ('error' in answer) throw new Unreachable(OUTBOUND_ERRORS[answer.error]);
      return new Response(answer.body, { status: answer.status, headers: answer.headers });
    };
  }
}

interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}
