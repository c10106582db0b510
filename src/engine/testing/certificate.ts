import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

const KEYS = {
  ec: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'short rsa': () => generateKeyPairSync('rsa', { modulusLength: 1024 }),
};

export interface CertificateOptions {
  readonly names?: readonly string[];
  readonly commonName?: string;
  readonly from?: Date;
  readonly until?: Date;
  readonly key?: keyof typeof KEYS;
  /** The issuing certificate; by default, the certificate is self-signed. */
  readonly issuer?: TestCertificate;
  /** The hash of the signature; MD5 only with RSA. */
  readonly hash?: 'sha256' | 'sha1' | 'md5';
}

export interface TestCertificate {
  readonly commonName: string;
  readonly cert: string;
  readonly key: string;
  readonly privateKey: KeyObject;
}

/** DER: tag, length, value. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const hex = (text: string): Buffer => Buffer.from(text, 'hex');

const OID = {
  commonName: hex('0603550403'),
  alternativeName: hex('0603551d11'),
  basicConstraints: hex('0603551d13'),
};

const NOTHING = hex('0500');

const ALGORITHMS: Readonly<Record<string, Buffer>> = {
  'ec sha256': sequence(hex('06082a8648ce3d040302')),
  'ec sha1': sequence(hex('06072a8648ce3d0401')),
  'rsa sha256': sequence(hex('06092a864886f70d01010b'), NOTHING),
  'rsa sha1': sequence(hex('06092a864886f70d010105'), NOTHING),
  'rsa md5': sequence(hex('06092a864886f70d010104'), NOTHING),
};

const nameOf = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(OID.commonName, der(0x0c, Buffer.from(commonName)))));

/** GeneralizedTime, because the two-digit years of UTCTime end in 2049. */
const time = (date: Date): Buffer =>
  der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));

function alternative(name: string): Buffer {
  if (isIP(name) === 4) return der(0x87, Buffer.from(name.split('.').map(Number)));
  return der(0x82, Buffer.from(name));
}

function extensions(names: readonly string[]): Buffer {
  const authority = sequence(OID.basicConstraints, der(0x04, sequence(hex('0101ff'))));
  const subject = sequence(OID.alternativeName, der(0x04, sequence(...names.map(alternative))));
  return der(0xa3, sequence(...(names.length > 0 ? [authority, subject] : [authority])));
}

const DAY = 86_400_000;

/** A certificate with the given options: expired, not yet valid, for another name, with a weak key, by any issuer. */
export function certificate(options: CertificateOptions = {}): TestCertificate {
  const { names = ['target.test', '127.0.0.1'], commonName = names[0] ?? 'unnamed', issuer, hash = 'sha256' } = options;
  const { privateKey, publicKey } = KEYS[options.key ?? 'ec']();
  const signer = issuer?.privateKey ?? privateKey;
  const algorithm = ALGORITHMS[`${signer.asymmetricKeyType} ${hash}`];
  if (algorithm === undefined) throw new Error(`There is no signature algorithm for ${hash} and this key.`);
  const content = sequence(
    der(0xa0, hex('020102')),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    algorithm,
    nameOf(issuer?.commonName ?? commonName),
    sequence(time(options.from ?? new Date(Date.now() - DAY)), time(options.until ?? new Date(Date.now() + 90 * DAY))),
    nameOf(commonName),
    publicKey.export({ format: 'der', type: 'spki' }),
    extensions(names),
  );
  const signature = sign(hash, content, signer);
  const whole = sequence(content, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    commonName,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    privateKey,
  };
}
