import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { certificate, type TestCertificate } from '../../../engine/testing/certificate';
import { closeAfterTest } from './resources';

export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = readonly [status: number, body?: object];

async function start(listener: RequestListener, cert?: TestCertificate): Promise<number> {
  const server = cert === undefined ? createServer(listener) : createTlsServer(cert, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterTest(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const { method, url, headers } = request;
  const body = (await json(request).catch(() => ({}))) as ReceivedRequest['body'];
  return { method, url, authorization: headers.authorization, body };
}

const send = (response: ServerResponse, [status, body]: Answer): unknown =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(body && JSON.stringify(body));

/** The routes of the service for tokens of one use. `answer` may also end the socket of the response. */
export async function startRegistrations(
  answer: (request: ReceivedRequest, response: ServerResponse) => Answer | undefined,
): Promise<{ readonly url: URL; readonly requests: ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  const port = await start((request, response) => {
    void receive(request).then((received) => {
      requests.push(received);
      const given = answer(received, response);
      if (given !== undefined) send(response, given);
    });
  });
  return { url: new URL(`http://127.0.0.1:${port}`), requests };
}

const NAMESPACE = 'networks';
const ACCOUNT_TOKEN = 'account-token';

/** The part of the API of Kubernetes that serves one Secret to one account, with the rules of a merge patch. */
export class TestCluster {
  readonly requests: ReceivedRequest[] = [];
  data: Record<string, string>;
  private version = 1;
  private readonly certificate = certificate({ names: ['127.0.0.1'] });
  private port = 0;

  constructor(
    readonly secret: string,
    values: Readonly<Record<string, string>>,
  ) {
    this.data = Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    );
  }

  /** What a pod has: the variables, and the files of its account in a folder. */
  async start(account: string): Promise<NodeJS.ProcessEnv> {
    this.port = await start((request, response) => {
      void receive(request).then((received) => {
        this.requests.push(received);
        send(response, this.answer(received, request));
      });
    }, this.certificate);
    mkdirSync(account, { recursive: true });
    const files = { token: ACCOUNT_TOKEN, namespace: NAMESPACE, 'ca.crt': this.certificate.cert };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(account, name), text);
    return { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(this.port) };
  }

  get values(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
  }

  private answer({ method, url, authorization, body }: ReceivedRequest, { headers }: IncomingMessage): Answer {
    if (authorization !== `Bearer ${ACCOUNT_TOKEN}`) return [401];
    if (url !== `/api/v1/namespaces/${NAMESPACE}/secrets/${this.secret}`) return [404];
    if (method === 'GET') return [200, this.object];
    if (method !== 'PATCH' || headers['content-type'] !== 'application/merge-patch+json') return [403];
    const { metadata, data } = body as { metadata: { resourceVersion: string }; data: Record<string, string | null> };
    if (metadata.resourceVersion !== String(this.version)) return [409];
    this.version += 1;
    const merged = Object.entries({ ...this.data, ...data });
    this.data = Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== null));
    return [200, this.object];
  }

  private get object(): object {
    return { kind: 'Secret', metadata: { name: this.secret, resourceVersion: String(this.version) }, data: this.data };
  }
}
