import { createPrivateKey, createPublicKey, randomBytes, sign as signWith } from 'node:crypto';
import { Webhook as Hmac } from 'standardwebhooks';
import type { Signature } from './vocabulary';

/** As Standard Webhooks writes secrets: `whsec_` with the key of an HMAC, `whsk_` with the seed and the public key of Ed25519. */
export type SigningSecret = string;

export interface Message {
  readonly id: string;
  readonly timestamp: Date;
  readonly body: string;
}

const HMAC_PREFIX = 'whsec_';
const PRIVATE_PREFIX = 'whsk_';
const PUBLIC_PREFIX = 'whpk_';
const KEY_BYTES = 32;

/** What comes before the 32 bytes of a key in DER. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const privateKeyOf = (seed: Buffer) =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });

const publicBytesOf = (seed: Buffer): Buffer =>
  createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);

export function newSecret(signature: Signature): SigningSecret {
  const bytes = randomBytes(KEY_BYTES);
  if (signature === 'hmac') return `${HMAC_PREFIX}${bytes.toString('base64')}`;
  return `${PRIVATE_PREFIX}${Buffer.concat([bytes, publicBytesOf(bytes)]).toString('base64')}`;
}

const bytesOf = (secret: SigningSecret): Buffer => Buffer.from(secret.slice(PRIVATE_PREFIX.length), 'base64');

/** What the receiver verifies with; null for an HMAC, which it verifies with the secret. */
export const publicKeyOf = (secret: SigningSecret): string | null =>
  secret.startsWith(PRIVATE_PREFIX)
    ? `${PUBLIC_PREFIX}${bytesOf(secret).subarray(KEY_BYTES).toString('base64')}`
    : null;

function signatureOf(secret: SigningSecret, { id, timestamp, body }: Message): string {
  if (secret.startsWith(HMAC_PREFIX)) return new Hmac(secret).sign(id, timestamp, body);
  const signed = Buffer.from(`${id}.${Math.floor(timestamp.getTime() / 1_000)}.${body}`);
  const key = privateKeyOf(bytesOf(secret).subarray(0, KEY_BYTES));
  return `v1a,${signWith(null, signed, key).toString('base64')}`;
}

/** With one signature for each secret, so that a receiver with any of them accepts the message. */
export const signedHeaders = (secrets: readonly SigningSecret[], message: Message): Record<string, string> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(Math.floor(message.timestamp.getTime() / 1_000)),
  'webhook-signature': secrets.map((secret) => signatureOf(secret, message)).join(' '),
});
