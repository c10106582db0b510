import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { CLIENT, listening } from './openid-provider';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const json =
  (body: unknown): Answer =>
  (_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

/** A provider that answers as a test tells it, for answers that no honest one gives. */
export class HostileProvider {
  /** By path, before the usual answers. */
  readonly answers = new Map<string, Answer>();
  readonly requests: string[] = [];
  private keys: Awaited<ReturnType<typeof generateKeyPair>> | undefined;
  private keyId = 'first';

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  static async start(): Promise<HostileProvider> {
    const server = createServer();
    const self = new HostileProvider(`http://127.0.0.1:${await listening(server)}`, server);
    await self.rotateKeys('first');
    server.on('request', (request, response) => {
      const path = new URL(request.url ?? '', self.issuer).pathname;
      self.requests.push(path);
      const usual = path === '/.well-known/openid-configuration' ? json(self.metadata) : self.notFound;
      (self.answers.get(path) ?? usual)(request, response);
    });
    return self;
  }

  get host(): string {
    return new URL(this.issuer).host;
  }

  get metadata(): Record<string, unknown> {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    };
  }

  answerWith(path: string, body: unknown): void {
    this.answers.set(path, json(body));
  }

  async rotateKeys(keyId: string): Promise<void> {
    this.keyId = keyId;
    this.keys = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(this.keys.publicKey)), kid: keyId, use: 'sig' };
    this.answerWith('/keys', { keys: [key] });
  }

  /** The token endpoint answers with an ID token of these claims. */
  async willSay(claims: JWTPayload, header: { alg?: string } = {}): Promise<void> {
    const token = await this.sign({ iss: this.issuer, aud: CLIENT.client_id, ...claims }, header);
    this.answerWith('/token', { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: token });
  }

  async sign(claims: JWTPayload, { alg = 'RS256' }: { alg?: string } = {}): Promise<string> {
    const { privateKey, publicKey } = this.keys ?? (await generateKeyPair('RS256'));
    const now = Math.floor(Date.now() / 1_000);
    const payload = { iat: now, exp: now + 120, ...claims };
    if (alg === 'none') {
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part({ alg, kid: this.keyId })}.${part(payload)}.`;
    }
    const secret = alg === 'HS256' ? Buffer.from(await exportSPKI(publicKey)) : privateKey;
    return new SignJWT(payload).setProtectedHeader({ alg, kid: this.keyId }).sign(secret);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private readonly notFound: Answer = (_request, response) => void response.writeHead(404).end();
}
