import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  connect as connectTls,
  createSecureContext,
  type SecureContext,
  type SecureVersion,
  type TLSSocket,
} from 'node:tls';
import { codeOf, ExchangeError, failureOf, type TlsFacts } from './exchange';
import type { Recording } from './recording';
import { tlsFacts } from './tls-facts';

/** What is offered to the server. By default, everything that this runtime supports, vulnerable or not. */
export interface TlsOffer {
  readonly minVersion?: SecureVersion;
  readonly maxVersion?: SecureVersion;
  /** In OpenSSL's notation. */
  readonly ciphers?: string;
  /** Application protocols in order of preference; HTTP/1.1 by default. */
  readonly protocols?: readonly string[];
}

/** A client without TLS 1.3 that accepts one kind of key. A server with two certificates presents a different one to each. */
export type KeyClient = 'rsa' | 'ecdsa';

const KEY_OFFERS: Readonly<Record<KeyClient, TlsOffer>> = {
  rsa: { maxVersion: 'TLSv1.2', ciphers: 'aRSA:!eNULL' },
  ecdsa: { maxVersion: 'TLSv1.2', ciphers: 'aECDSA:!eNULL' },
};

/** An alert is a refusal. A closed connection is a failure instead. */
export type Handshake =
  { readonly state: 'agreed'; readonly tls: TlsFacts } | { readonly state: 'refused'; readonly alert: string };

/** Lowers OpenSSL's security level to the minimum, so that TLS 1.0 and short keys can be detected. */
const EVERYTHING = 'DEFAULT:@SECLEVEL=0';

const contexts = new Map<string, SecureContext>();

/** Cached, because creating a context takes longer than the handshake. */
function contextFor({ minVersion = 'TLSv1', maxVersion = 'TLSv1.3', ciphers }: TlsOffer): SecureContext {
  const key = `${minVersion} ${maxVersion} ${ciphers}`;
  const offered = ciphers === undefined ? EVERYTHING : `${ciphers}:@SECLEVEL=0`;
  const context = contexts.get(key) ?? createSecureContext({ minVersion, maxVersion, ciphers: offered });
  contexts.set(key, context);
  return context;
}

/** Starts TLS on a connected socket with the asset's name. Accepts every certificate chain, and records it. */
export function secure(socket: Duplex, host: string, recording: Recording, offer: TlsOffer = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      servername: isIP(host) === 0 ? host : '',
      host,
      rejectUnauthorized: false,
      ALPNProtocols: [...(offer.protocols ?? ['http/1.1'])],
      secureContext: contextFor(offer),
    });
    secured.once('error', reject);
    secured.once('close', () =>
      reject(new ExchangeError('closed', 'the connection was closed during the TLS handshake')),
    );
    secured.once('secureConnect', () => {
      secured.on('error', () => {});
      recording.tls = tlsFacts(secured, host);
      resolve(secured);
    });
  });
}

/** Connects as such a client, or in the usual way if the server refuses it, which proves nothing. */
export async function secureAs(
  client: KeyClient | undefined,
  dial: () => Promise<Duplex>,
  host: string,
  recording: Recording,
  protocols: readonly string[],
): Promise<TLSSocket> {
  if (client !== undefined) {
    const socket = await dial();
    try {
      return await secure(socket, host, recording, { ...KEY_OFFERS[client], protocols });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      socket.destroy();
    }
  }
  return secure(await dial(), host, recording, { protocols });
}

const isRefusal = (error: unknown): boolean =>
  alertOf(error) !== null || ['closed', 'reset'].includes(failureOf(error)?.code ?? '');

/** The alert with which a server ended a handshake; null if it was not an alert. */
export function alertOf(error: unknown): string | null {
  const code = codeOf(error);
  if (code === 'ERR_SSL_UNSUPPORTED_PROTOCOL' || code === 'ERR_SSL_WRONG_SSL_VERSION') return 'protocol version';
  return /^ERR_SSL_(?:TLSV1|SSLV3|SSL\/TLS)_ALERT_(\w+)$/.exec(code)?.[1]?.replaceAll('_', ' ').toLowerCase() ?? null;
}
