import { printable } from '../../beacon-protocol/stream-failure';

/** The error codes of a network that may be there again soon, in the words of the log. */
const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ETIMEDOUT: 'there was no response in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'this machine has no route to it',
  ENOTFOUND: 'its name does not exist',
  EAI_AGAIN: 'its name cannot be resolved now',
};

const isAboutCertificate = (code: string): boolean => /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_CA$/.test(code);

/** Also when the clock of this machine is wrong. */
const isAboutTime = (code: string): boolean => /^CERT_(NOT_YET_VALID|HAS_EXPIRED)$/.test(code);

const isAboutTls = (code: string): boolean => /^(ERR_SSL_|ERR_TLS_|EPROTO)/.test(code);

const fieldOf = (error: unknown, name: string): string => {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : '';
};

/** Why there is no connection to the service, as a sentence for the log. */
export class ConnectFailure extends Error {
  constructor(
    sentence: string,
    /** Whether a setting must be changed first, so that frequent attempts are useless. */
    readonly isRefusal: boolean,
    /** After how many seconds the other side wants to be asked again. */
    readonly retryAfter?: number,
  ) {
    super(printable(sentence));
    this.name = 'ConnectFailure';
  }
}

/** The failure of a connection to the service or to the proxy, which `place` names. */
export function connectFailureOf(error: unknown, place: string): ConnectFailure {
  if (error instanceof ConnectFailure) return error;
  // The attempts to all addresses of a name have failed.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const code = fieldOf(first, 'code') || fieldOf(first, 'name');
  const message = fieldOf(first, 'message') || String(first);
  if (isAboutTime(code))
    return new ConnectFailure(
      `The certificate of ${place} is not valid now: ${message}. The clock of this machine says ${new Date().toISOString()}: check it first.`,
      true,
    );
  if (isAboutCertificate(code))
    return new ConnectFailure(
      `The certificate of ${place} is not valid: ${message}. If an authority of your own issued it, give its certificate with --ca.`,
      true,
    );
  if (isAboutTls(code))
    return new ConnectFailure(
      `${place} does not respond with TLS (${code}). Check the scheme and the port of the URL.`,
      true,
    );
  return new ConnectFailure(`${place} cannot be reached: ${NETWORK[code] ?? message}.`, false);
}
