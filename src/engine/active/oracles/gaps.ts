import type { InsertionPoint } from '../../experiment-record';

/** Replaces the spaces after the value: a cookie cannot contain spaces, and many servers do not decode cookies. */
export const withGaps = (
  { kind, value }: Pick<InsertionPoint, 'kind' | 'value'>,
  payload: string,
  gap = ' ',
): string =>
  kind === 'cookie' ? `${payload.slice(0, value.length)}${payload.slice(value.length).replaceAll(' ', gap)}` : payload;
