import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { Provider } from 'oidc-provider';

export const CLIENT = { client_id: 'assay', client_secret: 'a secret of the client, of some length' };

interface Grant {
  addOIDCScope(scope: string): void;
  save(): Promise<void>;
}

interface GrantContext {
  readonly oidc: {
    readonly provider: { readonly Grant: new (of: object) => Grant };
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
  };
}

const SCOPES = 'openid email profile offline_access';

export const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** oidc-provider on loopback. It signs in at once whom `account` names. */
export class OpenidProvider {
  /** The claims of each account. One that is removed has left. */
  readonly accounts = new Map<string, Record<string, unknown>>();
  account = '';
  /** Where it sends browsers back to. */
  readonly redirectUris: Set<string>;
  /** Whether it answers with errors only. */
  isAway = false;
  /** Called with the logout tokens that it sends to the portal. */
  onLogout: (token: string) => void = () => undefined;

  private constructor(
    readonly issuer: string,
    readonly provider: Provider,
    private readonly server: Server,
    redirectUri: string,
  ) {
    this.redirectUris = new Set([redirectUri]);
    provider.Client.prototype.redirectUriAllowed = (uri) => this.redirectUris.has(uri);
  }

  static async start(portalUrl: string): Promise<OpenidProvider> {
    const redirectUri = `${portalUrl}/sign-in/provider/callback/installation`;
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key: JWK = { ...(await exportJWK(privateKey)), kid: 'first', use: 'sig', alg: 'RS256' };
    const server = createServer();
    const issuer = `http://127.0.0.1:${await listening(server)}`;
    const accounts: { get(id: string): Record<string, unknown> | undefined } = { get: (id) => self.accounts.get(id) };
    // It warns of its store in memory, which tests want.
    const silenced = (['warn', 'info'] as const).map((name) =>
      jest.spyOn(console, name).mockImplementation(() => undefined),
    );
    const provider = new Provider(issuer, {
      clients: [
        {
          ...CLIENT,
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          backchannel_logout_uri: `${issuer}/to-portal`,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ['a key of the cookies'] },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/login/${uid}` },
      issueRefreshToken: () => true,
      pkce: { required: () => true },
      // Without its protection of private addresses, because the portal is on loopback.
      fetch: (url: string, { method, headers, body }: RequestInit) => fetch(url, { method, headers, body }),
      ttl: { Interaction: 600, Grant: 86_400, Session: 86_400, AccessToken: 600, RefreshToken: 86_400, IdToken: 600 },
      findAccount: (_context: unknown, id: string) => {
        const claims = accounts.get(id);
        return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) };
      },
      loadExistingGrant: async ({ oidc }: GrantContext) => {
        const { clientId } = oidc.client;
        const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope(SCOPES);
        await grant.save();
        return grant;
      },
    });
    for (const one of silenced) one.mockRestore();
    const self = new OpenidProvider(issuer, provider, server, redirectUri);
    const handle = provider.callback();
    server.on('request', (request, response) => {
      const { url = '' } = request;
      if (url === '/to-portal')
        void text(request).then((form) => {
          self.onLogout(new URLSearchParams(form).get('logout_token') ?? '');
          response.end();
        });
      else if (self.isAway) response.writeHead(503).end();
      else if (url.startsWith('/login/'))
        void provider.interactionFinished(request, response, { login: { accountId: self.account } });
      else handle(request, response);
    });
    return self;
  }

  get host(): string {
    return new URL(this.issuer).host;
  }

  /** Signs in at the provider, as a browser does that keeps its cookies. Returns the address that it is sent back to. */
  async authorize(url: string, account: string): Promise<URL> {
    this.account = account;
    const cookies = new Map<string, string>();
    for (let step = 0, next = url; step < 10; step++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${response.status} ${await response.text()}`);
      next = new URL(location, next).href;
      if (!next.startsWith(this.issuer)) return new URL(next);
    }
    throw new Error('The provider redirects for ever.');
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
