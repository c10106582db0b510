import { randomBytes } from 'node:crypto';
import { ConfigError } from './load-config';
import { reseal, seal, secretKeyOf, unseal } from './secret-key';

const key = randomBytes(32);
const REMEDY = 'create a new one';
const plain = Buffer.from('a private key');

it('decrypts what it encrypted, and encrypts the same text differently each time', () => {
  const sealed = seal(plain, 'one', key);
  expect(unseal(sealed, 'one', [key], REMEDY)).toEqual(plain);
  expect(sealed.includes(plain)).toBe(false);
  expect(seal(plain, 'one', key)).not.toEqual(sealed);
});

it.each([
  ['another key', (sealed: Buffer) => unseal(sealed, 'one', [randomBytes(32)], REMEDY)],
  ['another name', (sealed: Buffer) => unseal(sealed, 'two', [key], REMEDY)],
  [
    'a changed byte',
    (sealed: Buffer) => {
      sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
      return unseal(sealed, 'one', [key], REMEDY);
    },
  ],
])('does not decrypt with %s', (_what, open) => {
  expect(() => open(seal(plain, 'one', key))).toThrow('SECRET_KEY is not the one that');
});

it('decrypts with a second key, and encrypts with the first what the second has encrypted', () => {
  const [current, previous] = [randomBytes(32), randomBytes(32)];
  const sealed = seal(plain, 'one', previous);
  expect(unseal(sealed, 'one', [current, previous], REMEDY)).toEqual(plain);
  const resealed = reseal(sealed, 'one', [current, previous], REMEDY);
  expect(resealed && unseal(resealed, 'one', [current], REMEDY)).toEqual(plain);
  expect(reseal(seal(plain, 'one', current), 'one', [current, previous], REMEDY)).toBeUndefined();
  expect(() => reseal(seal(plain, 'one', key), 'one', [current, previous], REMEDY)).toThrow(
    'Neither SECRET_KEY nor SECRET_KEY_PREVIOUS is the key that one is encrypted with',
  );
});

it('requires SECRET_KEY in production, and has a public default elsewhere', () => {
  const SECRET_KEY = key.toString('base64');
  expect(secretKeyOf({ SECRET_KEY, NODE_ENV: 'production' })).toEqual(key);
  expect(secretKeyOf({ SECRET_KEY: undefined, NODE_ENV: 'development' })).toHaveLength(32);
  expect(() => secretKeyOf({ SECRET_KEY: undefined, NODE_ENV: 'production' })).toThrow(ConfigError);
});
