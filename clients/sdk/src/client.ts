import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api-types';
import { InvalidResponseError } from './errors';
import { transport, type TransportOptions } from './transport';

export type Schemas = components['schemas'];
export type AssayClient = Client<paths>;

export interface ClientOptions extends TransportOptions {
  /** The address of the service, with the path prefix of a gateway, if any. */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  /** Aborts every request of this client. */
  readonly signal?: AbortSignal;
  readonly userAgent?: string;
}

/** The operations of docs/openapi.yaml, such as `client.GET('/v1/me')`. All throw an AssayError unless they succeed. */
export function createAssay({ url, key, secret, signal, userAgent, ...options }: ClientOptions): AssayClient {
  return createClient<paths>({
    baseUrl: url.replace(/\/+$/, ''),
    fetch: transport(options),
    ...(signal !== undefined && { signal }),
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
      ...(userAgent !== undefined && { 'user-agent': userAgent }),
    },
  });
}

/** The body of a response: `await dataOf(client.GET('/v1/me'))`. */
export async function dataOf<Data>(
  answer: Promise<{ readonly data?: Data; readonly response: Response }>,
): Promise<Data> {
  const { data, response } = await answer.catch((error: unknown) => {
    if (error instanceof SyntaxError) throw notOfAssay(error);
    throw error;
  });
  if (data === undefined || (typeof data === 'string' && isJson(response))) throw notOfAssay();
  return data;
}

const isJson = ({ headers }: Response): boolean => headers.get('content-type')?.includes('json') === true;

const notOfAssay = (cause?: unknown): InvalidResponseError =>
  new InvalidResponseError('The response is not one of Assay. Check the address, and what is between it and you.', {
    cause,
  });
