import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { type Config, ConfigError } from './load-config';

const ALGORITHM = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/** Public, for development only. */
const developmentKey = createHash('sha256').update('assay: not a secret, for development alone').digest();

type Keys = Pick<Config, 'SECRET_KEY' | 'NODE_ENV'> & Partial<Pick<Config, 'SECRET_KEY_PREVIOUS'>>;

/** The key that encrypts secrets in the database; undefined if production has none. */
export function findSecretKey({ SECRET_KEY, NODE_ENV }: Keys): Buffer | undefined {
  if (SECRET_KEY !== undefined) return Buffer.from(SECRET_KEY, 'base64');
  return NODE_ENV === 'production' ? undefined : developmentKey;
}

/** Required for a worker outside of development. */
export function secretKeyOf(config: Keys): Buffer {
  const key = findSecretKey(config);
  if (key !== undefined) return key;
  throw new ConfigError([
    'SECRET_KEY is missing: outside of development, workers and commands need that of the service, 32 random bytes in base64. Create it once with `openssl rand -base64 32`',
  ]);
}

/** The key that encrypts, and during a rotation the second key, which only decrypts. */
export const decryptionKeysOf = (config: Keys): [Buffer, ...Buffer[]] => [
  secretKeyOf(config),
  ...(config.SECRET_KEY_PREVIOUS === undefined ? [] : [Buffer.from(config.SECRET_KEY_PREVIOUS, 'base64')]),
];

/** A key for one purpose, which says nothing about the secret or the keys for other purposes. */
export const derivedKey = (secret: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `assay ${purpose}`, 32));

/** Nonce, tag and ciphertext; `name` is authenticated with it, so that rows cannot be swapped. */
export function seal(plain: Buffer, name: string, key: Buffer): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts with the first key that fits. `remedy` follows "If it is lost," in the error. */
export function unseal(sealed: Buffer, name: string, keys: readonly Buffer[], remedy: string): Buffer {
  for (const key of keys) {
    const plain = decrypt(sealed, name, key);
    if (plain !== undefined) return plain;
  }
  const tried = keys.length > 1 ? 'Neither SECRET_KEY nor SECRET_KEY_PREVIOUS is the key' : 'SECRET_KEY is not the one';
  throw new ConfigError([
    `${tried} that ${name} is encrypted with: restore the previous one. If it is lost, ${remedy}`,
  ]);
}

/** Encrypts with the first key what another one encrypted. Returns undefined if the first key has encrypted it. */
export function reseal(
  sealed: Buffer,
  name: string,
  keys: readonly [Buffer, ...Buffer[]],
  remedy: string,
): Buffer | undefined {
  const [current] = keys;
  return decrypt(sealed, name, current) === undefined
    ? seal(unseal(sealed, name, keys, remedy), name, current)
    : undefined;
}

function decrypt(sealed: Buffer, name: string, key: Buffer): Buffer | undefined {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(Buffer.from(name))
    .setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Encrypts plain JSON with SECRET_KEY; undefined if the operator has set none. */
export function sealJson(value: object, name: string, config: Keys): Buffer | undefined {
  const key = findSecretKey(config);
  return key && seal(Buffer.from(JSON.stringify(value)), name, key);
}

export const unsealJson = (sealed: Buffer, name: string, config: Keys, remedy: string): unknown =>
  JSON.parse(unseal(sealed, name, decryptionKeysOf(config), remedy).toString());
