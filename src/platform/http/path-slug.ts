import { pathParameter } from './path-parameter';

const pattern = '^[a-z0-9]+(-[a-z0-9]+)*$';
const slug = new RegExp(pattern);
const MAX_LENGTH = 63;

/** A slug that no record has. Invalid slugs are parsed as this one, like ids. */
export const NO_SUCH_SLUG = '';

export const parseSlug = (text: string | undefined): string =>
  text !== undefined && text.length <= MAX_LENGTH && slug.test(text) ? text : NO_SUCH_SLUG;

/** The slug in a path parameter. */
export const PathSlug = pathParameter(parseSlug, { type: 'string', maxLength: MAX_LENGTH, pattern });
