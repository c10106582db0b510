import { once } from 'node:events';
import { Agent, type Server, request as httpRequest } from 'node:http';
import { type Socket, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningApi, startApi } from '../support/api';
import { type Credentials, basic } from '../support/client';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { type GatewayName, installedGateways, startDocumentedGateway } from '../support/gateways';

const PATH = '/v1/organizations/';
const HEAD = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;

let api: RunningApi;
let server: Server;

beforeAll(async () => {
  api = await startApi({ TRUSTED_PROXIES: '127.0.0.1' });
  server = api.app.getHttpServer();
});
afterAll(() => api.app.close());

const upstreams = () => {
  const { host } = new URL(api.url);
  return { api: [host, host], portal: [host, host] } as const;
};

interface SlowClient {
  readonly socket: Socket;
  received(): string;
  isClosed(): boolean;
}

/** Sends the beginning at once, and then a byte every 100 milliseconds, or nothing more. */
async function slowClient(port: number, beginning: string, trickles: boolean): Promise<SlowClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.5' });
  let text = '';
  let closed = false;
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(beginning);
  const trickle = setInterval(() => (trickles && socket.writable ? socket.write('x') : undefined), 100);
  // The gateway or the service has closed its side.
  for (const event of ['end', 'close'])
    socket.once(event, () => {
      clearInterval(trickle);
      closed = true;
    });
  return { socket, received: () => text, isClosed: () => closed };
}

const IN_HEADERS = `${HEAD}X-Slow: `;
const restOfHeaders = 'Content-Length: 100000\r\n\r\n{"name":"';
const IN_BODY = `${HEAD}${restOfHeaders}`;
/** Without credentials, the service answers before the body. */
const inBodyOf = (credentials: Credentials): string =>
  `${HEAD}Authorization: ${basic(credentials)}\r\n${restOfHeaders}`;

describe('a request that arrives slowly', () => {
  it.each([
    ['headers', async () => IN_HEADERS],
    ['body', async () => inBodyOf((await new Factories(api).integrator()).credentials)],
  ])('is answered with a 408 and disconnected by the service: slow %s', async (_what, of) => {
    const beginning = await of();
    const { requestTimeout, headersTimeout } = server;
    const patient = await startApi();
    const clients = [
      await slowClient(api.port, beginning, true),
      await slowClient(patient.port, beginning, true),
    ] as const;
    try {
      expect([requestTimeout, headersTimeout]).toEqual([30_000, 30_000]);
      Object.assign(server, { requestTimeout: 1_000, headersTimeout: 1_000 });
      await eventually(async () => expect(clients[0].isClosed()).toBe(true), 25_000);
      expect(clients[0].received()).toMatch(/^HTTP\/1\.1 408 [^]*did not arrive in time/);
      // Because of its time, and not for another reason.
      expect([clients[1].isClosed(), clients[1].received()]).toEqual([false, '']);
      expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
    } finally {
      Object.assign(server, { requestTimeout, headersTimeout });
      for (const { socket } of clients) socket.destroy();
      await patient.app.close();
    }
  });

  const shorten: Record<GatewayName, (text: string) => string> = {
    nginx: (text) => text.replaceAll(/(client_(?:header|body)_timeout +)30s/g, '$11s'),
    haproxy: (text) => text.replace('timeout http-request 30s', 'timeout http-request 1s'),
    caddy: (text) => text.replaceAll(/(read_(?:header|body)) 30[sm]/g, '$1 1s'),
  };

  it.each(installedGateways)(
    'is disconnected by %s after the times in deploy/gateways, and does not take a connection of the service',
    async (name) => {
      const quick = await startDocumentedGateway(name, upstreams(), shorten[name]);
      const documented = await startDocumentedGateway(name, upstreams());
      const connect = (port: number): Promise<SlowClient[]> =>
        Promise.all([
          slowClient(port, IN_HEADERS, true),
          // The time of nginx is that between two parts of the body.
          slowClient(port, IN_BODY, name !== 'nginx'),
        ]);
      const [cut, kept] = [await connect(quick.port), await connect(documented.port)];
      try {
        for (const client of cut) await eventually(async () => expect(client.isClosed()).toBe(true), 25_000);
        expect(kept.map((client) => client.isClosed())).toEqual([false, false]);
        expect((await fetch(`${quick.url}/healthz`)).status).toBe(200);
      } finally {
        for (const { socket } of [...cut, ...kept]) socket.destroy();
        await quick.stop();
        await documented.stop();
      }
    },
  );
});

describe('connections that a gateway keeps', () => {
  const CLIENTS = 40;
  const TURNS = 8;
  /** As 60 and 75 seconds, but shorter. The difference leaves time for a busy machine. */
  const [ofGateway, ofService] = ['2s', 3_500];
  const shorten: Record<GatewayName, (text: string) => string> = {
    nginx: (text) => text.replaceAll('keepalive_timeout 3s', `keepalive_timeout ${ofGateway}`),
    haproxy: (text) => text.replace('timeout server 60s', `timeout server ${ofGateway}`),
    caddy: (text) => text.replace('keepalive 60s', `keepalive ${ofGateway}`),
  };

  it.each(installedGateways)('fail no request of %s when they have been idle for about their time', async (name) => {
    const { keepAliveTimeout } = server;
    server.keepAliveTimeout = ofService;
    const gateway = await startDocumentedGateway(name, upstreams(), shorten[name]);
    const agent = new Agent({ keepAlive: true });
    const connections = new Set<Socket>();
    const note = (socket: Socket): unknown => connections.add(socket);
    server.on('connection', note);
    const statuses: (number | string)[] = [];
    const send = (): Promise<number | string> =>
      new Promise((resolve) => {
        const request = httpRequest(`${gateway.url}${PATH}`, { method: 'POST', agent }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0));
        });
        request.once('error', (error) => resolve(error.message)).end();
      });
    const client = async (number: number): Promise<void> => {
      for (let turn = 0; turn < TURNS; turn++) {
        statuses.push(await send());
        // Idle for between 1 and 4 seconds, which is different for all clients and turns.
        await delay(1_000 + ((number * 7 + turn * 13) % CLIENTS) * 75);
      }
    };
    try {
      await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
      // Without credentials, so that the requests are refused early. Others would be a 502 of the gateway.
      expect(statuses.filter((status) => status !== 401)).toEqual([]);
      expect(statuses).toHaveLength(CLIENTS * TURNS);
      // Some connections were used again, and the others had become too old.
      expect(connections.size).toBeLessThan(statuses.length);
    } finally {
      server.off('connection', note);
      server.keepAliveTimeout = keepAliveTimeout;
      agent.destroy();
      await gateway.stop();
    }
  });
});
