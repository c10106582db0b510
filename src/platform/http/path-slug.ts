import { pathParameter } from './path-parameter';

const pattern = '^[a-z0-9]+(-[a-z0-9]+)*$';
const slug = new RegExp(pattern);
const MAX_LENGTH = 63;

/** A slug that no record has: what is none in a path reads as this one, as with ids. */
export const NO_SUCH_SLUG = '';

export const parseSlug = (text: string | undefined): string =>
  text !== undefined && text.length <= MAX_LENGTH && slug.test(text) ? text : NO_SUCH_SLUG;

/** The slug of a path, by its name in it. */
export const PathSlug = pathParameter(parseSlug, { type: 'string', maxLength: MAX_LENGTH, pattern });
