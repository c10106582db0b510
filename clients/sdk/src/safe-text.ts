/** What may move a cursor, change a title, or show text in another order than it has. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/** Of texts and numbers; other values as JSON. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** One line without control characters, for text that a target or a person has chosen. */
export const safeLine = (text: unknown): string =>
  textOf(text).replace(/\s+/gu, ' ').replace(UNSAFE, '\u{fffd}').trim();

/** The same for several lines. */
export const safeLines = (text: unknown): string =>
  textOf(text)
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => line.replaceAll('\t', '  ').replace(UNSAFE, '\u{fffd}'))
    .join('\n');
