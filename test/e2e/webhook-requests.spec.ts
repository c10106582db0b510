import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificate } from '../../src/engine/testing/certificate';
import { AUTHORITY, trustAuthority } from '../../src/engine/testing/test-authority';
import { OutboundRequests } from '../../src/modules/webhooks';
import { eventually } from '../support/eventually';
import { testConfig } from '../support/api';
import { useDnsServer } from '../support/dns-server';
import { useWebhookReceiver } from '../support/webhook-receiver';

const dns = useDnsServer();
const receiver = useWebhookReceiver();
const other = useWebhookReceiver();

trustAuthority();

let requests: OutboundRequests;

beforeAll(async () => {
  requests = new OutboundRequests(await testConfig({ ...receiver.settings, ...dns.settings }));
});

const post = (url: string, organizationId = 1) =>
  requests.post({ organizationId, url, headers: { 'content-type': 'application/json' }, body: '{"a":1}' });

it('sends the body and the headers once, and closes the connection', async () => {
  const before = receiver.connections;
  expect(await post(receiver.url('/plain?x=1'))).toEqual({ status: 204, ms: expect.any(Number) });
  const [message, ...rest] = receiver.at('/plain?x=1');
  expect(message).toMatchObject({
    body: '{"a":1}',
    headers: { host: receiver.entry, 'content-type': 'application/json', connection: 'close' },
  });
  expect([rest.length, receiver.connections - before]).toEqual([0, 1]);
});

it('accepts or refuses a URL whatever its port is, so that nobody learns which ports the operator allows', async () => {
  const allowed = new URL(receiver.url('/')).port;
  const answerTo = (one: OutboundRequests, url: string): string => {
    try {
      one.requireUrl(url, 1);
      return 'accepted';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const closed = new OutboundRequests(await testConfig());
  for (const host of ['127.0.0.1', '10.20.0.5', 'hooks.example.com', '93.184.216.34'])
    for (const scheme of ['http', 'https'])
      for (const one of [requests, closed]) {
        const [listed, unlisted] = [`${scheme}://${host}:${allowed}/`, `${scheme}://${host}:9/`];
        expect([listed, answerTo(one, listed)]).toEqual([listed, answerTo(one, unlisted)]);
      }
  expect(answerTo(closed, 'http://hooks.example.com/')).toContain('must begin with https://');
  expect(await post('http://127.0.0.1:9/')).toMatchObject({ error: 'address_not_allowed' });
});

it('does not follow a redirect', async () => {
  receiver.status('/redirect', 307, { location: receiver.url('/redirected') });
  expect(await post(receiver.url('/redirect'))).toMatchObject({ status: 307 });
  expect(receiver.at('/redirected')).toEqual([]);
});

it('reads Retry-After as seconds and as a date', async () => {
  receiver.status('/seconds', 429, { 'retry-after': '120' });
  receiver.answer('/date', (_request, response) =>
    response.writeHead(503, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }).end(),
  );
  expect(await post(receiver.url('/seconds'))).toMatchObject({ status: 429, retryAfter: 120 });
  const { retryAfter = 0 } = (await post(receiver.url('/date'))) as { retryAfter?: number };
  expect(retryAfter).toBeGreaterThan(55);
  expect(retryAfter).toBeLessThanOrEqual(60);
});

it('stops reading an answer after 64 KiB', async () => {
  let sent = 0;
  const ended = new Promise<void>((resolve) =>
    receiver.answer('/endless', (_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => {
        sent += 16_384;
        response.write(Buffer.alloc(16_384));
      }, 5);
      response.once('close', () => {
        clearInterval(timer);
        resolve();
      });
    }),
  );
  expect(await post(receiver.url('/endless'))).toMatchObject({ status: 200 });
  await ended;
  expect(sent).toBeLessThan(5_000_000);
});

it('ends a request without an answer, or with an endless one, after ten seconds', async () => {
  receiver.answer('/silent', () => undefined);
  receiver.answer('/slow', (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 500);
    response.once('close', () => clearInterval(timer));
  });
  const answers = await Promise.all([post(receiver.url('/silent')), post(receiver.url('/slow'))]);
  for (const answer of answers) expect(answer).toEqual({ error: 'timeout', ms: expect.any(Number) });
  for (const { ms } of answers) expect(ms).toBeGreaterThan(9_900);
}, 30_000);

it.each([
  ['a loopback address that is not allowed', () => other.url('/x')],
  ['a metadata address', () => 'http://169.254.169.254/latest'],
  ['a private address with https', () => 'https://10.1.2.3/'],
  ['a loopback address as IPv6', () => `https://[::1]:8443/`],
  ['a loopback address as a number', () => other.url('/x', '2130706433')],
  ['http to a public address', () => 'http://93.184.216.34/'],
])('connects to nothing for %s', async (_name, url) => {
  expect(await post(url())).toEqual({ error: 'address_not_allowed', ms: expect.any(Number) });
  expect(other.connections).toBe(0);
});

it('dials the address that it has checked, and refuses one that the name has later', async () => {
  dns.setReply('hooks.test', { a: ['127.0.0.1'] });
  const before = dns.addressQueries;
  expect(await post(receiver.url('/named', 'hooks.test'))).toMatchObject({ status: 204 });
  // Without a second look-up there is no moment in which the name could change its address.
  expect(dns.addressQueries - before).toBe(1);
  expect(receiver.at('/named')[0]?.headers.host).toBe(receiver.url('', 'hooks.test').slice('http://'.length));
  dns.setReply('hooks.test', { a: ['127.0.0.2'] });
  expect(await post(receiver.url('/named', 'hooks.test'))).toMatchObject({ error: 'address_not_allowed' });
  dns.setReply('hooks.test', { a: ['127.0.0.2', '127.0.0.1'] });
  expect(await post(receiver.url('/named', 'hooks.test'))).toMatchObject({ status: 204 });
  expect(receiver.at('/named')).toHaveLength(2);
});

it('sends to an address that is bound to an organization for that organization only', async () => {
  const bound = new OutboundRequests(await testConfig({ WEBHOOK_ALLOW: `7@${receiver.entry}`, ...dns.settings }));
  const to = (organizationId: number) =>
    bound.post({ organizationId, url: receiver.url('/bound'), headers: {}, body: '' });
  expect(await to(8)).toMatchObject({ error: 'address_not_allowed' });
  const secure = receiver.url('/bound').replace('http:', 'https:');
  const toSecure = (organizationId: number) => bound.post({ organizationId, url: secure, headers: {}, body: '' });
  expect([await toSecure(8), await toSecure(7)]).toMatchObject([{ error: 'address_not_allowed' }, { error: 'tls' }]);
  expect(await to(7)).toMatchObject({ status: 204 });
  expect(receiver.at('/bound')).toHaveLength(1);
  expect(() => bound.requireUrl(receiver.url('/bound'), 8)).toThrow('url must begin with https://');
  expect(() => bound.requireUrl(receiver.url('/bound'), 7)).not.toThrow();
});

it('ends a request whose receiver switches to another protocol', async () => {
  receiver.answer('/switching', (request) =>
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
  );
  expect(await post(receiver.url('/switching'))).toMatchObject({ error: 'no_answer' });
});

it('ends a request whose receiver announces answers endlessly', async () => {
  let closed = 0;
  receiver.answer('/announcing', ({ socket }) => {
    const repeat = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50)), 5);
    socket.once('close', () => {
      closed += 1;
      clearInterval(repeat);
    });
  });
  const { ms, ...answer } = await post(receiver.url('/announcing'));
  expect(answer).toEqual({ error: 'no_answer' });
  expect(ms).toBeLessThan(5_000);
  await eventually(async () => expect(closed).toBe(1));
});

it('names what is wrong without an answer', async () => {
  receiver.answer('/broken', (request) => request.socket.end('not http\r\n\r\n'));
  receiver.answer('/closed', (request) => request.socket.destroy());
  expect(await post(receiver.url('/broken'))).toMatchObject({ error: 'no_answer' });
  expect(await post(receiver.url('/closed'))).toMatchObject({ error: 'no_answer' });
  expect(await post('https://nowhere.test/')).toMatchObject({ error: 'unresolved' });
  expect(await post(receiver.url('/x').replace('http:', 'https:'))).toMatchObject({ error: 'tls' });
});

it('refuses URLs that can never be sent to before anything is stored', () => {
  const refusal = (url: string) => {
    try {
      requests.requireUrl(url, 1);
      return 'accepted';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(refusal('https://hooks.example.com/a')).toBe('accepted');
  expect(refusal('https://10.0.0.1/')).toContain('url must lead to a public address.');
  expect(refusal('http://93.184.216.34/')).toContain('url must begin with https://');
  expect(refusal('https://user:pass@hooks.example.com/')).toContain('user information');
  expect(refusal('ftp://hooks.example.com/')).toContain('http or https URL');
});

it('needs a certificate that is valid for the host', async () => {
  dns.setReply('secure.test', { a: ['127.0.0.1'] });
  dns.setReply('other.test', { a: ['127.0.0.1'] });
  const answerOf = async (issuer: typeof AUTHORITY | undefined, host: string) => {
    const { cert, key } = certificate({ names: ['secure.test', '127.0.0.1'], issuer });
    let names: unknown;
    const server = createServer({ cert, key }, (request, response) => {
      names = [request.headers.host, (request.socket as { servername?: unknown }).servername];
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const allowed = new OutboundRequests(await testConfig({ WEBHOOK_ALLOW: `127.0.0.1:${port}`, ...dns.settings }));
    const answer = await allowed.post({ organizationId: 1, url: `https://${host}:${port}/`, headers: {}, body: 'x' });
    await new Promise((resolve) => server.close(resolve));
    return { ...answer, names, port };
  };
  const { port, ...valid } = await answerOf(AUTHORITY, 'secure.test');
  expect(valid).toMatchObject({ status: 204, names: [`secure.test:${port}`, 'secure.test'] });
  expect(await answerOf(AUTHORITY, '127.0.0.1')).toMatchObject({ status: 204 });
  expect(await answerOf(AUTHORITY, 'other.test')).toMatchObject({ error: 'tls' });
  expect(await answerOf(undefined, 'secure.test')).toMatchObject({ error: 'tls' });
});
