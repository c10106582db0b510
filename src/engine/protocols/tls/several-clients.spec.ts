import type { TlsOptions } from 'node:tls';
import { assess } from '../../assess';
import type { WebCheck } from '../../check';
import { expiredCertificate } from '../../checks/expired-certificate';
import { mismatchedCertificate } from '../../checks/mismatched-certificate';
import { missingHsts } from '../../checks/missing-hsts';
import { untrustedCertificate } from '../../checks/untrusted-certificate';
import { weakTlsProtocol } from '../../checks/weak-tls-protocol';
import { ProbeSession } from '../../probe-session';
import { certificate, type CertificateOptions, type TestCertificate } from '../../testing/certificate';
import { knowsTls13, offersHttp2, routedByHello } from '../../testing/hello-router';
import { describeWithNginx, startNginx } from '../../testing/real-nginx';
import { freePort } from '../../testing/real-server';
import { TargetServer } from '../../testing/target-server';
import { AUTHORITY, trustAuthority } from '../../testing/test-authority';
import { HOST, sharedTestTarget, type TargetSetup, type TestTarget } from '../../testing/test-target';
import { type Verification, verify } from '../../verdict';

const DAY = 86_400_000;
const PROPER: CertificateOptions = { names: [HOST], issuer: AUTHORITY };
const EXPIRED = { from: new Date(Date.now() - 9 * DAY), until: new Date(Date.now() - DAY) };
const POLICY = { probes: 3, spreadMs: 3 };

const made = (options: CertificateOptions = {}): TestCertificate => certificate({ ...PROPER, ...options });
const both = (...shown: TestCertificate[]): TlsOptions => ({
  cert: shown.map(({ cert }) => cert),
  key: shown.map(({ key }) => key),
});

/** Faults of a certificate, and the check that detects each. */
const FAULTS: readonly (readonly [what: string, check: WebCheck, options: CertificateOptions])[] = [
  ['expired', expiredCertificate, EXPIRED],
  ['self-signed', untrustedCertificate, { issuer: undefined }],
  ['for another name', mismatchedCertificate, { names: ['other.test'] }],
];

async function retest(
  check: WebCheck,
  testTarget: TestTarget,
  vulnerable: TargetSetup,
  now: TargetSetup,
): Promise<Verification> {
  const via = { signal: new AbortController().signal };
  const target = { scheme: 'https', host: HOST, port: testTarget.server.port, path: '/' } as const;
  const before = await assess(
    check,
    target,
    new ProbeSession(
      testTarget.transport(20_000, () => vulnerable),
      via,
    ),
  );
  expect(before.observation.state).toBe('vulnerable');
  return verify(
    check,
    target,
    before.baseline,
    testTarget.transport(20_000, () => now),
    via,
    async () => null,
    POLICY,
  );
}

const protocolsIn = ({ probes }: Verification): string[] =>
  probes.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ tls }) => (tls === null ? [] : [`${tls.protocol} ${tls.cipher}`])),
  );

describe('a server that shows several clients several certificates', () => {
  trustAuthority();
  const testTarget = sharedTestTarget();
  const showing =
    (tls: TlsOptions): TargetSetup =>
    (target) =>
      target.clear(tls);
  const run = (check: WebCheck, vulnerable: TlsOptions, now: TlsOptions): Promise<Verification> =>
    retest(check, testTarget(), showing(vulnerable), showing(now));

  describe.each(FAULTS)('with one that is %s', (_what, check, options) => {
    it.each(['rsa', 'ec'] as const)('is not fixed by renewing the other than the %s one', async (key) => {
      const faulty = made({ ...options, key });
      const other = key === 'rsa' ? ('ec' as const) : ('rsa' as const);
      const vulnerable = both(made({ ...options, key: other }), faulty);
      const { verdict } = await run(check, vulnerable, both(made({ key: other }), faulty));
      expect(verdict.result).toBe('still_vulnerable');
    });

    it('is fixed when both are renewed, also for clients that accept one kind of key', async () => {
      const vulnerable = both(made({ ...options, key: 'rsa' }), made({ ...options, key: 'ec' }));
      const { verdict } = await run(check, vulnerable, both(made({ key: 'rsa' }), made({ key: 'ec' })));
      expect(verdict).toMatchObject({ result: 'fixed', reason: expect.stringContaining('sent 16 times') });
    });
  });

  it('is asked by four clients of each kind', async () => {
    const vulnerable = both(made({ ...EXPIRED, key: 'rsa' }), made({ ...EXPIRED, key: 'ec' }));
    const verification = await run(expiredCertificate, vulnerable, both(made({ key: 'rsa' }), made({ key: 'ec' })));
    const old = protocolsIn(verification).filter((protocol) => protocol.startsWith('TLSv1.2 '));
    expect(old.filter((protocol) => protocol.includes('RSA'))).toHaveLength(4);
    expect(old.filter((protocol) => protocol.includes('ECDSA'))).toHaveLength(4);
  });

  it('counts sixteen answers although it refuses clients without TLS 1.3', async () => {
    const only13 = (options: CertificateOptions = {}): TlsOptions => ({ ...made(options), minVersion: 'TLSv1.3' });
    const verification = await run(expiredCertificate, only13(EXPIRED), only13());
    expect(verification.verdict).toMatchObject({
      result: 'fixed',
      reason: expect.stringContaining('sent 16 times'),
    });
    expect(new Set(protocolsIn(verification).map((protocol) => protocol.split(' ')[0]))).toEqual(new Set(['TLSv1.3']));
  });

  it('asks checks of pages with the usual client alone', async () => {
    const site: TargetSetup = ({ server }) => {
      server.site = { headers: { 'strict-transport-security': 'max-age=31536000' } };
    };
    const verification = await retest(missingHsts, testTarget(), ({ server }) => void (server.site = {}), site);
    expect(verification.verdict.result).toBe('fixed');
    expect(new Set(protocolsIn(verification).map((protocol) => protocol.split(' ')[0]))).toEqual(new Set(['TLSv1.3']));
  });

  it.each([
    ['that know no TLS 1.3', knowsTls13, expiredCertificate, made(EXPIRED)],
    [
      'that offer HTTP/2',
      (hello: Buffer) => !offersHttp2(hello),
      weakTlsProtocol,
      { ...made(), minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' } satisfies TlsOptions,
    ],
  ])('is not fixed while clients %s reach an old server', async (_what, isNew, check, tls) => {
    const [fixed, old] = await Promise.all([
      TargetServer.start({ ...made(), minVersion: 'TLSv1.2' }),
      TargetServer.start(tls),
    ]);
    try {
      const { verdict } = await retest(
        check,
        testTarget(),
        routedByHello(() => old.port),
        routedByHello((hello) => (isNew(hello) ? fixed.port : old.port)),
      );
      expect(verdict.result).toBe('still_vulnerable');
    } finally {
      await Promise.all([fixed.stop(), old.stop()]);
    }
  });
});

describeWithNginx('an nginx with two certificates', () => {
  trustAuthority();
  const testTarget = sharedTestTarget();

  it.each(FAULTS)('whose RSA certificate is still %s are still vulnerable', async (_what, check, options) => {
    const port = await freePort();
    const nginx = (ec: TestCertificate, rsa: TestCertificate) =>
      startNginx(
        port,
        (folder) => `server { listen 127.0.0.1:${port} ssl; root ${folder};
          ssl_certificate ec.pem; ssl_certificate_key ec.pem; ssl_certificate rsa.pem; ssl_certificate_key rsa.pem; }`,
        {
          'ec.pem': ec.key + ec.cert,
          'rsa.pem': rsa.key + rsa.cert,
          'index.html': '<!doctype html><title>The shop</title><h1>Welcome to our shop</h1>',
        },
      );
    const rsa = made({ ...options, key: 'rsa' });
    let running = await nginx(made(options), rsa);
    try {
      const toNginx = routedByHello(() => port);
      const renewed: TargetSetup = async (target) => {
        if (isRenewed) return toNginx(target);
        isRenewed = true;
        await running.stop();
        running = await nginx(made(), rsa);
      };
      let isRenewed = false;
      const { verdict } = await retest(check, testTarget(), toNginx, renewed);
      expect(verdict.result).toBe('still_vulnerable');
    } finally {
      await running.stop();
    }
  });
});
