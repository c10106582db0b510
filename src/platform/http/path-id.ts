import { pathParameter } from './path-parameter';

const DECIMAL = /^[1-9][0-9]{0,9}$/;
const MAX_INT4 = 2_147_483_647;

/**
 * An id that no record has. Invalid ids in a path are parsed as this one, so that `abc`, `0x1` and 2^31 have the same response
 * as an unknown id and never reach the database.
 */
export const NO_SUCH_ID = 0;

export function parseId(text: unknown): number {
  if (typeof text !== 'string' || !DECIMAL.test(text)) return NO_SUCH_ID;
  const id = Number(text);
  return id <= MAX_INT4 ? id : NO_SUCH_ID;
}

export const idSchema = { type: 'integer', minimum: 1, maximum: MAX_INT4 } as const;

/** The integer id in a path parameter. */
export const PathId = pathParameter(parseId, idSchema);
