/** What the id of a template's check begins with. No built-in check has a colon in its id. */
export const TEMPLATE_PREFIX = 'http:';

/** The id in a template has at most 100 characters. */
export const MAX_CHECK_ID_LENGTH = TEMPLATE_PREFIX.length + 100;
