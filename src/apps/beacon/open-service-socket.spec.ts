import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { certificate } from '../../engine/testing/certificate';
import { openServiceSocket } from './open-service-socket';
import { parseProxy } from './proxy';
import { closeAfterTest, until, useResources } from './testing/resources';
import { connectedAgent, TestAgent } from './testing/test-agent';
import { TestService } from './testing/test-service';

useResources();

/** Tunnels to the port of each CONNECT on loopback, whatever the host. */
async function startProxy(status = 200) {
  const requests: string[] = [];
  const proxy = createServer((client) => {
    client.on('error', () => {});
    client.once('data', (head: Buffer) => {
      requests.push(head.toString());
      const port = Number(/^CONNECT \S+:(\d+) /.exec(head.toString())?.[1]);
      client.write(`HTTP/1.1 ${status} Status\r\n${status === 200 ? '' : 'Content-Length: 0\r\n'}\r\n`);
      if (status !== 200) return;
      const server = connect({ host: '127.0.0.1', port });
      server
        .on('error', () => {})
        .pipe(client)
        .pipe(server);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  closeAfterTest(() => proxy.close());
  return { url: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, requests };
}

describe('a proxy', () => {
  it('is asked to connect to the service, by its name', async () => {
    const authority = certificate({ names: ['assay.test'] });
    const service = await TestService.start({ certificate: authority });
    const proxy = await startProxy();
    const { agent } = await connectedAgent(service, {
      url: new URL(`https://assay.test:${service.port}/base/`),
      ca: authority.cert,
      proxy: parseProxy(`http://${proxy.url}`, '--proxy'),
    });
    expect(proxy.requests[0]).toMatch(new RegExp(`^CONNECT assay\\.test:${service.port} HTTP/1\\.1\r\nHost: assay`));
    expect(proxy.requests[0]).not.toContain('Proxy-Authorization');
    // The proxy sees nothing of the token.
    expect(proxy.requests[0]).not.toContain('Authorization');
    expect(service.requests[0]?.url).toBe('/base/v1/beacons/connect');
    expect(agent.logged('started')).toMatchObject([{ proxy: proxy.url }]);
  });

  it('receives the credentials of its URL, which are not logged', async () => {
    const service = await TestService.start();
    const proxy = await startProxy();
    const { agent } = await connectedAgent(service, { proxy: parseProxy(`http://me:p%40ss@${proxy.url}`, '--proxy') });
    expect(proxy.requests[0]).toContain(`Proxy-Authorization: Basic ${Buffer.from('me:p@ss').toString('base64')}\r\n`);
    expect(JSON.stringify(agent.lines)).not.toMatch(/p@ss|p%40ss/);
  });

  it.each([
    [407, true, 'Put the user and the password into the URL of the proxy'],
    [403, true, 'Allow CONNECT to this host and port'],
    [502, false, 'The proxy cannot reach the service'],
  ])('that answers %i is named in the log', async (status, refused, sentence) => {
    const service = await TestService.start();
    const proxy = await startProxy(status);
    const agent = new TestAgent({ url: service.url, proxy: parseProxy(proxy.url, 'HTTPS_PROXY') });
    expect([await agent.log('disconnected')]).toMatchObject([
      {
        refused,
        reason: expect.stringMatching(new RegExp(`^The proxy ${proxy.url} answered ${status}.*${sentence}`)) as unknown,
      },
    ]);
    expect(service.requests).toEqual([]);
  });
});

it('the service and its proxy are known by their addresses, to which no target may lead', async () => {
  const service = await TestService.start();
  const proxy = await startProxy();
  const proxied = { url: service.url, ca: undefined, proxy: parseProxy(proxy.url, '--proxy') };
  const opened = await openServiceSocket(proxied, new AbortController().signal);
  closeAfterTest(() => opened.socket.destroy());
  await until(() => opened.endpoints.some(({ port }) => port === service.port));
  const known = opened.endpoints.map(({ address, port }) => `${address}:${port}`);
  expect(new Set(known)).toEqual(new Set([`127.0.0.1:${service.port}`, proxy.url]));
});
