import { once } from 'node:events';
import { type IncomingMessage, request as send, type Server } from 'node:http';
import { duplexPair } from 'node:stream';

/** Of a response. The largest ones are reports, which no agent reads. */
const MAX_BYTES = 8 * 1_024 * 1_024;
/** Statuses of responses that cannot have a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** For whom a request is sent. */
export interface Sender {
  /** The address that limits and the audit log count it for. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends requests to this process through a pair of streams instead of a socket, as Node documents it for the event `connection`.
 * So they pass the same middleware, guards, limits and audit as all others.
 */
export const inProcessFetch =
  (server: Server, { address, headers }: Sender) =>
  async (request: Request): Promise<Response> => {
    const [near, far] = duplexPair();
    server.emit('connection', Object.assign(far, { remoteAddress: address }));
    const { pathname, search } = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const outgoing = send({
      method: request.method,
      path: pathname + search,
      headers: {
        ...Object.fromEntries(request.headers),
        ...headers,
        ...(body.length > 0 && { 'content-length': body.length }),
      },
      createConnection: () => near,
      signal: request.signal,
    });
    outgoing.end(body);
    try {
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      return await received(response);
    } finally {
      outgoing.destroy();
    }
  };

async function received(response: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the response has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  const status = response.statusCode ?? 500;
  const pairs = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(WITHOUT_BODY.has(status) ? null : Buffer.concat(chunks), { status, headers: pairs });
}
