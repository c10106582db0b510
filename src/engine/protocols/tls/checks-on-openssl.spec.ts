import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assess } from '../../assess';
import type { WebCheck } from '../../check';
import { ProbeSession } from '../../probe-session';
import { certificate, type CertificateOptions } from '../../testing/certificate';
import { NameServer } from '../../testing/name-server';
import { binaryOf, freePort, RealServer } from '../../testing/real-server';
import { HOST } from '../../testing/test-target';
import { Transport } from '../../transport/transport';
import { expiredCertificate } from '../../checks/expired-certificate';
import { expiringCertificate } from '../../checks/expiring-certificate';
import { mismatchedCertificate } from '../../checks/mismatched-certificate';
import { prematureCertificate } from '../../checks/premature-certificate';
import { untrustedCertificate } from '../../checks/untrusted-certificate';
import { weakCertificateKey } from '../../checks/weak-certificate-key';
import { weakCertificateSignature } from '../../checks/weak-certificate-signature';
import { weakTlsCipher } from '../../checks/weak-tls-cipher';
import { weakTlsProtocol } from '../../checks/weak-tls-protocol';
import { AUTHORITY, trustAuthority } from '../../testing/test-authority';

const CHECKS: readonly WebCheck[] = [
  expiredCertificate,
  expiringCertificate,
  mismatchedCertificate,
  prematureCertificate,
  untrustedCertificate,
  weakCertificateKey,
  weakCertificateSignature,
  weakTlsCipher,
  weakTlsProtocol,
];

const OPENSSL = binaryOf('openssl');
const DAY = 86_400_000;
const RSA_AUTHORITY = certificate({ names: [], commonName: 'Unknown authority', key: 'rsa' });
const PROPER: CertificateOptions = { names: [HOST], issuer: AUTHORITY, key: 'rsa' };
const inDays = (from: number, until: number): CertificateOptions => ({
  ...PROPER,
  from: new Date(Date.now() + from * DAY),
  until: new Date(Date.now() + until * DAY),
});

async function statesOn(binary: string, made: CertificateOptions, options: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 's-server-'));
  const { cert, key } = certificate(made);
  const file = join(folder, 'server.pem');
  await writeFile(file, `${key}${cert}`);
  const port = await freePort();
  const args = ['s_server', '-accept', `127.0.0.1:${port}`, '-cert', file, '-key', file, '-www', ...options];
  const [server, names] = await Promise.all([
    RealServer.start(binary, port, args),
    NameServer.start({ [HOST]: { A: ['127.0.0.1'] } }),
  ]);
  try {
    const transport = new Transport({
      userAgent: 'engine-tests',
      egressAllow: [{ address: '127.0.0.1', port }],
      dnsServers: [names.address],
      // s_server handles one connection at a time.
      limits: { perSecond: 1_000, concurrency: 1, exchangeMs: 5_000 },
    });
    const session = new ProbeSession(transport, { signal: new AbortController().signal });
    const target = { scheme: 'https', host: HOST, port, path: '/' } as const;
    const seen = await Promise.all(CHECKS.map((check) => assess(check, target, session)));
    const withState = (state: string) =>
      CHECKS.filter((_check, at) => seen[at]?.observation.state === state).map(({ id }) => id);
    return { vulnerable: withState('vulnerable'), inconclusive: withState('inconclusive') };
  } finally {
    await Promise.all([server.stop(), names.stop(), rm(folder, { recursive: true })]);
  }
}

interface Case {
  readonly made?: CertificateOptions;
  readonly options?: readonly string[];
  readonly vulnerable: readonly string[];
  readonly inconclusive?: readonly string[];
}

const ALL_CIPHERS = 'ALL:eNULL:@SECLEVEL=0';

const CASES: Readonly<Record<string, Case>> = {
  'a proper one': { vulnerable: [] },
  'TLS 1.3 alone': { options: ['-tls1_3'], vulnerable: [] },
  'an expired certificate': {
    made: inDays(-9, -1),
    vulnerable: ['expired-certificate', 'expiring-certificate'],
    inconclusive: ['untrusted-certificate'],
  },
  'a certificate that expires soon': { made: inDays(-80, 10), vulnerable: ['expiring-certificate'] },
  'a certificate that is not yet valid': {
    made: inDays(1, 90),
    vulnerable: ['premature-certificate'],
    inconclusive: ['untrusted-certificate'],
  },
  'a certificate signed by itself': { made: { ...PROPER, issuer: undefined }, vulnerable: ['untrusted-certificate'] },
  'a certificate for another name': {
    made: { ...PROPER, names: ['other.test'] },
    vulnerable: ['mismatched-certificate'],
  },
  'a short key': {
    made: { ...PROPER, key: 'short rsa' },
    options: ['-tls1_2', '-cipher', 'DEFAULT:@SECLEVEL=0'],
    vulnerable: ['weak-certificate-key'],
  },
  'a signature with SHA-1': {
    made: { ...PROPER, issuer: RSA_AUTHORITY, hash: 'sha1' },
    options: ['-tls1_2', '-cipher', 'DEFAULT:@SECLEVEL=0'],
    vulnerable: ['untrusted-certificate', 'weak-certificate-signature'],
  },
  'ciphers that do not encrypt': { options: ['-tls1_2', '-cipher', ALL_CIPHERS], vulnerable: ['weak-tls-cipher'] },
  'TLS 1.0 alone': {
    options: ['-tls1', '-cipher', 'DEFAULT:@SECLEVEL=0'],
    vulnerable: ['weak-tls-protocol'],
  },
};

const title = 'the TLS checks on openssl s_server';

if (OPENSSL === null) it.skip(`${title}: openssl is not installed`, () => {});
else {
  describe(title, () => {
    trustAuthority();
    it.each(Object.entries(CASES))(
      'with %s',
      async (_what, { made = PROPER, options = [], vulnerable, inconclusive = [] }) => {
        expect(await statesOn(OPENSSL, made, options)).toEqual({ vulnerable, inconclusive });
      },
    );
  });
}
