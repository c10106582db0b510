/** What the id of a template's check begins with. No built-in check has a colon in its id. */
export const TEMPLATE_PREFIX = 'http:';
