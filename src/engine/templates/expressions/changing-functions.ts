import { type Environment, type FunctionTable, takes, type TemplateFunction, type Values } from './function-table';
import { ExpressionError, ExpressionLimitExceeded } from './value';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
const LONGEST_RANDOM = 10_000;
const LARGEST_RANDOM = 2_147_483_647;

function randomText({ randomBelow }: Environment, length: number, characters: string): string {
  if (!Number.isInteger(length) || length < 0) throw new ExpressionError('a length must be a whole number from 0');
  if (length > LONGEST_RANDOM) throw new ExpressionLimitExceeded(`a random text is longer than ${LONGEST_RANDOM}`);
  if (characters === '') throw new ExpressionError('there is no character to choose from');
  return Array.from({ length }, () => characters[randomBelow(characters.length)]).join('');
}

/** Takes a length, and characters to leave out. */
const randomOf = (characters: string): TemplateFunction =>
  takes(1, 2, (values, environment) => {
    const left = new Set(values.text(1));
    return randomText(
      environment,
      values.number(0),
      Array.from(characters)
        .filter((one) => !left.has(one))
        .join(''),
    );
  });

function randomInteger(values: Values, { randomBelow }: Environment): number {
  const least = values.count > 0 ? values.number(0) : 0;
  const most = values.count > 1 ? values.number(1) : LARGEST_RANDOM;
  const count = most - least;
  if (!Number.isInteger(least) || !Number.isInteger(most) || count <= 0 || !Number.isSafeInteger(count))
    throw new ExpressionError('rand_int takes two whole numbers, the smaller one first');
  return least + randomBelow(count);
}

/** Values that differ between runs. Within a run, its seed determines them. */
export const RANDOM_FUNCTIONS: FunctionTable = {
  rand_base: takes(1, 2, (values, environment) =>
    randomText(
      environment,
      values.number(0),
      values.count > 1 && values.text(1) !== '' ? values.text(1) : LETTERS + DIGITS,
    ),
  ),
  rand_char: takes(0, 1, (values, environment) =>
    randomText(environment, 1, values.count > 0 ? values.text(0) : LETTERS + DIGITS),
  ),
  rand_int: takes(0, 2, randomInteger),
  rand_text_alpha: randomOf(LETTERS),
  rand_text_alphanumeric: randomOf(LETTERS + DIGITS),
  rand_text_numeric: randomOf(DIGITS),
};

const two = (number: number): string => String(number).padStart(2, '0');
const name = (options: Intl.DateTimeFormatOptions): ((date: Date) => string) => {
  const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  return (date) => format.format(date);
};

/** The layouts of Go, and the letters after a percent sign. */
const FIELDS: Readonly<Record<string, (date: Date) => string>> = {
  '2006': (date) => String(date.getUTCFullYear()),
  '06': (date) => two(date.getUTCFullYear() % 100),
  January: name({ month: 'long' }),
  Jan: name({ month: 'short' }),
  Monday: name({ weekday: 'long' }),
  Mon: name({ weekday: 'short' }),
  '01': (date) => two(date.getUTCMonth() + 1),
  '02': (date) => two(date.getUTCDate()),
  '15': (date) => two(date.getUTCHours()),
  '04': (date) => two(date.getUTCMinutes()),
  '05': (date) => two(date.getUTCSeconds()),
  MST: () => 'UTC',
  Z07: () => 'Z',
  '-0700': () => '+0000',
  '%Y': (date) => String(date.getUTCFullYear()),
  '%M': (date) => two(date.getUTCMonth() + 1),
  '%D': (date) => two(date.getUTCDate()),
  '%H': (date) => two(date.getUTCHours()),
  '%m': (date) => two(date.getUTCMinutes()),
  '%S': (date) => two(date.getUTCSeconds()),
};
const FIELD = /%[YMDHmS]|2006|January|Jan|Monday|Mon|MST|-0700|Z07:00|Z07|06|01|02|15|04|05/g;
const LAST_SECOND = 253_402_300_799;

function dateOf(seconds: number): Date {
  if (Math.abs(seconds) > LAST_SECOND) throw new ExpressionError('the time is outside of the years up to 9999');
  return new Date(seconds * 1_000);
}

const secondsOf = ({ now }: Environment): number => Math.floor(now.getTime() / 1_000);

export const TIME_FUNCTIONS: FunctionTable = {
  date_time: takes(1, 2, (values, environment) => {
    const date = dateOf(values.count > 1 ? values.number(1) : secondsOf(environment));
    return values.text(0).replaceAll(FIELD, (field) => FIELDS[field.replace(/:00$/, '')]?.(date) ?? field);
  }),
  unix_time: takes(0, 1, (values, environment) => secondsOf(environment) + (values.count > 0 ? values.number(0) : 0)),
  to_unix_time: takes(1, 1, (values) => {
    const milliseconds = Date.parse(values.text(0));
    if (Number.isNaN(milliseconds)) throw new ExpressionError('the text is not a time');
    return Math.floor(milliseconds / 1_000);
  }),
};
