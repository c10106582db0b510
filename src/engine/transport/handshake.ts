import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  connect as connectTls,
  createSecureContext,
  type SecureContext,
  type SecureVersion,
  type TLSSocket,
} from 'node:tls';
import { codeOf, ExchangeError, type TlsFacts } from './exchange';
import type { Recording } from './recording';
import { tlsFacts } from './tls-facts';

/** What is offered to the server. Without it everything that this runtime can speak, vulnerable or not. */
export interface TlsOffer {
  readonly minVersion?: SecureVersion;
  readonly maxVersion?: SecureVersion;
  /** In OpenSSL's notation. */
  readonly ciphers?: string;
}

/** An alert is a refusal. A closed connection is a failure instead. */
export type Handshake =
  { readonly state: 'agreed'; readonly tls: TlsFacts } | { readonly state: 'refused'; readonly alert: string };

/** Removes OpenSSL's minimum security level, so that TLS 1.0 and short keys can be detected. */
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

/** Speaks TLS over a connected socket, presenting the asset's name; no chain is refused, every chain is recorded. */
export function secure(socket: Duplex, host: string, recording: Recording, offer: TlsOffer = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      servername: isIP(host) === 0 ? host : '',
      host,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
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

/** The alert that a server ended a handshake with; null when it was no alert. */
export function alertOf(error: unknown): string | null {
  const code = codeOf(error);
  if (code === 'ERR_SSL_UNSUPPORTED_PROTOCOL' || code === 'ERR_SSL_WRONG_SSL_VERSION') return 'protocol version';
  return /^ERR_SSL_(?:TLSV1_|SSLV3_)ALERT_(\w+)$/.exec(code)?.[1]?.replaceAll('_', ' ').toLowerCase() ?? null;
}
