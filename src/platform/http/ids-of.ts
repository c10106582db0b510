import type { ItemRule } from './fields';

const MAX_ID = 2_147_483_647;

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MAX_ID;

/** A list of different ids. */
export const idsOf = (whose: string): ItemRule => ({
  check: isId,
  sentence: `is the id of ${whose}`,
  items: { type: 'integer', minimum: 1, maximum: MAX_ID },
  unique: true,
});
