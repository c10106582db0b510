import { pathParameter } from '../../../platform/http/path-parameter';

const MAX_LENGTH = 100;

/** The id of a check in a path parameter. Other texts are made short and printable, and no check has them. */
export const PathCheckId = pathParameter((text = '') => text.slice(0, MAX_LENGTH).replace(/[^\x21-\x7e]/g, '?'), {
  type: 'string',
  maxLength: MAX_LENGTH,
});
