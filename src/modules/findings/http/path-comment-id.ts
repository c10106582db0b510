import { pathParameter } from '../../../platform/http/path-parameter';

/** Of a 64-bit column. An invalid id is parsed as one that no comment has. */
export const parseCommentId = (text: string | undefined): string => /^[1-9][0-9]{0,17}$/.exec(text ?? '')?.[0] ?? '0';

export const PathCommentId = pathParameter(parseCommentId, { type: 'string', pattern: '^[1-9][0-9]{0,17}$' });
