import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';

export interface ReceivedWebhook {
  /** With names in lower case, as Node has them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as they came: JSON that is written again has another signature. */
  readonly body: Uint8Array | string;
}

const SPKI_OF_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');
const TOLERANCE_SECONDS = 300;

/**
 * Whether the message is from the webhook of this secret (`whsec_…`) or public key (`whpk_…`), and recent. The same
 * `webhook-id` may come again: keep the ids that you have handled.
 */
export function verifyWebhook(
  { headers, body }: ReceivedWebhook,
  key: string,
  { now = Date.now(), toleranceSeconds = TOLERANCE_SECONDS }: { now?: number; toleranceSeconds?: number } = {},
): boolean {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`]);
  if (typeof id !== 'string' || typeof time !== 'string' || typeof signatures !== 'string') return false;
  if (!/^\d{1,12}$/.test(time) || Math.abs(now / 1_000 - Number(time)) > toleranceSeconds) return false;
  const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), Buffer.from(body)]);
  const isValid = verifierOf(key);
  return signatures.split(' ').some((one) => {
    const [version = '', value = ''] = one.split(',');
    return isValid(signed, version, Buffer.from(value, 'base64'));
  });
}

type Verifier = (signed: Buffer, version: string, signature: Buffer) => boolean;

function verifierOf(key: string): Verifier {
  const [, kind, text = ''] = /^(whsec|whpk)_([A-Za-z0-9+/]+={0,2})$/.exec(key) ?? [];
  const bytes = Buffer.from(text, 'base64');
  if (kind === 'whpk') {
    const publicKey = createPublicKey({ key: Buffer.concat([SPKI_OF_ED25519, bytes]), format: 'der', type: 'spki' });
    return (signed, version, signature) => version === 'v1a' && verify(null, signed, publicKey, signature);
  }
  if (kind !== 'whsec') throw new Error('The key of a webhook begins with whsec_ or whpk_.');
  return (signed, version, signature) => {
    const expected = createHmac('sha256', bytes).update(signed).digest();
    return version === 'v1' && signature.length === expected.length && timingSafeEqual(signature, expected);
  };
}
