const utf8 = (text: string): string => `CONVERT(0x${Buffer.from(text).toString('hex')} USING utf8)`;

/** Constructs that treat an unknown value like any other, or lock the rows that they read. */
const UNSAFE =
  'null|unknown|coalesce|nvl|concat_ws|<=>|for[^a-z(]+(update|share)|in[^a-z(]+share|is[^a-z(]+(not[^a-z(]+)?(true|false)|if *[(]|case[^a-z(]+when';

/**
 * In MariaDB and MySQL, 1 while a SELECT runs that selects no further rows if the value is unknown, and 0 in any other statement.
 * It depends on no row, so it is evaluated once. The words are hexadecimal, because a shell would redirect to a file at `>`.
 */
export const SELECTING = `(SELECT COUNT(*)FROM information_schema.processlist WHERE id IN(connection_id())AND LEFT(info,6)IN(${utf8('select')})AND(info RLIKE(${utf8(UNSAFE)}))IN(0))`;

/** NULL without the word itself, which would otherwise be in each statement. */
export const UNKNOWN = '0 DIV 0';

/**
 * No operator of MariaDB or MySQL leaves a text unchanged. But a comparison can follow a text anywhere, even in an argument of a
 * function, and is unknown.
 */
export const unknownValue = (value: string, quote: string, expression: string): string =>
  `${value}${quote}=${expression}=${quote}0`;
