import { createRemoteJWKSet, customFetch as joseFetch, type JWTVerifyGetKey } from 'jose';
import * as openid from 'openid-client';
import { OUTBOUND_ERRORS, type OutboundRequests } from '../webhooks';
import { keptText, keysOf, MAX_DOCUMENT_BYTES, metadataOf } from './domain/provider-documents';
import { ProviderFailure } from './domain/provider.errors';
import { issuerDiffers, Unreachable } from './domain/provider-failure';

/** What the protocol needs to know of a provider. */
export interface ProviderClient {
  readonly organizationId: number | null;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly groupsClaim: string;
}

export interface KnownClient {
  readonly configuration: openid.Configuration;
  readonly keys: JWTVerifyGetKey;
}

/** Keys are fetched again for an unknown one, at most once in this time. */
const KEYS_COOLDOWN_MS = 60_000;

/** Asks a provider about itself. Throws unless it calls itself by this issuer. */
export async function discoverProvider(
  outbound: OutboundRequests,
  { organizationId, issuer, clientId, clientSecret }: ProviderClient,
): Promise<KnownClient> {
  const fetch = fetchFor(outbound, organizationId ?? 0);
  const options = {
    [openid.customFetch]: (url: string, init: FetchInit) => fetch(url, init, metadataOf),
    execute: [openid.allowInsecureRequests],
  };
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
  const keysUrl = new URL(metadata.jwks_uri);
  configuration[openid.customFetch] = (url: string, init: FetchInit) =>
    fetch(url, init, url === keysUrl.href ? keysOf : undefined);
  // The egress decides about http. Signatures are checked also of tokens that came from the provider itself.
  openid.allowInsecureRequests(configuration);
  openid.enableNonRepudiationChecks(configuration);
  const keys = createRemoteJWKSet(keysUrl, {
    [joseFetch]: (url, { headers }) => fetch(url, { method: 'GET', headers: Object.fromEntries(headers) }, keysOf),
    cooldownDuration: KEYS_COOLDOWN_MS,
  });
  return { configuration, keys };
}

interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

function fetchFor(outbound: OutboundRequests, organizationId: number) {
  /** Only the answers whose part is taken are kept in memory. */
  return async (url: string, init: FetchInit, partOf?: (document: unknown) => object): Promise<Response> => {
    const method = init.method === 'POST' ? 'POST' : 'GET';
    const body = init.body instanceof URLSearchParams ? init.body.toString() : '';
    const maxBytes = partOf && MAX_DOCUMENT_BYTES;
    const answer = await outbound.fetch({ organizationId, url, method, headers: init.headers, body, maxBytes });
    if ('error' in answer) throw new Unreachable(OUTBOUND_ERRORS[answer.error]);
    const { status, headers } = answer;
    const isKept = partOf !== undefined && status === 200;
    return new Response(isKept ? keptText(partOf(JSON.parse(answer.body.toString()))) : answer.body, {
      status,
      headers,
    });
  };
}
