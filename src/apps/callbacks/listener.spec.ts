import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { randomBytes } from 'node:crypto';
import { decode, encode } from 'dns-packet';
import { newCallbackLabel } from '../../kernel/callback-name';
import { eventually } from '../../../test/support/eventually';
import { certificate } from '../../engine/testing/certificate';
import { Listener } from './listener';
import { type Call, type CallResult, MOST_ROWS, type Protocol, Recorder } from './recorder';
import { SourceLimit } from './source-limit';

const DOMAIN = 'calls.example.com';
const key = randomBytes(32);
const newHost = (): string => `${newCallbackLabel(key)}.${DOMAIN}`;

const calls: Call[] = [];
const counts = new Map<string, number>();
const count = (protocol: Protocol, result: CallResult): void => {
  counts.set(`${protocol} ${result}`, (counts.get(`${protocol} ${result}`) ?? 0) + 1);
};
const { cert, key: certificateKey } = certificate({ names: [`*.${DOMAIN}`] });
const settings = {
  domain: DOMAIN,
  key,
  addresses: ['127.0.0.1'],
  host: '127.0.0.1',
  ports: { dns: 0, http: 0, https: 0 },
  certificate: { cert, key: certificateKey },
};
const listener = new Listener(settings, (call) => calls.push(call), count);
let ports: Readonly<Partial<Record<Protocol, number>>>;

beforeAll(async () => void (ports = await listener.start()));
afterAll(() => listener.stop());
beforeEach(() => {
  calls.length = 0;
  counts.clear();
});

async function get(host: string, path = '/', body = ''): Promise<{ status?: number | undefined; text: string }> {
  const sent = request({ host: '127.0.0.1', port: ports.http, path, method: 'POST', headers: { host } });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { statusCode?: number }];
  let text = '';
  for await (const part of answer) text += String(part);
  return { status: answer.statusCode, text };
}

async function ask(name: string): Promise<ReturnType<typeof decode>> {
  const socket = createSocket('udp4');
  socket.send(encode({ type: 'query', id: 1, questions: [{ name, type: 'A' }] }), ports.dns ?? 0, '127.0.0.1');
  const [message] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  return decode(message);
}

describe('the listener of callbacks', () => {
  it('records who called a name over DNS, HTTP and HTTPS, and answers with nothing', async () => {
    const host = newHost();
    const name = host.slice(0, 42);
    expect((await ask(host)).answers).toMatchObject([{ data: '127.0.0.1' }]);
    expect(await get(`${host}:80`, '/secret?path', 'a body')).toEqual({ status: 200, text: '' });
    const line = connectSecurely({ host: '127.0.0.1', port: ports.https, servername: host, rejectUnauthorized: false });
    line.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(line.resume(), 'close');
    const source = '127.0.0.1';
    expect(calls).toEqual([
      { name, protocol: 'dns', source },
      { name, protocol: 'http', source },
      { name, protocol: 'https', source },
    ]);
  });

  it('records the handshake of a client that refuses the certificate', async () => {
    const host = newHost();
    const line = connectSecurely({ host: '127.0.0.1', port: ports.https, servername: host });
    await once(line, 'error');
    for (let turn = 0; turn < 50 && calls.length === 0; turn += 1) await new Promise((done) => setTimeout(done, 20));
    expect(calls).toEqual([{ name: host.slice(0, 42), protocol: 'https', source: '127.0.0.1' }]);
  });

  it('drops names that this installation did not make', async () => {
    expect(await ask(`${'a'.repeat(42)}.${DOMAIN}`)).toMatchObject({ rcode: 'NXDOMAIN' });
    await get(`${'a'.repeat(42)}.${DOMAIN}`);
    await get('example.com');
    expect(calls).toEqual([]);
    expect(Object.fromEntries(counts)).toEqual({ 'dns foreign': 1, 'http foreign': 2 });
  });

  it('says on its own name whether it has HTTPS', async () => {
    expect((await get(DOMAIN, '/healthz')).text).toBe('ok\n');
    const other = new Listener({ ...settings, certificate: null }, () => undefined, count);
    const own = ports;
    ports = await other.start();
    expect(ports).not.toHaveProperty('https');
    expect((await get(DOMAIN, '/healthz')).text).toContain('HTTP and DNS only');
    await other.stop();
    ports = own;
  });

  it('closes a connection that sends nothing after five seconds', async () => {
    const started = performance.now();
    await once(connect(ports.http ?? 0, '127.0.0.1').resume(), 'close');
    expect(performance.now() - started).toBeGreaterThan(4_000);
  }, 15_000);

  it('answers a source 50 times a second, over all protocols together', async () => {
    const socket = createSocket('udp4');
    let answers = 0;
    socket.on('message', () => (answers += 1));
    const question = encode({ type: 'query', id: 1, questions: [{ name: newHost(), type: 'A' }] });
    for (let sent = 0; sent < 1_000; sent += 1) socket.send(question, ports.dns ?? 0, '127.0.0.1');
    for (let turn = 0; turn < 100 && (counts.get('dns limited') ?? 0) < 100; turn += 1)
      await new Promise((done) => setTimeout(done, 20));
    socket.close();
    expect(answers).toBeLessThanOrEqual(150);
    expect(counts.get('dns limited')).toBeGreaterThan(100);
  });
});

describe('what a listener survives', () => {
  /** As the socket gives it to the listener. */
  const received = (message: Buffer, port: number, to = listener): boolean =>
    (to as unknown as { dns: UdpSocket }).dns.emit('message', message, { address: '127.0.0.1', port });
  const query = (name: string): Buffer => encode({ type: 'query', id: 1, questions: [{ name, type: 'A' }] });

  it('a packet from port 0', async () => {
    expect(() => received(query(newHost()), 0)).not.toThrow();
    expect(calls).toEqual([]);
    expect(counts.get('dns foreign')).toBe(1);
  });

  it('a packet that it cannot answer', () => {
    expect(() => received(query(newHost()), 70_000)).not.toThrow();
    expect(counts.get('dns lost')).toBe(1);
  });

  it('names that others invent, and many calls of one name, which leave the calls of other names alone', async () => {
    const many = Array.from({ length: 200 }, (_none, at) => query(`${at}.${DOMAIN}`));
    const one = newHost();
    for (let sent = 0; sent < 200; sent += 1) many.push(query(`${sent}.${one}`));
    for (const message of many) received(message, ports.dns ?? 0);
    calls.length = 0;
    received(query(DOMAIN), ports.dns ?? 0);
    const other = newHost();
    received(query(other), ports.dns ?? 0);
    await get(other);
    expect(calls.map(({ name, protocol }) => `${protocol} ${name}`)).toEqual(
      ['dns', 'http'].map((protocol) => `${protocol} ${other.slice(0, 42)}`),
    );
    expect(counts.get('dns limited')).toBeGreaterThanOrEqual(300);
  });

  it('a client that opens more than 20 connections', async () => {
    const sockets = Array.from({ length: 30 }, () => connect(ports.http ?? 0, '127.0.0.1').resume());
    const closed = new Set<unknown>();
    for (const socket of sockets) socket.on('close', () => closed.add(socket)).on('error', () => undefined);
    for (let turn = 0; turn < 50 && closed.size < 10; turn += 1) await new Promise((done) => setTimeout(done, 20));
    expect(closed.size).toBe(10);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect((await get(newHost())).status).toBe(200));
  });

  it('answers questions over IPv4 at all addresses', async () => {
    const all = new Listener({ ...settings, host: '::', certificate: null }, (call) => calls.push(call), count);
    const own = ports;
    ports = await all.start();
    try {
      expect((await ask(newHost())).answers).toMatchObject([{ data: '127.0.0.1' }]);
      expect(calls).toMatchObject([{ protocol: 'dns', source: '127.0.0.1' }]);
    } finally {
      ports = own;
      await all.stop();
    }
  });
});

describe('the limit of a source', () => {
  it('begins again each second, and counts a network of IPv6 as one source', () => {
    let now = 0;
    const limit = new SourceLimit(2, () => now);
    const sources = ['2001:db8::1', '2001:db8:0:0:5::2', '2001:db8::3', '2001:db8:0:1::1', '192.0.2.1'];
    expect(sources.map((source) => limit.allows(source))).toEqual([true, true, false, true, true]);
    now = 1_000;
    expect(limit.allows('2001:db8::3')).toBe(true);
  });

  it('keeps at most 20,000 sources', () => {
    const limit = new SourceLimit(2, () => 0);
    const allowed = Array.from({ length: 30_000 }, (_none, at) =>
      limit.allows(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`),
    );
    expect(allowed.filter(Boolean)).toHaveLength(20_000);
  });
});

describe('the recorder', () => {
  const call = (name: string): Call => ({ name, protocol: 'http', source: '192.0.2.1' });

  it('writes at most 20 calls of a name', async () => {
    let written = 0;
    const recorder = new Recorder(async () => (written += 1) > 0, count);
    for (let sent = 0; sent < 500; sent += 1) recorder.add(call('one'));
    recorder.add(call('two'));
    await new Promise((done) => setImmediate(done));
    expect(written).toBe(MOST_ROWS + 1);
    expect(counts.get('http full')).toBe(480);
  });

  it('drops calls that a slow database cannot take, and goes on after errors', async () => {
    let fail: () => void = () => undefined;
    const recorder = new Recorder(
      () => new Promise((_done, reject) => (fail = () => reject(new Error('down')))),
      count,
    );
    for (let sent = 0; sent < 2_000; sent += 1) recorder.add(call(`name ${sent}`));
    expect(counts.get('http lost')).toBe(998);
    fail();
    await new Promise((done) => setImmediate(done));
    expect(counts.get('http lost')).toBe(999);
    recorder.add(call('later'));
    expect(counts.get('http lost')).toBe(999);
  });
});
