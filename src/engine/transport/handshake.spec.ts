import { createServer, type Server, type TlsOptions } from 'node:tls';
import type { Socket } from 'node:net';
import { certificate } from '../testing/certificate';
import { failureOf, flood, HostileServer, once, timeLimitFor, transportTo } from '../testing/hostile-server';
import { NameServer } from '../testing/name-server';
import { alertOf, type TlsOffer } from './handshake';
import { Transport } from './transport';

const DAY = 86_400_000;
const via = () => ({ signal: new AbortController().signal });

const started: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((stop) => stop()));
});

async function serve(options: TlsOptions): Promise<{ port: number; asked: string[]; server: Server }> {
  const asked: string[] = [];
  const server = createServer({
    ...options,
    SNICallback: (name, done) => {
      asked.push(name);
      done(null);
    },
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  started.push(() => new Promise((resolve) => void server.close(() => resolve())));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, asked, server };
}

async function shake(options: TlsOptions, offer: TlsOffer = {}, host = 'target.test') {
  const { port, asked } = await serve(options);
  const names = await NameServer.start({ [host]: { A: ['127.0.0.1'] } });
  started.push(() => names.stop());
  const transport = new Transport({
    userAgent: 'engine-spec',
    egressAllow: [{ address: '127.0.0.1', port }],
    dnsServers: [names.address],
    limits: { perSecond: 1_000, exchangeMs: 20_000 },
  });
  return { ...(await transport.tls({ host, port }, offer, via())), asked };
}

/** Sends a few bytes, and then one at a time forever. */
const drip =
  (first: readonly number[]) =>
  (socket: Socket): void => {
    socket.write(Buffer.from(first));
    const dripping = setInterval(() => socket.write('\0'), 20);
    socket.on('close', () => clearInterval(dripping));
  };

describe('a TLS handshake', () => {
  it('presents the name of the asset and records the certificate', async () => {
    const { value, exchange, asked } = await shake(certificate());
    expect(asked).toEqual(['target.test']);
    expect(value).toMatchObject({ state: 'agreed', tls: { protocol: 'TLSv1.3', trusted: false } });
    expect(exchange.tls).toMatchObject({
      problem: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      certificate: { subject: 'CN=target.test', covers: true, key: { type: 'ec prime256v1', bits: null } },
    });
  });

  it.each([
    ['expired', { until: new Date(Date.now() - DAY), from: new Date(Date.now() - 2 * DAY) }, { covers: true }],
    ['not yet valid', { from: new Date(Date.now() + DAY) }, { covers: true }],
    ['for another name', { names: ['other.test'] }, { covers: false, subject: 'CN=other.test' }],
    ['with a short key', { key: 'short rsa' }, { key: { type: 'rsa', bits: 1024 } }],
  ] as const)('goes on with a certificate that is %s, and says so', async (_what, options, facts) => {
    const made = certificate(options);
    const { exchange } = await shake({ ...made, ciphers: 'DEFAULT@SECLEVEL=0' });
    expect(exchange.tls).toMatchObject({ trusted: false, certificate: facts });
  });

  it.each([
    ['answers with garbage', 'tls', once(Buffer.alloc(20_000, 0x5a))],
    [
      'never ends its handshake',
      'too_large',
      flood('', Buffer.from([0x16, 3, 3, 0x40, 0, ...Array<number>(0x4000).fill(0)])),
    ],
    ['answers with endless garbage', 'tls', flood('', Buffer.alloc(10_000, 0x5a))],
    ['says nothing', 'timeout', () => {}],
    ['drips', 'timeout', drip([0x16, 3, 3, 0x40, 0, 2])],
    ['hangs up', 'reset', (socket: Socket) => void socket.once('data', () => socket.end())],
  ])('fails in time with a reason when the server %s', async (_what, code, behave) => {
    const server = await new HostileServer(behave).start();
    started.push(() => server.stop());
    const before = process.cpuUsage();
    const asked = transportTo(server.port, timeLimitFor(code)).tls({ host: '127.0.0.1', port: server.port }, {}, via());
    const { failure, exchange } = await failureOf(asked);
    expect(failure.code).toBe(code);
    expect(exchange.tls).toBeNull();
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(1_000_000);
  });

  it('can offer a single version, and distinguishes refusal from agreement', async () => {
    const old: TlsOptions = { ...certificate(), minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' };
    const offer: TlsOffer = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' };
    expect((await shake(old, offer)).value).toMatchObject({ state: 'agreed', tls: { protocol: 'TLSv1.1' } });
    expect((await shake({ ...certificate(), minVersion: 'TLSv1.2' }, offer)).value).toMatchObject({ state: 'refused' });
    const ciphers: TlsOffer = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' };
    expect((await shake({ ...certificate(), ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' }, ciphers)).value).toMatchObject({
      state: 'refused',
      alert: 'handshake failure',
    });
  });
});

describe('The alert of an error', () => {
  it.each([
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'handshake failure'],
    ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'handshake failure'],
    ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', 'no application protocol'],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'protocol version'],
    ['ERR_SSL_UNKNOWN_ALERT_TYPE', null],
    ['ECONNRESET', null],
  ])('of %s is %s, in every version of OpenSSL', (code, alert) => {
    expect(alertOf(Object.assign(new Error(), { code }))).toBe(alert);
  });
});
