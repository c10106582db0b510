import { getSchemaPath } from '@nestjs/swagger';
import { ErrorBody, errorBody } from '../http/error-body';

const text = { type: 'string' as const };
const whole = { type: 'integer' as const };

const RETRY_AFTER = 'Retry-After';

/** Each header of limits, as the name of its component without hyphens. */
const HEADERS = {
  'X-RateLimit-Limit': { schema: whole, description: 'How many such requests are allowed a minute.' },
  'X-RateLimit-Remaining': { schema: whole, description: 'How many of them are left.' },
  'X-RateLimit-Reset': {
    schema: whole,
    description: 'When all of them are allowed again: seconds since 1970 (Unix time).',
  },
  RateLimit: {
    schema: { ...text, example: '"reads";r=599;t=60' },
    description:
      'The limit that is reached first, what is left of it (`r`), and the seconds until all is allowed again (`t`).',
  },
  'RateLimit-Policy': {
    schema: { ...text, example: '"reads";q=600;w=60' },
    description:
      'The same limit: how many requests (`q`) in how many seconds (`w`). `reads`, `writes`, `launches`, `retests` and `imports` are limits of the key; with `organization-`, `integrator-` or `user-` before it, of all keys together.',
  },
} as const;

const componentName = (header: string): string => header.replaceAll('-', '');

const references = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${componentName(name)}` }]));

/** The headers of every answer to a request that counts. */
export const limitHeaders = references(Object.keys(HEADERS));

export const tooManyRequests = { $ref: '#/components/responses/TooManyRequests' };

export const limitComponents = {
  headers: {
    ...Object.fromEntries(Object.entries(HEADERS).map(([name, header]) => [componentName(name), header])),
    RetryAfter: { schema: whole, description: 'Seconds until the request may be sent again.' },
  },
  responses: {
    TooManyRequests: {
      description:
        'A limit of requests is reached. The description says which one, whose it is, and when to try again.',
      headers: { ...limitHeaders, ...references([RETRY_AFTER]) },
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(ErrorBody) },
          example: errorBody(
            429,
            'The limit of 600 reads a minute for this API key is reached. Try again in 23 seconds.',
          ),
        },
      },
    },
  },
};
