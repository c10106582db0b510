import type { InsertionPoint } from '../../experiment-record';

/** A cookie carries no space, and many servers decode nothing in it: there a gap stands for those behind the value. */
export const withGaps = (
  { kind, value }: Pick<InsertionPoint, 'kind' | 'value'>,
  payload: string,
  gap = ' ',
): string =>
  kind === 'cookie' ? `${payload.slice(0, value.length)}${payload.slice(value.length).replaceAll(' ', gap)}` : payload;
