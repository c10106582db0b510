import { derivedKey } from '../../../platform/config/secret-key';

/** TLS with a key that both sides know: no certificates to set up. Node supports it up to TLS 1.2. */
export const RELAY_TLS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
  // None: the key stands for both sides, and to read those of Node takes 100 ms.
  ca: [] as string[],
} as const;

/** A key for one purpose, from the secret that all processes of the service share. */
export const relayKey = (secret: Buffer, purpose: 'tls' | 'ticket'): Buffer => derivedKey(secret, `relay ${purpose}`);
