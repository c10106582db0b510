import { pathParameter } from '../../../platform/http/path-parameter';
import { MAX_CHECK_ID_LENGTH } from '../domain/template-prefix';

/** The id of a check in a path. Other texts are made short and printable, and no check has them. */
export const PathCheckId = pathParameter(
  (text = '') => text.slice(0, MAX_CHECK_ID_LENGTH + 1).replace(/[^\x21-\x7e]/g, '?'),
  { type: 'string', maxLength: MAX_CHECK_ID_LENGTH },
);
