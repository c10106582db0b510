/** What went wrong, in words that know no protocol. One table in `platform/http` maps each kind to a status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'range_not_satisfiable'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'too_many_requests'
  | 'unavailable';

/** An answer that the caller can act on: its message is shown as it is, so it never names the inside. */
export class DomainError extends Error {
  constructor(
    readonly kind: ErrorKind,
    message: string,
    /** Seconds after which it is worth trying again, where that is known. */
    readonly retryAfter?: number,
  ) {
    super(message);
    this.name = 'DomainError';
  }
}

/** The request cannot be understood or breaks a rule of form: 400. */
export const invalid = (message: string): DomainError => new DomainError('invalid', message);

/** The caller may see it, but may not do this: 403. */
export const forbidden = (message: string): DomainError => new DomainError('forbidden', message);

/** It does not exist, or it is none of the caller's business; the two must read the same: 404. */
export const notFound = (what: string): DomainError => new DomainError('not_found', `${what} not found.`);

/** The state of things, or somebody quicker, stands in the way: 409. */
export const conflict = (message: string): DomainError => new DomainError('conflict', message);

/** A part of a file was asked for that lies behind its end: 416. */
export const rangeNotSatisfiable = (size: number): DomainError =>
  new DomainError('range_not_satisfiable', `The file has ${size} bytes; what Range asks for lies behind its end.`);

/** Well formed, but beyond what the organization or the service allows: 422. */
export const unprocessable = (message: string): DomainError => new DomainError('unprocessable', message);
