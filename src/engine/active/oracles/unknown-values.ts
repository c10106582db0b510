const utf8 = (text: string): string => `CONVERT(0x${Buffer.from(text).toString('hex')} USING utf8)`;

/** What reads an unknown value as any other, or locks the rows that it passes. */
const UNSAFE =
  'null|unknown|coalesce|nvl|concat_ws|<=>|for[^a-z(]+(update|share)|in[^a-z(]+share|is[^a-z(]+(not[^a-z(]+)?(true|false)|if *[(]|case[^a-z(]+when';

/**
 * In MariaDB and MySQL 1 while a SELECT runs that selects nothing more where the value is unknown, and 0 in any other statement.
 * Depends on no row, so that it is evaluated once. The words are hexadecimal: a shell would write to a file behind `>`.
 */
export const SELECTING = `(SELECT COUNT(*)FROM information_schema.processlist WHERE id IN(connection_id())AND LEFT(info,6)IN(${utf8('select')})AND(info RLIKE(${utf8(UNSAFE)}))IN(0))`;

/** NULL without the word, which would then be in each statement. */
export const UNKNOWN = '0 DIV 0';

/**
 * No operator of MariaDB or MySQL leaves a text as it is. But comparisons can follow one wherever it is, also in an argument of a
 * function, and are unknown.
 */
export const unknownValue = (value: string, quote: string, expression: string): string =>
  `${value}${quote}=${expression}=${quote}0`;
