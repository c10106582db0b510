import { randomBytes } from 'node:crypto';
import { ConfigError } from '../../platform/config/load-config';
import { seal, signingSecret, unseal } from './signing-secret';

const key = randomBytes(32);
const plain = Buffer.from('a private key');

it('decrypts what it encrypted, and encrypts the same text differently each time', () => {
  const sealed = seal(plain, 'one', key);
  expect(unseal(sealed, 'one', key)).toEqual(plain);
  expect(sealed.includes(plain)).toBe(false);
  expect(seal(plain, 'one', key)).not.toEqual(sealed);
});

it.each([
  ['another key', (sealed: Buffer) => unseal(sealed, 'one', randomBytes(32))],
  ['another name', (sealed: Buffer) => unseal(sealed, 'two', key)],
  [
    'a changed byte',
    (sealed: Buffer) => {
      sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
      return unseal(sealed, 'one', key);
    },
  ],
])('does not decrypt with %s', (_what, open) => {
  expect(() => open(seal(plain, 'one', key))).toThrow('SECRET_KEY is not the one that');
});

it('requires SECRET_KEY in production, and has a public default elsewhere', () => {
  const SECRET_KEY = key.toString('base64');
  expect(signingSecret({ SECRET_KEY, NODE_ENV: 'production' })).toEqual(key);
  expect(signingSecret({ SECRET_KEY: undefined, NODE_ENV: 'development' })).toHaveLength(32);
  expect(() => signingSecret({ SECRET_KEY: undefined, NODE_ENV: 'production' })).toThrow(ConfigError);
});
