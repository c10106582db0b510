import { pathParameter } from './path-parameter';

const SLUG_PATTERN = '^[a-z0-9]+(-[a-z0-9]+)*$';
const SLUG = new RegExp(SLUG_PATTERN);
const MAX_LENGTH = 63;

/** A slug that no record has. Invalid slugs are parsed as this one, like ids. */
export const NO_SUCH_SLUG = '';

export const parseSlug = (text: string | undefined): string =>
  text !== undefined && text.length <= MAX_LENGTH && SLUG.test(text) ? text : NO_SUCH_SLUG;

/** The slug in a path parameter. */
export const PathSlug = pathParameter(parseSlug, { type: 'string', maxLength: MAX_LENGTH, pattern: SLUG_PATTERN });
