import type { InsertionPoint } from '../../experiment-record';
import type { Condition } from './conditions';
import { withGaps } from './gaps';
import { SELECTING, UNKNOWN, unknownValue } from './unknown-values';

/**
 * A place in a statement, and how a condition is written there. A true condition leaves the value as it is. A false one makes the
 * statement fail: NULL would select all rows in `v IS NULL OR name = v` and in `name = COALESCE(v, name)`.
 */
export interface SqlSyntax {
  readonly id: string;
  /** For people: `a number`. */
  readonly place: string;
  /** A true condition leaves the answer as it is. Otherwise the statement has no rows. */
  readonly isEqual: boolean;
  fits(value: string): boolean;
  write(value: string, condition: string): string;
  /** The expression for the value in a true condition, and in a false one that causes an error. */
  readonly result: string;
  failure(error: string): string;
  /** Follows the product, and does not change it. */
  readonly term?: string;
  /** The condition and what follows from it, without the words of a statement. */
  short?(product: string, stated: string): string;
}

/**
 * Out of range in SQLite, MariaDB and MySQL, a division by zero in PostgreSQL, SQL Server and Oracle. All of them evaluate it
 * only when the condition is false.
 */
const ERROR = 'abs(-9223372036854775808)*(1/0)';
/** Many servers decode or refuse `%2F` in a path. Out of range in each of these databases, but not without a space. */
export const ERROR_WITHOUT_SLASH = 'CAST(abs(-9223372036854775808)AS DECIMAL(1))';
/** A space for all of them. Many servers decode nothing in a cookie, which has no spaces. */
export const SQL_GAP = '/**/';

const asNumber = (error: string): string => error;
const anyValue = (): boolean => true;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,6})?$/;
export const isNumber = (value: string): boolean => NUMBER.test(value);
/** Without quotes it is a difference, whose last number is multiplied. */
const DATE = /^\d{4}-\d\d-\d\d$/;
const NAME = /^[a-z_][\w.]{0,60}(?:\s(?:asc|desc))?$/i;

interface Concatenation {
  readonly id: string;
  readonly engines: string;
  readonly sign: string;
  readonly asText: (expression: string) => string;
}

/** The value is put together from itself and an empty text. */
const concatenation = ({ id, engines, sign, asText }: Concatenation): SqlSyntax => ({
  id,
  place: `a text in single quotes, put together as in ${engines}`,
  isEqual: true,
  fits: anyValue,
  write: (value, expression) => `${value}'${sign}${asText(expression)}${sign}'`,
  result: "''",
  failure: asText,
});

/** How a condition follows a text in quotes. The last comparison takes what follows the value there, and is false if it is something else. */
interface Follower {
  readonly id: string;
  readonly begins: string;
  readonly isEqual: boolean;
  /** Behind the condition. */
  readonly cast?: string;
}

/**
 * A `HAVING` stands in a SELECT and nowhere else: not in an UPDATE or DELETE, and not in the argument of a function, where `'v' AND …`
 * would be another value.
 */
const HAVING: Follower = { id: 'having', begins: ' HAVING', isEqual: true };
/** SQLite has it only for groups, whose rows may be more than those of the rest of the statement: none is returned. */
const GROUPED: Follower = { id: 'grouped', begins: " GROUP BY 'a' HAVING", isEqual: false };
/** For dates, numbers and ids in quotes. Only PostgreSQL can parse it, and it takes no text for a condition. */
const AND: Follower = { id: 'and', begins: ' AND', isEqual: true, cast: '::int' };

interface Ending {
  readonly name: string;
  /** `'` or `"`. */
  readonly quote: string;
  /** The text between the value and its quote. */
  readonly suffix?: string;
}

const SINGLE: Ending = { name: 'single', quote: "'" };
const DOUBLE: Ending = { name: 'double', quote: '"' };
/** `LIKE '%v%'` */
const PART: Ending = { name: 'part', quote: "'", suffix: '%' };

/** In how many parentheses the value is. */
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
  // No number, which a list might contain.
  write: (value, expression) => `${value},${expression}`,
  result: 'NULL',
  failure: asNumber,
};

/** Each is inert where it does not belong. MySQL reads `||` as OR and adds texts as numbers with `+`: concatenations contain what it refuses to parse. */
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
  // MariaDB and MySQL leave out an order that is the same for all rows.
  { ...ORDER, id: 'order-mysql', term: '+0*rand()' },
  concatenation({
    id: 'text-sql-server',
    engines: 'SQL Server',
    sign: '+',
    // SQLite knows no LEFT.
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
 * For filters that know the words of SQL. The first one is out of range in SQLite, MariaDB and MySQL if the condition is
 * false, and is parsed by no other. The second one divides by zero in PostgreSQL and SQL Server, is out of range in SQLite,
 * and is always 0 in MariaDB and MySQL.
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

/** Rarely needed, and only where signs of a statement are answered in another way than words are. */
export const isSpecial = ({ id }: SqlSyntax): boolean => id === 'text-sql-server' || id === 'text-oracle';

/** Without equals signs, and mostly without spaces, which some applications cut or decode. `term` is added to the product. */
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

/** What only this engine understands, and is 0. */
export const ENGINE_TERMS: Readonly<Record<string, string>> = {
  'MariaDB or MySQL': '+0*connection_id()',
  PostgreSQL: "+0*length(quote_ident('a'))",
  SQLite: '+0*length(sqlite_version())',
  'SQL Server': '+0*@@spid',
  Oracle: "+0*length(sys_context('userenv','sid'))",
};
