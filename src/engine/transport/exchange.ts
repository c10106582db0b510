import type { CertificateSignature } from './certificate-signature';

/** Why an exchange has no answer. */
export type FailureCode =
  | 'egress'
  | 'moved'
  | 'unresolved'
  | 'refused'
  | 'unreachable'
  | 'no_route'
  | 'timeout'
  | 'reset'
  | 'closed'
  | 'too_large'
  | 'protocol'
  | 'tls';

export interface Failure {
  readonly code: FailureCode;
  /** Part of a sentence: "the connection was refused". */
  readonly reason: string;
}

export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly serial: string;
  readonly sha256: string;
  readonly from: string;
  readonly until: string;
  readonly names: string;
  /** Whether it was issued for the requested name or address. */
  readonly covers: boolean;
  readonly key: { readonly type: string; readonly bits: number | null };
  readonly signature: CertificateSignature | null;
}

/** A certificate that the server sent in addition to its own. */
export type CertificateLink = Pick<CertificateFacts, 'subject' | 'issuer' | 'signature'>;

export interface TlsFacts {
  readonly protocol: string;
  readonly cipher: string;
  /** Whether the chain and the name can be verified with the public authorities. `problem` says what is wrong otherwise. */
  readonly trusted: boolean;
  readonly problem: string | null;
  readonly certificate: CertificateFacts | null;
  /** The certificates after the server's own, in their order, whether they belong to the chain or not. */
  readonly chain: readonly CertificateLink[];
}

/** An exchange with a target as stored for evidence: redacted and shortened. The digest covers everything that was received. */
export interface Exchange {
  readonly kind: 'http' | 'tls' | 'tcp' | 'dns';
  /** A URL, `host:port`, or the DNS question. */
  readonly to: string;
  readonly started: string;
  readonly ms: number;
  /** The address and port that were dialled. */
  readonly address: string | null;
  readonly sent: string;
  readonly received: string;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly tls: TlsFacts | null;
  readonly failure: Failure | null;
}

/** When the last of these exchanges ended; undefined if there are none. */
export const endOf = (exchanges: readonly Exchange[]): string | undefined =>
  exchanges.length === 0
    ? undefined
    : new Date(Math.max(...exchanges.map(({ started, ms }) => Date.parse(started) + ms))).toISOString();

/** Thrown inside an exchange with the known cause of a failure. */
export class ExchangeError extends Error {
  constructor(
    readonly code: FailureCode,
    reason: string,
  ) {
    super(reason);
    this.name = 'ExchangeError';
  }
}

/** Releases the resources of an ended exchange. Shared, because creating an error captures a stack. */
export const EXCHANGE_ENDED = new ExchangeError('closed', 'the exchange is over');

/** An exchange that ended without a complete response. It proves nothing about the weakness. */
export class ExchangeFailed extends Error {
  constructor(
    readonly exchange: Exchange,
    readonly failure: Failure,
  ) {
    super(`${exchange.to}: ${failure.reason}`);
    this.name = 'ExchangeFailed';
  }
}

const byCode = (codes: string, code: FailureCode, reason: string): [string, Failure][] =>
  codes.split(' ').map((known) => [known, { code, reason }]);

const KNOWN = new Map<string, Failure>([
  ...byCode('ECONNREFUSED', 'refused', 'the connection was refused'),
  ...byCode('ECONNRESET EPIPE ECONNABORTED', 'reset', 'the connection was reset'),
  ...byCode('ERR_STREAM_PREMATURE_CLOSE', 'closed', 'the connection was closed before the response was complete'),
  ...byCode('ETIMEDOUT', 'timeout', 'no response in time'),
  ...byCode('EHOSTUNREACH EINVAL', 'unreachable', 'the address cannot be reached'),
  // An error of this machine, usually because it has no IPv6. It proves nothing about the target.
  ...byCode('ENETUNREACH EADDRNOTAVAIL', 'no_route', 'this machine has no route to the address'),
  ...byCode('HPE_HEADER_OVERFLOW', 'too_large', 'the response header is too large'),
  ...byCode(
    'ERR_INVALID_CHAR ERR_INVALID_HTTP_TOKEN ERR_UNESCAPED_CHARACTERS',
    'protocol',
    'the request cannot be sent over HTTP/1.1',
  ),
  ...byCode('Z_DATA_ERROR Z_BUF_ERROR', 'protocol', 'the response cannot be decompressed'),
]);

const PREFIXES: readonly (readonly [string, Failure])[] = [
  ['HPE_', { code: 'protocol', reason: 'the response is not HTTP' }],
  ['ERR_SSL_', { code: 'tls', reason: 'the TLS handshake failed' }],
  ['ERR_TLS_', { code: 'tls', reason: 'the TLS handshake failed' }],
  // Node's spelling of brotli errors.
  ['ERR__ERROR_', { code: 'protocol', reason: 'the response cannot be decompressed' }],
];

const textIn = (error: unknown, field: string): string => {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
  return typeof value === 'string' ? value : '';
};

/** The code of an error, or its name if it has no code. */
export const codeOf = (error: unknown): string => textIn(error, 'code') || textIn(error, 'name');

/** Describes a failure; null for errors that no target can cause. Those are bugs and must not be hidden. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof ExchangeError) return { code: error.code, reason: error.message };
  const code = codeOf(error);
  return KNOWN.get(code) ?? PREFIXES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? null;
}
