import { capitalized } from '../../kernel/capitalized';
import { MAX_COUNT, type Slice } from '../../kernel/page';

/** risk_accepted: Risk accepted */
export const labelOf = (name: string): string => capitalized(name.replaceAll('_', ' '));

/** Reasons begin in lower case, or with a path, a name or a header field, whose case counts. */
export const asSentence = (text: string): string => text.replace(/^[a-z]+(?= )/, capitalized);

const numbers = new Intl.NumberFormat('en');
export const formatted = (count: number): string => numbers.format(count);

/** Long lists are not counted to their end. */
export const countText = (count: number, counted = MAX_COUNT): string =>
  count > counted ? `${formatted(counted)}+` : formatted(count);

/** How long a list is. */
export const totalText = (
  { total = 0, most = MAX_COUNT }: Pick<Slice<unknown>, 'total' | 'most'>,
  one: string,
  many = `${one}s`,
): string => (total > most ? `More than ${formatted(most)} ${many}` : pluralize(total, one, many));

const UNITS = ['', 'KiB', 'MiB', 'GiB'];

export function sizeText(bytes: number): string {
  const step = bytes === 0 ? 0 : Math.floor(Math.log2(bytes) / 10);
  const amount = bytes / 1_024 ** step;
  return step === 0 ? pluralize(bytes, 'byte') : `${amount.toFixed(1)} ${UNITS[step] ?? ''}`;
}

export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${formatted(count)} ${count === 1 ? one : many}`;
