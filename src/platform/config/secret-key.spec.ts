import { randomBytes } from 'node:crypto';
import { ConfigError } from './load-config';
import { seal, secretKeyOf, unseal } from './secret-key';

const key = randomBytes(32);
const REMEDY = 'create a new one';
const plain = Buffer.from('a private key');

it('decrypts what it encrypted, and encrypts the same text differently each time', () => {
  const sealed = seal(plain, 'one', key);
  expect(unseal(sealed, 'one', key, REMEDY)).toEqual(plain);
  expect(sealed.includes(plain)).toBe(false);
  expect(seal(plain, 'one', key)).not.toEqual(sealed);
});

it.each([
  ['another key', (sealed: Buffer) => unseal(sealed, 'one', randomBytes(32), REMEDY)],
  ['another name', (sealed: Buffer) => unseal(sealed, 'two', key, REMEDY)],
  [
    'a changed byte',
    (sealed: Buffer) => {
      sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
      return unseal(sealed, 'one', key, REMEDY);
    },
  ],
])('does not decrypt with %s', (_what, open) => {
  expect(() => open(seal(plain, 'one', key))).toThrow('SECRET_KEY is not the one that');
});

it('requires SECRET_KEY in production, and has a public default elsewhere', () => {
  const SECRET_KEY = key.toString('base64');
  expect(secretKeyOf({ SECRET_KEY, NODE_ENV: 'production' })).toEqual(key);
  expect(secretKeyOf({ SECRET_KEY: undefined, NODE_ENV: 'development' })).toHaveLength(32);
  expect(() => secretKeyOf({ SECRET_KEY: undefined, NODE_ENV: 'production' })).toThrow(ConfigError);
});
