import { currentContract } from './contract';

export interface Credentials {
  readonly accessKey: string;
  readonly secret: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The unparsed text, for byte-for-byte comparisons. */
  readonly text: string;
  // Untyped: each test asserts what it needs, and the client has validated the body against the OpenAPI document.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export const basic = ({ accessKey, secret }: Credentials): string =>
  `Basic ${Buffer.from(`${accessKey}:${secret}`).toString('base64')}`;

/** A client of the API that validates every JSON response against the OpenAPI document. */
export class Client {
  constructor(
    private readonly base: () => string,
    private readonly credentials?: Credentials,
  ) {}

  get = (path: string, headers?: Record<string, string>): Promise<Answer> => this.send('GET', path, undefined, headers);
  delete = (path: string, headers?: Record<string, string>): Promise<Answer> =>
    this.send('DELETE', path, undefined, headers);
  post = (path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    this.send('POST', path, body, headers);
  put = (path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    this.send('PUT', path, body, headers);
  patch = (path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    this.send('PATCH', path, body, headers);

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob;
    const response = await fetch(this.base() + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.credentials && { authorization: basic(this.credentials) }),
        ...(body !== undefined && { 'content-type': body instanceof Blob ? body.type : 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : isRaw ? (body as string) : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
    const parsed: unknown = text !== '' && isJson ? JSON.parse(text) : undefined;
    if (method !== 'HEAD' && (isJson || text === '')) currentContract().check(method, path, response.status, parsed);
    return { status: response.status, headers: response.headers, text, body: parsed };
  }
}
