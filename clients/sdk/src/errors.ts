/** What a 400 says of one field. */
export interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

/** What is known of a refused or failed request. */
export interface Failure {
  /** The status of the response, or undefined without one. */
  readonly status?: number;
  /** Names the request in the log of the service. */
  readonly requestId?: string;
  /** Whether the same request may succeed later. */
  readonly retryable?: boolean;
  /** The seconds after which the service wants it again. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** Every error of this package. There is one class for each status. */
export class AssayError extends Error {
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;

  constructor(message: string, { status, requestId, retryable = false, retryAfter, cause }: Failure = {}) {
    super(message, { cause });
    this.name = new.target.name;
    this.status = status;
    this.requestId = requestId;
    this.retryable = retryable;
    this.retryAfter = retryAfter;
  }
}

/** 400: `fields` names what is wrong, as far as the service names it. */
export class BadRequestError extends AssayError {
  readonly fields: readonly FieldProblem[];

  constructor(message: string, failure: Failure = {}) {
    super(message, failure);
    this.fields = problemsIn(message);
  }
}
/** 401: the key or its secret is wrong, expired or revoked. */
export class UnauthorizedError extends AssayError {}
/** 403: the key or its user may not do this. */
export class ForbiddenError extends AssayError {}
/** 404: it does not exist, or not for this key. */
export class NotFoundError extends AssayError {}
/** 409: the state of the record does not allow it. */
export class ConflictError extends AssayError {}
/** 412: the record has changed since it was read. */
export class PreconditionFailedError extends AssayError {}
/** 413: the body or the response is too large. */
export class TooLargeError extends AssayError {}
/** 422: a rule of the organization or the service forbids it. */
export class UnprocessableError extends AssayError {}
/** 429: too many requests. */
export class TooManyRequestsError extends AssayError {}
/** 502, 503, 504: the service is unavailable for now. */
export class UnavailableError extends AssayError {}
/** Another status of 500 or more. */
export class ServerError extends AssayError {}
/** No response: the service cannot be reached, or the connection broke. */
export class ConnectionError extends AssayError {}
/** No complete response in time. */
export class TimeoutError extends AssayError {}
/** A response that is not one of Assay, such as the page of a proxy. */
export class InvalidResponseError extends AssayError {}

const CLASSES: Readonly<Record<number, typeof AssayError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: TooLargeError,
  422: UnprocessableError,
  429: TooManyRequestsError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
};

const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503]);

/** The error of a response that is no success. */
export function errorOf(status: number, headers: Headers, body: string): AssayError {
  const requestId = headers.get('x-request-id') ?? undefined;
  const retryAfter = retryAfterOf(headers);
  // A 409 with a time means that the first of two equal requests is not finished.
  const retryable = RETRYABLE.has(status) || (status === 409 && retryAfter !== undefined);
  const failure: Failure = { status, requestId, retryable, retryAfter };
  if (status < 400)
    return new InvalidResponseError(
      `The service returned ${status}, a redirect. Use the address that it redirects to.`,
      failure,
    );
  const type = CLASSES[status] ?? (status >= 500 ? ServerError : AssayError);
  return new type(descriptionIn(body) ?? `The service returned ${status}.`, failure);
}

function descriptionIn(body: string): string | undefined {
  try {
    const { description } = JSON.parse(body) as { readonly description?: unknown };
    return typeof description === 'string' && description !== '' ? description : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds from now, whether the header has seconds or a date. */
export function retryAfterOf(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** `title must be a text; severity must be …` */
function problemsIn(message: string): FieldProblem[] {
  return message
    .replace(/\.$/, '')
    .split('; ')
    .flatMap((sentence) => {
      const [, field, problem] =
        /^"?([a-z_][\w.[\]]*)"? ((?:must|is|has|needs|may|should|cannot)\b.*)$/.exec(sentence) ?? [];
      return field === undefined || problem === undefined ? [] : [{ field, problem }];
    });
}
