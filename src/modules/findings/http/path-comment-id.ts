import { pathParameter } from '../../../platform/http/path-parameter';

/** A comment id is a 64-bit number. An invalid one is parsed as an id that no comment has. */
export const parseCommentId = (text: string | undefined): string => /^[1-9][0-9]{0,17}$/.exec(text ?? '')?.[0] ?? '0';

export const PathCommentId = pathParameter(parseCommentId, { type: 'string', pattern: '^[1-9][0-9]{0,17}$' });
