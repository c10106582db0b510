import { STATUS_CODES } from 'node:http';
import { getSchemaPath } from '@nestjs/swagger';
import { ErrorBody, errorBody } from '../http/error-body';

interface DocumentedError {
  readonly description: string;
  /** The description in the example. */
  readonly example: string;
}

const ERRORS: Readonly<Record<number, DocumentedError>> = {
  400: {
    description: 'The request is invalid. The description names each invalid field.',
    example: 'severity must be one of: none, info, low, medium, high, critical, cosmic.',
  },
  401: { description: 'No valid credentials.', example: 'Valid credentials are required.' },
  403: {
    description: "The caller's role or the scope of its key does not allow this operation.",
    example: 'This needs the role admin or above in organization 1.',
  },
  404: {
    description: 'The record does not exist, or the caller has no access to it.',
    example: 'Finding not found.',
  },
  409: {
    description: 'The request conflicts with the current state of the record or with a concurrent request.',
    example: 'The finding is 3 (in_progress) and cannot become 1 (open); it may become: 2 (accepted).',
  },
  412: {
    description: 'The record does not have the ETag in `If-Match`, because it has changed. Read it again.',
    example: 'The record has changed since it was read. Read it again, and send the change with its new ETag.',
  },
  413: {
    description: 'The body is larger than the operation accepts.',
    example: 'The file must be at most 104857600 bytes.',
  },
  415: {
    description: 'The operation does not accept this media type.',
    example: 'The body must be application/json.',
  },
  422: {
    description: 'The request is valid, but not allowed. The description says why.',
    example: 'No asset of the organization covers www.example.com: add its domain and verify it.',
  },
};

const nameOf = (status: number): string => (STATUS_CODES[status] ?? `Status${status}`).replaceAll(/\W/g, '');

const schema = { $ref: getSchemaPath(ErrorBody) };

/** The responses that operations refer to. */
export const errorResponses = Object.fromEntries(
  Object.entries(ERRORS).map(([status, { description, example }]) => [
    nameOf(Number(status)),
    { description, content: { 'application/json': { schema, example: errorBody(Number(status), example) } } },
  ]),
);

export function errorResponse(status: number): { $ref: string } {
  if (ERRORS[status] === undefined) throw new Error(`The error ${status} has no description and no example.`);
  return { $ref: `#/components/responses/${nameOf(status)}` };
}

const UNAVAILABLE = 'The database is temporarily unavailable. Try again in a few seconds.';

/** All errors that are not listed, with an example of each that the operation is likely to return. */
export function defaultErrorResponse(others: Readonly<Partial<Record<number, string>>> = {}) {
  const all = Object.entries({ ...others, 503: UNAVAILABLE }).map(([status, text]) => [Number(status), text] as const);
  const likely = all.slice(0, -1).map(([status]) => `- ${status}: ${ERRORS[status]?.description ?? ''}`);
  const description = 'Any other error. All errors have a body like this one.';
  const examples = Object.fromEntries(
    all.map(([status, text]) => [nameOf(status), { value: errorBody(status, text) }]),
  );
  const [example] = Object.values(examples);
  return likely.length === 0
    ? { description, content: { 'application/json': { schema, example: example?.value } } }
    : { description: `${description}\n\n${likely.join('\n')}`, content: { 'application/json': { schema, examples } } };
}
