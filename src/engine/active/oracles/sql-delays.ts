import type { DelaySyntax } from './delays';
import { ERROR_WITHOUT_SLASH, isNumber } from './sql-syntaxes';
import { SELECTING, UNKNOWN, unknownValue } from './unknown-values';

/** A subquery that does not depend on rows is evaluated once. */
const POSTGRESQL = (seconds: string): string => `(SELECT COUNT(*) FROM pg_sleep(${seconds}))`;
/** MariaDB and MySQL merge a subquery without a table into its statement, unless it has a limit. */
const MYSQL = (seconds: string): string => `(SELECT COUNT(*) FROM (SELECT SLEEP(${seconds}) LIMIT 1)a)`;

/**
 * Other engines are left out, because none of them waits exactly once: SQLite cannot wait, SQL Server only waits in a separate
 * statement, and Oracle needs a permission.
 */
export const SQL_DELAYS: readonly DelaySyntax[] = [
  { id: 'postgresql-number', by: 'PostgreSQL', fits: isNumber, write: (value, s) => `${value}*${POSTGRESQL(s)}` },
  {
    id: 'postgresql-text',
    by: 'PostgreSQL',
    write: (value, s) => `${value}'||LEFT(CAST(${POSTGRESQL(s)} AS TEXT),0)||'`,
  },
  { id: 'mysql-number', by: 'MariaDB or MySQL', fits: isNumber, write: (value, s) => `${value}*${MYSQL(s)}` },
  ...[
    { id: 'mysql-single', quote: "'" },
    { id: 'mysql-double', quote: '"' },
  ].map(({ id, quote }) => ({
    id,
    by: 'MariaDB or MySQL',
    write: (value: string, s: string) =>
      unknownValue(
        value,
        quote,
        `CASE(${SELECTING})WHEN(1)THEN(${MYSQL(s)}*${UNKNOWN})ELSE(${ERROR_WITHOUT_SLASH})END`,
      ),
  })),
];
