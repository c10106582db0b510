import { pathParameter } from './path-parameter';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID that no record has. Invalid UUIDs are parsed as this one, like ids. */
export const NO_SUCH_UUID = '00000000-0000-0000-0000-000000000000';

export const parseUuid = (text: string | undefined): string =>
  text !== undefined && UUID.test(text) ? text : NO_SUCH_UUID;

/** The UUID in a path parameter. */
export const PathUuid = pathParameter(parseUuid, { type: 'string', format: 'uuid' });
