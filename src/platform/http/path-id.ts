import { pathParameter } from './path-parameter';

const decimal = /^[1-9][0-9]{0,9}$/;
const MAX_INT4 = 2_147_483_647;

/**
 * An id that no record has. What is no id in a path reads as this one, so that `abc`, `0x1` and 2^31 are answered byte for
 * byte like an id that nobody has, at the moment when that would be answered, and never reach the database as they are.
 */
export const NO_SUCH_ID = 0;

export function parseId(text: string | undefined): number {
  if (text === undefined || !decimal.test(text)) return NO_SUCH_ID;
  const id = Number(text);
  return id <= MAX_INT4 ? id : NO_SUCH_ID;
}

/** The integer id of a path, by its name in it. */
export const PathId = pathParameter(parseId, { type: 'integer', minimum: 1, maximum: MAX_INT4 });
