import { ExchangeError, failureOf } from '../../../engine';

/** Why a request has no answer, with a sentence that says what to do. */
export const OUTBOUND_ERRORS = {
  address_not_allowed:
    'The address is not public, or belongs to this service. Ask the operator to list it in WEBHOOK_ALLOW, or use a public one.',
  unresolved: 'The name has no address. Check the DNS records of the host.',
  unreachable: 'No connection. Check that the receiver runs and that its firewall lets this service in.',
  timeout: 'No complete answer within 10 seconds. Answer first, and process the message afterwards.',
  tls: 'The TLS handshake failed, or the certificate is not valid for the host.',
  no_answer: 'The receiver closed the connection, did not answer in HTTP, or sent too much.',
} as const;

export type OutboundError = keyof typeof OUTBOUND_ERRORS;

const ERRORS_BY_CODE: Readonly<Record<string, OutboundError>> = {
  egress: 'address_not_allowed',
  unresolved: 'unresolved',
  refused: 'unreachable',
  unreachable: 'unreachable',
  no_route: 'unreachable',
  timeout: 'timeout',
  tls: 'tls',
};

export const notAllowed = (): ExchangeError => new ExchangeError('egress', 'http is only for allowed addresses');

export const tooLong = (): ExchangeError => new ExchangeError('closed', 'the answer is too long');

export const switched = (): ExchangeError => new ExchangeError('protocol', 'the receiver switched to another protocol');

export const tlsFailed = (): ExchangeError => new ExchangeError('tls', 'the TLS handshake failed');

/** Errors that no receiver can cause are bugs, and are thrown. */
export function outboundErrorOf(error: unknown): OutboundError {
  const failure = failureOf(error);
  if (failure === null) throw error;
  return ERRORS_BY_CODE[failure.code] ?? 'no_answer';
}
