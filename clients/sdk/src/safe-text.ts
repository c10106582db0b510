/** What may move a cursor, change a title, or show text in another order than it has. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/** Of texts and numbers; other values as JSON. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Runners of pipelines take "##[…]" and "##vso[…]" anywhere in a line of a log for their own commands. */
const harmless = (text: string): string => text.replace(UNSAFE, '\u{fffd}').replace(/##+/gu, '#');

/** One line without control characters, for text that a target or a person has chosen. */
export const safeLine = (text: unknown): string => harmless(textOf(text).replace(/\s+/gu, ' ')).trim();

/** The same for several lines. Runners take a line that begins with "::" for a command. */
export const safeLines = (text: unknown): string =>
  textOf(text)
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => harmless(line.replaceAll('\t', '  ')).replace(/^(\s*):{2,}/u, '$1:'))
    .join('\n');
