import { IDEMPOTENCY_KEY_PATTERN } from '../idempotency/idempotency';

/** The components of safe retries, to which operations refer. */
export const safeRetryComponents = {
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header' as const,
      required: false,
      description:
        'Makes a retry safe. A request with the same key, path, query and body within 24 hours has no second effect and returns the first response without its secrets. The same key with another query or body returns 422. While the first request is running, the response is 409.',
      // No example: the documentation page would send all requests with the same key.
      schema: { type: 'string' as const, pattern: IDEMPOTENCY_KEY_PATTERN },
    },
  },
  headers: {
    IdempotencyReplayed: {
      description: 'Present if this is the stored response to the first request with this `Idempotency-Key`.',
      schema: { type: 'string' as const, enum: ['true'] },
    },
  },
};

export const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' };

export const idempotencyReplayed = { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } };
