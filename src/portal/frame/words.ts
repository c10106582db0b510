import { MAX_COUNT } from '../../kernel/page';

/** risk_accepted: Risk accepted */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Reasons begin in lower case, or with a path, a name or a header field, whose case counts. */
export const asSentence = (text: string): string =>
  text.replace(/^[a-z]+(?= )/, (word) => word.charAt(0).toUpperCase() + word.slice(1));

const numbers = new Intl.NumberFormat('en');
export const formatted = (count: number): string => numbers.format(count);

/** Long lists are not counted to their end. */
export const countText = (count: number, counted = MAX_COUNT): string =>
  count > counted ? `${formatted(counted)}+` : formatted(count);

/** How long a list is. */
export const totalText = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${formatted(count)} ${count === 1 ? one : many}`;
