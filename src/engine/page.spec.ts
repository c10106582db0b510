import type { Socket } from 'node:net';
import { fetchPage, isFromCache, type Reach } from './page';
import { HostileServer, once, transportTo } from './testing/hostile-server';
import { parseEndpoint } from './transport/endpoint';
import { Headers } from './transport/headers';
import type { HttpAnswer } from './transport/http';

const started: HostileServer[] = [];
const serve = async (behave: (socket: Socket) => void): Promise<HostileServer> => {
  const server = await new HostileServer(behave).start();
  started.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

const redirect = (location: string): string =>
  `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;

async function fetched(server: HostileServer, bystander?: HostileServer, reach?: Reach) {
  const reachable = [server, ...(bystander ? [bystander] : [])];
  const egressAllow = reachable.map(({ port }) => parseEndpoint(`127.0.0.1:${port}`));
  const request = { scheme: 'http', host: '127.0.0.1', port: server.port, path: '/a' } as const;
  const via = { signal: new AbortController().signal };
  return fetchPage(transportTo(server.port, { egressAllow }), request, { hops: 3, reach }, via, () => {});
}

describe('fetchPage', () => {
  it('follows redirects on the same host and port, up to the limit', async () => {
    const server: HostileServer = await serve((socket) => once(redirect(`/a?${server.connections}`))(socket));
    const page = await fetched(server);
    expect(page).toMatchObject({ status: 302, hops: [{ status: 302 }, { status: 302 }, { status: 302 }] });
    expect(server.heard.join('')).toContain('GET /a?3 HTTP/1.1');
  });

  it('stops at a redirect loop', async () => {
    const server = await serve(once(redirect('/a?again')));
    expect(await fetched(server)).toMatchObject({ status: 302, hops: [{ status: 302 }] });
    expect(server.connections).toBe(2);
  });

  it('does not follow a redirect to another host', async () => {
    const far = `/${'a/../%2e%2e/'.repeat(4_000)}`;
    const server = await serve(once(redirect(far)));
    const { hops } = await fetched(server);
    expect(hops.length).toBeLessThanOrEqual(3);
    expect(server.connections).toBeLessThanOrEqual(4);
    const many = await serve(once(`HTTP/1.1 302 Found\r\n${'Location: /b\r\n'.repeat(3_000)}\r\n`));
    expect((await fetched(many)).hops).toHaveLength(1);
  });

  it('stays on its scheme when it must not leave the origin', async () => {
    const server: HostileServer = await serve((socket) => once(redirect(`https://127.0.0.1:${server.port}/a`))(socket));
    expect(await fetched(server, undefined, 'origin')).toMatchObject({ status: 302, hops: [] });
    expect(server.connections).toBe(1);
  });

  it.each([
    ['another port', (port: number) => `http://127.0.0.1:${port}/`],
    ['another port in another spelling', (port: number) => `//0x7f.1:${port}/`],
    ['another name of the same address', (port: number) => `http://localhost:${port}/`],
    ['another name on the same port', (_port: number, own: number) => `http://localhost:${own}/`],
    ['a user', (port: number, own: number) => `http://user@127.0.0.1:${own}/?${port}`],
    ['another scheme', (port: number) => `ftp://127.0.0.1:${port}/`],
    ['nothing that can be read', () => 'http://['],
  ])('does not follow a redirect to %s', async (_what, location) => {
    const bystander = await serve(once('HTTP/1.1 200 OK\r\n\r\n'));
    const server: HostileServer = await serve((socket) => {
      socket.once('data', () => socket.end(redirect(location(bystander.port, server.port))));
    });
    expect(await fetched(server, bystander)).toMatchObject({ status: 302, hops: [] });
    expect(server.connections).toBe(1);
    expect(bystander.connections).toBe(0);
  });
});

describe('isFromCache', () => {
  it.each([
    ['x-rack-cache', 'fresh', true],
    ['x-rack-cache', 'stale, valid, store', true],
    ['x-rack-cache', 'miss, store', false],
    ['x-cache', 'Refresh from origin', false],
    ['cache-control', 's-maxage=60, stale-while-revalidate=300', false],
    ['cache-status', 'edge; hit', true],
  ])('treats "%s: %s" as a stored response: %s', (name, value, isStored) => {
    expect(isFromCache({ headers: new Headers([[name, value]]) } as unknown as HttpAnswer)).toBe(isStored);
  });
});
