import type { InsertionPoint } from '../../experiment-record';
import type { Condition } from './conditions';
import { withGaps } from './gaps';
import { SELECTING, UNKNOWN, unknownValue } from './unknown-values';

/**
 * A place in a statement, and how a condition is written there. A true condition keeps the value. A false one makes the statement
 * fail: NULL would select all rows in `v IS NULL OR name = v` and in `name = COALESCE(v, name)`.
 */
export interface SqlSyntax {
  readonly id: string;
  /** The place in words for people: `a number`. */
  readonly place: string;
  /** Whether a true condition leaves the response unchanged. Otherwise the statement returns no rows. */
  readonly isEqual: boolean;
  fits(value: string): boolean;
  write(value: string, condition: string): string;
  /** The expression that is the value if the condition is true, and an error if it is false. */
  readonly result: string;
  failure(error: string): string;
  /** Follows the product without changing it. */
  readonly term?: string;
  /** The condition and its result, without the words of a statement. */
  short?(product: string, stated: string): string;
}

/**
 * The error is out of range in SQLite, MariaDB and MySQL, and a division by zero in PostgreSQL, SQL Server and Oracle. All of
 * them evaluate it only if the condition is false.
 */
const ERROR = 'abs(-9223372036854775808)*(1/0)';
/**
 * Without a slash, because many servers decode or refuse `%2F` in a path. Out of range in each of these databases, but needs a
 * space.
 */
export const ERROR_WITHOUT_SLASH = 'CAST(abs(-9223372036854775808)AS DECIMAL(1))';
/** Stands for a space in every engine. Cookies cannot contain spaces, and many servers do not decode them. */
export const SQL_GAP = '/**/';

const asNumber = (error: string): string => error;
const anyValue = (): boolean => true;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,6})?$/;
export const isNumber = (value: string): boolean => NUMBER.test(value);
/** Without quotes, a date is a subtraction, whose last number would be multiplied. */
const DATE = /^\d{4}-\d\d-\d\d$/;
const NAME = /^[a-z_][\w.]{0,60}(?:\s(?:asc|desc))?$/i;

interface Concatenation {
  readonly id: string;
  readonly engines: string;
  readonly sign: string;
  readonly asText: (expression: string) => string;
}

/** Concatenates the value with an empty text. */
const concatenation = ({ id, engines, sign, asText }: Concatenation): SqlSyntax => ({
  id,
  place: `a text in single quotes, put together as in ${engines}`,
  isEqual: true,
  fits: anyValue,
  write: (value, expression) => `${value}'${sign}${asText(expression)}${sign}'`,
  result: "''",
  failure: asText,
});

/**
 * How a condition follows a quoted text. The last comparison takes the text after the value, and is false if that is something
 * else.
 */
interface Follower {
  readonly id: string;
  readonly begins: string;
  readonly isEqual: boolean;
  /** Follows the condition. */
  readonly cast?: string;
}

/**
 * `HAVING` is only valid in a SELECT: not in an UPDATE or DELETE, nor in the argument of a function, where `'v' AND …` would be
 * another value.
 */
const HAVING: Follower = { id: 'having', begins: ' HAVING', isEqual: true };
/** In SQLite, HAVING requires groups, which could return more rows than the rest of the statement: no group is returned. */
const GROUPED: Follower = { id: 'grouped', begins: " GROUP BY 'a' HAVING", isEqual: false };
/** For dates, numbers and ids in quotes. Only PostgreSQL can parse it, because it does not accept a text as a condition. */
const AND: Follower = { id: 'and', begins: ' AND', isEqual: true, cast: '::int' };

interface Ending {
  readonly name: string;
  /** Either `'` or `"`. */
  readonly quote: string;
  /** The text between the value and its quote. */
  readonly suffix?: string;
}

const SINGLE: Ending = { name: 'single', quote: "'" };
const DOUBLE: Ending = { name: 'double', quote: '"' };
/** For example, `LIKE '%v%'`. */
const PART: Ending = { name: 'part', quote: "'", suffix: '%' };

/** The number of parentheses around the value. */
const DEPTHS = [0, 1, 2];

const following = (
  { id, begins, isEqual, cast = '' }: Follower,
  { name, quote, suffix = '' }: Ending,
  depths: readonly number[],
): SqlSyntax[] =>
  depths.map((depth) => ({
    id: `${id}-${name}-${depth}`,
    place: `a text in ${quote === '"' ? 'double' : 'single'} quotes${' and parentheses'.repeat(depth)}`,
    isEqual,
    fits: anyValue,
    write: (value, expression) =>
      `${value}${suffix}${quote}${')'.repeat(depth)}${begins} ${expression}${cast}=1 AND ${'('.repeat(depth)}${quote}${isEqual ? 'a' : 'b'}${suffix}${quote}=${quote}a`,
    result: '1',
    failure: asNumber,
  }));

const unknown = ({ name, quote }: Ending): SqlSyntax => ({
  id: `unknown-${name}`,
  place: `a text in ${name} quotes`,
  isEqual: false,
  fits: anyValue,
  write: (value, expression) => unknownValue(value, quote, expression),
  result: UNKNOWN,
  failure: asNumber,
  term: `*${SELECTING}`,
});

const ORDER: SqlSyntax = {
  id: 'order',
  place: 'an order',
  isEqual: true,
  fits: (value) => NAME.test(value) || isNumber(value),
  // Not a number, because a list might contain it.
  write: (value, expression) => `${value},${expression}`,
  result: 'NULL',
  failure: asNumber,
};

/**
 * Each has no effect where it does not belong. MySQL reads `||` as OR and adds texts as numbers with `+`, so concatenations
 * contain something that it cannot parse.
 */
export const SQL_SYNTAXES: readonly SqlSyntax[] = [
  {
    id: 'number',
    place: 'a number',
    isEqual: true,
    fits: (value) => isNumber(value) || DATE.test(value),
    write: (value, expression) => `${value}*${expression}`,
    result: '1',
    failure: asNumber,
  },
  concatenation({
    id: 'text',
    engines: 'PostgreSQL and SQLite',
    sign: '||',
    asText: (expression) => `CAST(${expression} AS TEXT)`,
  }),
  ...following(AND, SINGLE, DEPTHS),
  ...[SINGLE, PART].flatMap((ending) => following(HAVING, ending, DEPTHS)),
  ...following(HAVING, DOUBLE, [0, 1]),
  ...[SINGLE, DOUBLE].flatMap((ending) => following(GROUPED, ending, [0, 1])),
  ...[SINGLE, DOUBLE].map(unknown),
  {
    id: 'name',
    place: 'the name of a column',
    isEqual: true,
    fits: (value) => NAME.test(value) && !value.includes(' '),
    write: (_value, expression) => expression,
    result: '',
    failure: asNumber,
  },
  ORDER,
  // MariaDB and MySQL drop an ORDER BY that is the same for all rows.
  { ...ORDER, id: 'order-mysql', term: '+0*rand()' },
  concatenation({
    id: 'text-sql-server',
    engines: 'SQL Server',
    sign: '+',
    // SQLite has no LEFT.
    asText: (expression) => `CAST(LEFT(${expression},9) AS NVARCHAR(9))`,
  }),
  concatenation({
    id: 'text-oracle',
    engines: 'Oracle',
    sign: '||',
    asText: (expression) => `TO_NCHAR(${expression})`,
  }),
];

/**
 * For filters that know SQL keywords. If the condition is false, the first one is out of range in SQLite, MariaDB and MySQL; no
 * other engine can parse it. The second one divides by zero in PostgreSQL and SQL Server, is out of range in SQLite, and is
 * always 0 in MariaDB and MySQL.
 */
const FURTHER_SYNTAXES: readonly SqlSyntax[] = [
  {
    id: 'number-short',
    short: (product: string, stated: string) => `0*abs(-9223372036854775808+(${product}=${stated}))`,
  },
  {
    id: 'number-division',
    short: (product: string, stated: string) => {
      const isSame = `1/(1+abs(${product}-${stated}))`;
      return `0*(1/(${isSame})+abs(-9223372036854775808+${isSame}))`;
    },
  },
].map((one) => ({
  ...one,
  place: 'a number',
  isEqual: true,
  fits: isNumber,
  write: (value: string, expression: string) => `${value}+${expression}`,
  result: '',
  failure: asNumber,
}));

export const ALL_SQL_SYNTAXES = [...SQL_SYNTAXES, ...FURTHER_SYNTAXES];

/** Rarely needed: tried only if special characters get another response than words. */
export const isSpecial = ({ id }: SqlSyntax): boolean => id === 'text-sql-server' || id === 'text-oracle';

/** Contains no equals signs and few spaces, because some applications cut or decode at these. `term` is added to the product. */
export function valueWith(
  syntax: SqlSyntax,
  { value, kind }: Pick<InsertionPoint, 'value' | 'kind'>,
  { product, stated }: Condition,
  term = '',
): string {
  const short = syntax.short?.(`${product}${term}`, stated);
  if (short !== undefined) return syntax.write(value, short);
  const otherwise = syntax.failure(kind === 'segment' ? ERROR_WITHOUT_SLASH : ERROR);
  const result = syntax.result === '' ? value : syntax.result;
  const expression = `CASE(${product}${syntax.term ?? ''}${term})WHEN(${stated})THEN(${result})ELSE(${otherwise})END`;
  return withGaps({ value, kind }, syntax.write(value, expression), SQL_GAP);
}

/** A term that only this engine understands, with the value 0. */
export const ENGINE_TERMS: Readonly<Record<string, string>> = {
  'MariaDB or MySQL': '+0*connection_id()',
  PostgreSQL: "+0*length(quote_ident('a'))",
  SQLite: '+0*length(sqlite_version())',
  'SQL Server': '+0*@@spid',
  Oracle: "+0*length(sys_context('userenv','sid'))",
};
