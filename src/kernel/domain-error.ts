/** Kinds of errors, independent of HTTP: `platform/http/error.filter.ts` maps each kind to a status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'precondition_failed'
  | 'too_large'
  | 'too_slow'
  | 'range_not_satisfiable'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'upgrade_required'
  | 'too_many_requests'
  | 'unavailable';

/** An error that the caller can act on. Its message is returned unchanged, so it must not contain internal details. */
export class DomainError extends Error {
  /** Writes what a refusal leaves, after the rollback and with the audit entry of the refusal. */
  record?(): Promise<void>;

  constructor(
    readonly kind: ErrorKind,
    message: string,
    /** Seconds after which the caller may try again, if known. */
    readonly retryAfter?: number,
  ) {
    super(message);
    this.name = 'DomainError';
  }
}

/** The request is malformed: 400. */
export const invalid = (message: string): DomainError => new DomainError('invalid', message);

/** The caller can read the record, but may not do this: 403. */
export const forbidden = (message: string): DomainError => new DomainError('forbidden', message);

/** The record does not exist or the caller has no access to it; both have the same response: 404. */
export const notFound = (what: string): DomainError => new DomainError('not_found', `${what} not found.`);

/** The current state or a concurrent change does not allow it: 409. */
export const conflict = (message: string, retryAfter?: number): DomainError =>
  new DomainError('conflict', message, retryAfter);

/** The record is not the one that the caller read: 412. */
export const preconditionFailed = (message: string): DomainError => new DomainError('precondition_failed', message);

/** The requested range begins after the end of the file: 416. */
export const rangeNotSatisfiable = (size: number): DomainError =>
  new DomainError(
    'range_not_satisfiable',
    `The file has ${size} bytes, and the requested range is outside of it. Request a smaller range.`,
  );

/** Well formed, but not allowed by the organization or the service: 422. */
export const unprocessable = (message: string): DomainError => new DomainError('unprocessable', message);

/** Unprocessable now, because the organization has as much unfinished work as it may have: 422. */
export class PlacesTakenError extends DomainError {
  constructor(message: string) {
    super('unprocessable', message);
  }
}
