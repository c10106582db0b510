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
  /** A part of a sentence: "the connection was refused". */
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
  /** Whether it was issued for the name (or address) that was asked for. */
  readonly covers: boolean;
  readonly key: { readonly type: string; readonly bits: number | null };
  readonly signature: CertificateSignature | null;
}

/** A certificate that was sent along with the server's own. */
export type CertificateLink = Pick<CertificateFacts, 'subject' | 'issuer' | 'signature'>;

export interface TlsFacts {
  readonly protocol: string;
  readonly cipher: string;
  /** Whether the chain and the name verify against the usual authorities; what is wrong with them if not. */
  readonly trusted: boolean;
  readonly problem: string | null;
  readonly certificate: CertificateFacts | null;
  /** What came after it, in that order, whether it belongs there or not. */
  readonly chain: readonly CertificateLink[];
}

/** One exchange with a target, as it is kept for evidence: redacted and bounded, the digest over all that came. */
export interface Exchange {
  readonly kind: 'http' | 'tls' | 'tcp' | 'dns';
  /** A URL, `host:port`, or the question asked. */
  readonly to: string;
  readonly started: string;
  readonly ms: number;
  /** The address and port that were really dialled. */
  readonly address: string | null;
  readonly sent: string;
  readonly received: string;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly tls: TlsFacts | null;
  readonly failure: Failure | null;
}

/** When the last of these exchanges ended; undefined for none. */
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

/** Releases what an ended exchange still holds. Shared, because creating an error for each captures a stack. */
export const EXCHANGE_ENDED = new ExchangeError('closed', 'the exchange is over');

/** An exchange that ended without a complete response. It shows nothing about the weakness. */
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
  // An error of this machine, usually because it has no IPv6. It shows nothing about the target.
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
  // As Node spells the errors of brotli.
  ['ERR__ERROR_', { code: 'protocol', reason: 'the response cannot be decompressed' }],
];

const textIn = (error: unknown, field: string): string => {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
  return typeof value === 'string' ? value : '';
};

/** How the stack spells an error: by its code, or by its name where it has none. */
export const codeOf = (error: unknown): string => textIn(error, 'code') || textIn(error, 'name');

/** The failure in our words; null for errors that no target can cause. Those are bugs and must not be hidden. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof ExchangeError) return { code: error.code, reason: error.message };
  const code = codeOf(error);
  return KNOWN.get(code) ?? PREFIXES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? null;
}
