/**
 * A spreadsheet whose separator is `;` or a tab begins a cell after it, and after a line end. After a line end a minus with a
 * space or another minus is left, because Markdown has lists and lines of them. It looks back from the sign alone.
 */
const FORMULA_WITHIN =
  /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20](?<=[;\t][ "]*.)|(?:[=+@\uFF1D\uFF0B\uFF0D\uFF20]|-(?![ -]))(?<=[\r\n][ "]*.)/g;

/** With an apostrophe before each formula within a text of a CSV file. The CSV library writes the one at its beginning. */
export const withoutInnerFormulas = <Value>(value: Value): Value | string =>
  typeof value === 'string' ? value.replace(FORMULA_WITHIN, "'$&") : value;

/** An apostrophe precedes what a spreadsheet would run as a formula: names and addresses come from people. */
export const CSV_OPTIONS = {
  cast: { string: (text: string): string => withoutInnerFormulas(text) },
  escape_formulas: true,
  quoted_string: true,
  record_delimiter: 'windows',
} as const;
