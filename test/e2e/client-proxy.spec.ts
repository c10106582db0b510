import { createServer as createHttp, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { nodeFetch } from '../../clients/sdk/src';
import { certificate } from '../../src/engine/testing/certificate';
import { AUTHORITY } from '../../src/engine/testing/test-authority';

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));

const tunnels: string[] = [];
/** Connections past the proxy have other ports. */
const tunneled = new Set<number | undefined>();
const received: { readonly isTunneled: boolean; readonly authorization: string | undefined }[] = [];

const proxy = createHttp().on('connect', (request, socket) => {
  tunnels.push(request.url ?? '');
  const onward = connect(portOf(service), '127.0.0.1', () => {
    tunneled.add(onward.localPort);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(onward).pipe(socket);
  });
  onward.on('error', () => socket.destroy());
  socket.on('error', () => onward.destroy());
});
const service = createHttps(
  certificate({ names: ['assay.example', 'localhost', '127.0.0.1'], issuer: AUTHORITY }),
  (request, response) => {
    const { authorization } = request.headers;
    received.push({ isTunneled: tunneled.has(request.socket.remotePort), authorization });
    response.end('{"ok":true}');
  },
);

beforeAll(() => Promise.all([listening(proxy), listening(service)]));
afterAll(() => {
  for (const server of [proxy, service]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  tunnels.length = 0;
  received.length = 0;
});

const fetchThrough = (url: string): Promise<Response> =>
  nodeFetch({ proxy: `http://127.0.0.1:${portOf(proxy)}`, ca: AUTHORITY.cert })(
    new Request(url, { headers: { authorization: 'Basic a-key' } }),
  );

it('the clients reach an HTTPS service through the tunnel of a proxy alone', async () => {
  const answer = await fetchThrough('https://assay.example/v1/me');
  expect(await answer.json()).toEqual({ ok: true });
  expect([tunnels, received]).toEqual([['assay.example:443'], [{ isTunneled: true, authorization: 'Basic a-key' }]]);
});

it.each(['https://other.example/', 'https://192.0.2.7/', 'https://[2001:db8::7]/'])(
  'the clients send nothing to %s behind a proxy where the certificate is of another name',
  async (url) => {
    await expect(fetchThrough(url)).rejects.toThrow(/altnames/);
    expect([tunnels.length, received]).toEqual([1, []]);
  },
);
