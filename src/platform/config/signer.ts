import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from './load-config';
import { decryptionKeysOf, derivedKey, findSecretKey } from './secret-key';

const SIGNATURE = /^[\w-]{43}$/;

/**
 * Signs texts that browsers keep, for one purpose. Without SECRET_KEY, each process accepts only its own signatures. During a
 * rotation those of both keys are accepted.
 */
export class Signer {
  private readonly keys: readonly [Buffer, ...Buffer[]];

  constructor(config: Pick<Config, 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS' | 'NODE_ENV'>, purpose: string) {
    const [first, ...others] = findSecretKey(config) === undefined ? [randomBytes(32)] : decryptionKeysOf(config);
    this.keys = [derivedKey(first, purpose), ...others.map((secret) => derivedKey(secret, purpose))];
  }

  sign(text: string): string {
    return macOf(text, this.keys[0]);
  }

  hasSigned(text: string, signature: string): boolean {
    if (!SIGNATURE.test(signature)) return false;
    // As texts: the last character has bits that bytes do not show.
    const given = Buffer.from(signature);
    return this.keys.some((key) => timingSafeEqual(given, Buffer.from(macOf(text, key))));
  }
}

const macOf = (text: string, key: Buffer): string => createHmac('sha256', key).update(text).digest('base64url');
