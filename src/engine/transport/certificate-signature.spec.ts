import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate } from '../testing/certificate';
import { binaryOf } from '../testing/real-server';
import { signatureOf } from './certificate-signature';

const rawOf = (pem: string): Buffer => new X509Certificate(pem).raw;

describe('the signature of a certificate', () => {
  it.each([
    ['rsa', 'md5', 'MD5', '1.2.840.113549.1.1.4'],
    ['rsa', 'sha1', 'SHA-1', '1.2.840.113549.1.1.5'],
    ['rsa', 'sha256', 'SHA-256', '1.2.840.113549.1.1.11'],
    ['ec', 'sha1', 'SHA-1', '1.2.840.10045.4.1'],
    ['ec', 'sha256', 'SHA-256', '1.2.840.10045.4.3.2'],
  ] as const)('of %s with %s is read', (key, hash, name, algorithm) => {
    expect(signatureOf(rawOf(certificate({ key, hash }).cert))).toEqual({ algorithm, hash: name });
  });

  it('is null for bytes that are no certificate', () => {
    const raw = rawOf(certificate().cert);
    for (let cut = 0; cut < raw.length; cut += 1) expect(signatureOf(raw.subarray(0, cut))).toBeNull();
    for (const nonsense of [
      '',
      '30',
      '3080',
      '308400000001',
      '30840fffffff',
      '3003020101',
      '300406020000',
      '30020500',
    ]) {
      expect(signatureOf(Buffer.from(nonsense, 'hex'))).toBeNull();
    }
  });
});

const OPENSSL = binaryOf('openssl');

(OPENSSL === null ? describe.skip : describe)('the signature of a certificate that openssl has made', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signature-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['PSS with SHA-256', ['-newkey', 'rsa:2048', '-sha256', '-sigopt', 'rsa_padding_mode:pss'], 'SHA-256'],
    [
      'PSS with SHA-1, which it need not name',
      ['-newkey', 'rsa:2048', '-sha1', '-sigopt', 'rsa_padding_mode:pss'],
      'SHA-1',
    ],
    ['RSA with SHA-384', ['-newkey', 'rsa:2048', '-sha384'], 'SHA-384'],
    ['Ed25519, which needs no hash', ['-newkey', 'ed25519'], null],
  ])('has the hash of %s', (_what, args, hash) => {
    const file = join(folder, 'made.pem');
    const fixed = [
      'req',
      '-x509',
      '-nodes',
      '-keyout',
      join(folder, 'key.pem'),
      '-subj',
      '/CN=target.test',
      '-out',
      file,
    ];
    execFileSync(OPENSSL ?? '', [...fixed, ...args], { stdio: 'ignore' });
    expect(signatureOf(rawOf(readFileSync(file, 'utf8')))).toMatchObject({ hash });
  });
});
