import { type FunctionTable, ofText, takes, type Values } from './function-table';
import { meetsConstraint } from './compare-versions';
import {
  bounded,
  boundedJoin,
  ExpressionError,
  ExpressionLimitExceeded,
  LONGEST_VALUE,
  textOf,
  type Value,
} from './value';

function charactersOf(count: number): number {
  if (!Number.isInteger(count) || count < 0) throw new ExpressionError('a count must be a whole number from 0');
  if (count > LONGEST_VALUE) throw new ExpressionLimitExceeded(`a count is larger than ${LONGEST_VALUE}`);
  return count;
}

export function repeated(text: string, count: number): string {
  if (text.length * charactersOf(count) > LONGEST_VALUE)
    throw new ExpressionLimitExceeded(`a text is longer than ${LONGEST_VALUE} characters`);
  return text.repeat(count);
}

function padded(values: Values): string {
  const [text, pad, length] = [values.text(0), values.text(1), charactersOf(values.number(2))];
  if (pad === '') throw new ExpressionError('padding needs a text to pad with');
  return values.text(3) === 'prefix' ? text.padStart(length, pad) : text.padEnd(length, pad);
}

function trimmed(text: string, characters: string, sides: 'left' | 'right' | 'both'): string {
  const cut = new Set(characters);
  const letters = Array.from(text);
  const isKept = (letter: string): boolean => !cut.has(letter);
  const first = sides === 'right' ? 0 : letters.findIndex(isKept);
  const from = first < 0 ? letters.length : first;
  const to = sides === 'left' ? letters.length : letters.findLastIndex(isKept) + 1;
  return letters.slice(from, to).join('');
}

function substring(values: Values): string {
  const text = values.text(0);
  const [from, to] = [values.number(1), values.count > 2 ? values.number(2) : text.length];
  if (from < 0 || to < from || from > text.length) throw new ExpressionError('substr is outside of the text');
  return text.slice(from, to);
}

/** With a longer pattern, each character of a text could be compared with all of it. No version is longer. */
const LONGEST_PATTERN = 1_000;

function patternOf(text: string): string {
  if (text.length > LONGEST_PATTERN)
    throw new ExpressionLimitExceeded(
      `a text that is searched for, or a version, is longer than ${LONGEST_PATTERN} characters`,
    );
  return text;
}

function replaced(text: string, from: string, to: string): string {
  return boundedJoin(text.split(patternOf(from)), to);
}

function split(values: Values): Value {
  const [text, separator] = [values.text(0), patternOf(values.text(1))];
  return bounded(text.split(separator, values.count > 2 ? charactersOf(values.number(2)) : undefined));
}

/** The indentation of all lines, which may have many more characters than their content. */
const indentation = (value: unknown, indent: number, depth = 1): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, one) => sum + indent * depth + indentation(one, indent, depth + 1), 0)
    : 0;

/** Throws for invalid JSON, and for a document that is nested too deeply to be written. */
function rewrittenJson(text: string, indent?: number): string {
  try {
    const document: unknown = JSON.parse(text);
    if (indent !== undefined && indentation(document, indent) > LONGEST_VALUE)
      throw new ExpressionLimitExceeded(`a text is longer than ${LONGEST_VALUE} characters`);
    return bounded(JSON.stringify(document, null, indent));
  } catch (error) {
    throw error instanceof ExpressionError ? error : new ExpressionError('the text is not JSON');
  }
}

const lengthOf = (value: Value): number =>
  typeof value === 'object' ? value.length : Buffer.byteLength(textOf(value));

const inBase = (text: string, base: number, digits: RegExp): number => {
  if (!digits.test(text)) throw new ExpressionError(`"${text.slice(0, 40)}" is not a number in base ${base}`);
  return Number.parseInt(text.replace(/^0[box]/i, ''), base);
};

export const TEXT_FUNCTIONS: FunctionTable = {
  to_upper: ofText((text) => text.toUpperCase()),
  to_title: ofText((text) => text.replaceAll(/(^|\s)(\S)/g, (letters) => letters.toUpperCase())),
  to_string: ofText((text) => text),
  to_number: takes(1, 1, (values) => values.number(0)),
  len: takes(1, 1, (values) => lengthOf(values.at(0))),
  reverse: ofText((text) => Array.from(text).toReversed().join('')),
  concat: takes(1, 50, (values) => boundedJoin(values.texts(0), '')),
  join: takes(2, 50, (values) => boundedJoin(values.texts(1), values.text(0))),
  repeat: takes(2, 2, (values) => repeated(values.text(0), values.number(1))),
  padding: takes(4, 4, padded),
  replace: takes(3, 3, (values) => replaced(values.text(0), values.text(1), values.text(2))),
  split: takes(2, 3, split),
  substr: takes(2, 3, substring),
  index: takes(2, 2, (values) => {
    const item = values.at(0);
    const found = (typeof item === 'object' ? item : Array.from(values.text(0)))[values.number(1)];
    if (found === undefined) throw new ExpressionError('index is outside of the list');
    return found;
  }),
  count: takes(2, 2, (values) => values.text(0).split(patternOf(values.text(1))).length - 1),
  trim: takes(2, 2, (values) => trimmed(values.text(0), values.text(1), 'both')),
  trim_left: takes(2, 2, (values) => trimmed(values.text(0), values.text(1), 'left')),
  trim_right: takes(2, 2, (values) => trimmed(values.text(0), values.text(1), 'right')),
  trim_space: ofText((text) => text.trim()),
  trim_prefix: takes(2, 2, (values) => {
    const [text, prefix] = [values.text(0), values.text(1)];
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  }),
  trim_suffix: takes(2, 2, (values) => {
    const [text, suffix] = [values.text(0), values.text(1)];
    return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
  }),
  remove_bad_chars: takes(2, 2, (values) => {
    const bad = new Set(values.text(1));
    return Array.from(values.text(0))
      .filter((one) => !bad.has(one))
      .join('');
  }),
  equals_any: takes(2, 50, (values) => values.texts(1).includes(values.longText(0))),
  compare_versions: takes(2, 10, (values) =>
    values
      .texts(1)
      .flatMap((text) => patternOf(text).split(','))
      .every((one) => meetsConstraint(patternOf(values.text(0)), one)),
  ),
  json_minify: ofText((text) => rewrittenJson(text)),
  json_prettify: ofText((text) => rewrittenJson(text, 4)),
  dec_to_hex: takes(1, 1, (values) => Math.trunc(values.number(0)).toString(16)),
  hex_to_dec: ofText((text) => inBase(text, 16, /^(?:0x)?[\da-f]{1,13}$/i)),
  oct_to_dec: ofText((text) => inBase(text, 8, /^(?:0o)?[0-7]{1,17}$/i)),
  bin_to_dec: ofText((text) => inBase(text, 2, /^(?:0b)?[01]{1,52}$/i)),
};
