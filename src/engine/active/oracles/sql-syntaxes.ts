import type { Condition } from './conditions';

/**
 * A place in a statement, and how a condition is written there. A true condition leaves the value as it is. A false one makes the
 * statement fail: NULL would select all rows in `v IS NULL OR name = v` and in `name = COALESCE(v, name)`.
 */
export interface SqlSyntax {
  readonly id: string;
  /** For people: `a number`. */
  readonly place: string;
  /** A true condition leaves the value equal, wherever it is in the statement. Otherwise the statement may have fewer rows. */
  readonly isEqual: boolean;
  /** Is sent only where none of these syntaxes fits, because there it would mean something else. */
  readonly unless?: readonly string[];
  /** A true condition that has to fit before: it is no argument of a function, and in no UPDATE or DELETE. */
  first?(value: string, condition: string): string;
  /** The value twice, in a list. Where that fits, this syntax stands for those that are sent unless it fits. */
  twice?(value: string): string;
  fits(value: string): boolean;
  write(value: string, condition: string): string;
  /** What stands for the value in a true condition, and in a false one that causes an error. */
  readonly result: string;
  failure(error: string): string;
}

/**
 * Out of range in SQLite, MariaDB and MySQL, a division by zero in PostgreSQL, SQL Server and Oracle. All of them evaluate it
 * only when the condition is false.
 */
const ERROR = 'abs(-9223372036854775808)*(1/0)';

const asNumber = (error: string): string => error;
const anyValue = (): boolean => true;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,6})?$/;
export const isNumber = (value: string): boolean => NUMBER.test(value);
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

const DEPTHS = [2, 1, 0];

/** For a text in quotes that is in so many parentheses, the most first. `'a'<='a` takes whatever follows the value in its quotes. */
const conjunctions = (name: string, quote: string): readonly SqlSyntax[] =>
  DEPTHS.map((depth): SqlSyntax => ({
    id: `${name}-${depth}`,
    place: `a text in ${name} quotes${' and parentheses'.repeat(depth)}`,
    unless: [...(name === 'single' ? ['text'] : []), ...(depth < Math.max(...DEPTHS) ? [`${name}-${depth + 1}`] : [])],
    ...(depth === 0 && {
      first: (value, expression) => `${value}${quote} HAVING ${expression}=1 AND ${quote}a${quote}<=${quote}a`,
    }),
    ...(depth === 1 && { twice: (value) => `${value}${quote},${quote}${value}` }),
    isEqual: depth > 0,
    fits: anyValue,
    write: (value, expression) =>
      `${value}${quote}${')'.repeat(depth)} AND ${expression}=1 AND ${'('.repeat(depth)}${quote}a${quote}<=${quote}a`,
    result: '1',
    failure: asNumber,
  }));

/**
 * Each is inert where it does not belong. MySQL reads `||` as OR and adds texts as numbers with `+`: concatenations contain
 * what it refuses to parse. In `IN ('x' AND …)` MySQL and SQLite would compare with 0 or 1, which other rows may equal: a
 * syntax with parentheses goes first, and one with fewer is sent only where that one is seen not to fit. In `IN ('x' AND …, 'y')`
 * it does not fit either, so that the value is sent twice before.
 */
export const SQL_SYNTAXES: readonly SqlSyntax[] = [
  {
    id: 'number',
    place: 'a number',
    isEqual: true,
    fits: isNumber,
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
  ...conjunctions('single', "'"),
  ...conjunctions('double', '"'),
  {
    id: 'name',
    place: 'the name of a column',
    isEqual: true,
    fits: (value) => NAME.test(value) && !value.includes(' '),
    write: (_value, expression) => expression,
    result: '',
    failure: asNumber,
  },
  {
    id: 'order',
    place: 'an order',
    isEqual: true,
    fits: (value) => NAME.test(value) || isNumber(value),
    // No number, which a list might contain.
    write: (value, expression) => `${value},${expression}`,
    result: 'NULL',
    failure: asNumber,
  },
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

/** Rarely needed, and only where signs of a statement are answered in another way than words are. */
export const isSpecial = ({ id }: SqlSyntax): boolean => id === 'text-sql-server' || id === 'text-oracle';

/** Without spaces and equals signs, which some applications cut or decode. `term` is added to the product. */
export function valueWith(
  syntax: SqlSyntax,
  value: string,
  { product, stated }: Condition,
  term = '',
  write: SqlSyntax['write'] = syntax.write,
): string {
  const otherwise = syntax.failure(ERROR);
  const result = syntax.result === '' ? value : syntax.result;
  return write(value, `CASE(${product}${term})WHEN(${stated})THEN(${result})ELSE(${otherwise})END`);
}

/** What only this engine understands, and is 0. */
export const ENGINE_TERMS: Readonly<Record<string, string>> = {
  'MariaDB or MySQL': '+0*connection_id()',
  PostgreSQL: "+0*length(quote_ident('a'))",
  SQLite: '+0*length(sqlite_version())',
  'SQL Server': '+0*@@spid',
  Oracle: "+0*length(sys_context('userenv','sid'))",
};
