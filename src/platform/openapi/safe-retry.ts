import { idempotencyKeyPattern } from '../idempotency/idempotency';

/** What the document says of safe retries, once, and what every operation that knows them refers to. */
export const safeRetryComponents = {
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header' as const,
      required: false,
      description:
        'Makes a retry safe: the same key, path and body again within 24 hours have no second effect, and get the first answer again, without its secrets. The same key with another body is a 422; while the first request is under way, a 409.',
      // No example: a page that fills it in would send every request with the same key.
      schema: { type: 'string' as const, pattern: idempotencyKeyPattern },
    },
  },
  headers: {
    IdempotencyReplayed: {
      description: 'Present where this answer was given before, to the first request with this `Idempotency-Key`.',
      schema: { type: 'string' as const, enum: ['true'] },
    },
  },
};

export const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' };

export const idempotencyReplayed = { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } };
