/** Line breaks and other controls, halves of characters, and characters that reorder the text around them. */
const NOT_IN_LINE = /[\p{Cc}\p{Cs}\u2028-\u202E\u2066-\u2069]/u;
/** A text of several lines has tabs and line breaks. Code in it may have any direction. */
const NOT_IN_TEXT = /(?![\t\r\n])[\p{Cc}\p{Cs}]/u;

/** Whether a name, a title or a label may be stored: it is shown in lists, mails and logs of one line. */
export const isLine = (text: string): boolean => !NOT_IN_LINE.test(text);

/** Whether a text of several lines may be stored. */
export const isText = (text: string): boolean => !NOT_IN_TEXT.test(text);

/** A text in which a reader sees where the characters are that `isText` refuses. */
export const withVisibleControls = (text: string): string => text.replace(new RegExp(NOT_IN_TEXT, 'gu'), '\u{FFFD}');

/** A text that may be stored as a line, in which a reader sees where the characters are that `isLine` refuses. */
export const asLine = (text: string): string => text.replace(new RegExp(NOT_IN_LINE, 'gu'), '\u{FFFD}');

/** The first character that a line or a text must not contain, such as `U+0000`, for an error message. */
export function unsuitableCharacter(text: string, kind: 'line' | 'text'): string | undefined {
  const found = (kind === 'line' ? NOT_IN_LINE : NOT_IN_TEXT).exec(text)?.[0].codePointAt(0);
  return found === undefined ? undefined : `U+${found.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The same text in memory of its own: a part of a string, or one that has a part, keeps all of the longer string. */
export const ownText = (text: string): string => Buffer.from(text).toString();
