import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The statements that a migration passes to `query()`, recorded without a database. */
export async function statementsOfMigration(migration: MigrationInterface): Promise<string[]> {
  const statements: string[] = [];
  const recorder = { query: (text: string) => Promise.resolve(void statements.push(text)) };
  await migration.up(recorder as unknown as QueryRunner);
  return statements;
}

const literal = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/g;

/** The statement on one line, without comments and with empty string literals. */
export const bareStatement = (statement: string): string =>
  statement
    .replace(literal, (text) => (text.startsWith('-') || text.startsWith('/') ? ' ' : "''"))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/;$/, '');

const tableName = String.raw`(?:IF (?:NOT )?EXISTS )?(?:ONLY )?"?(?<table>\w+)"?`;
const createTable = new RegExp(String.raw`^CREATE (?:UNLOGGED |TEMP(?:ORARY)? )*TABLE ${tableName}`, 'i');
const alterTable = new RegExp(String.raw`^ALTER TABLE ${tableName} (?<changes>.+)$`, 'i');
const createIndex = /^CREATE (?:UNIQUE )?INDEX (?<concurrently>CONCURRENTLY )?.*?\bON (?:ONLY )?"?(?<table>\w+)/i;
const createTrigger = /^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER .*?\bON (?:ONLY )?"?(?<table>\w+)/i;
const notNullCheck = /^ADD CONSTRAINT "?(?<name>\w+)"? CHECK \("?(?<column>\w+)"? IS NOT NULL\)/i;

const wholeTable: readonly (readonly [RegExp, string])[] = [
  [/^LOCK /i, 'LOCK TABLE blocks all other transactions: lock rows instead'],
  [/^(VACUUM.*\bFULL\b|CLUSTER)/i, 'VACUUM FULL and CLUSTER rewrite the table'],
  [/^REINDEX (?!.*\bCONCURRENTLY\b)/i, 'REINDEX needs CONCURRENTLY'],
];

const ofColumn: readonly (readonly [RegExp, string])[] = [
  [/\bGENERATED\b/i, 'a generated or identity column rewrites the table: add a plain column and fill it in batches'],
  [
    /\b(UNIQUE|PRIMARY KEY|REFERENCES|CHECK)\b/i,
    'a constraint of a new column is checked under the lock: add it in its own statement, NOT VALID',
  ],
];

const ofChange: readonly (readonly [RegExp, string])[] = [
  [
    /^ALTER (COLUMN )?"?\w+"? (SET DATA )?TYPE\b/i,
    'ALTER COLUMN TYPE rewrites the table: add a column and fill it in batches',
  ],
  [/^SET (LOGGED|UNLOGGED|TABLESPACE|ACCESS METHOD)\b/i, 'this rewrites the table'],
];

const WAITING_TRIGGER =
  'CREATE TRIGGER waits for the writers of the table, and new ones wait for it: it needs `transaction = false`, and SET lock_timeout before it';

/** The functions that a default may call: others are evaluated for each row, which rewrites the table. */
const stableDefault = /^(now|current_timestamp)$/i;

/** Finds statements in migrations that would lock existing tables for long. Migrations must be passed in order. */
export class MigrationLocks {
  private readonly checks = new Map<string, string>();
  private readonly validated = new Set<string>();

  /** The problems of one migration: statements that lock a table with rows for long. */
  problemsOf(statements: readonly string[], hasTransaction: boolean): string[] {
    const created = new Set<string>();
    let hasTimeout = false;
    return statements.flatMap((text) => {
      const statement = bareStatement(text);
      const table = createTable.exec(statement)?.groups?.['table'];
      if (table !== undefined) created.add(table);
      hasTimeout ||= /^SET lock_timeout\b/i.test(statement);
      const trigger = createTrigger.exec(statement)?.groups?.['table'];
      const problems = [
        ...this.ofStatement(statement, created, hasTransaction),
        ...(trigger === undefined || created.has(trigger) || (hasTimeout && !hasTransaction) ? [] : [WAITING_TRIGGER]),
      ];
      return problems.map((problem) => `${problem}: ${statement.slice(0, 120)}`);
    });
  }

  private *ofStatement(statement: string, created: ReadonlySet<string>, hasTransaction: boolean): Generator<string> {
    if (statement.includes(';')) yield 'one statement for each query()';
    if (hasTransaction && /\bCONCURRENTLY\b/i.test(statement))
      yield 'CONCURRENTLY needs a migration with `transaction = false`';
    for (const [pattern, problem] of wholeTable) if (pattern.test(statement)) yield problem;
    const index = createIndex.exec(statement)?.groups;
    if (index !== undefined && index['concurrently'] === undefined && !created.has(index['table'] ?? ''))
      yield 'CREATE INDEX on a table that has rows needs CONCURRENTLY';
    const { table = '', changes } = alterTable.exec(statement)?.groups ?? {};
    if (changes !== undefined && !created.has(table)) yield* this.ofAlteration(table, splitChanges(changes));
  }

  private *ofAlteration(table: string, changes: readonly string[]): Generator<string> {
    if (changes.length > 1 && changes.some((change) => /^ADD CONSTRAINT\b/i.test(change)))
      yield 'ADD CONSTRAINT needs its own ALTER TABLE';
    for (const change of changes) yield* this.ofChange(table, change);
  }

  private *ofChange(table: string, change: string): Generator<string> {
    this.remember(table, change);
    for (const [pattern, problem] of ofChange) if (pattern.test(change)) yield problem;
    if (
      /^ADD (CONSTRAINT|UNIQUE|PRIMARY|FOREIGN|CHECK)\b/i.test(change) &&
      !/\b(NOT VALID|USING INDEX "?\w+"?)/i.test(change)
    )
      yield 'ADD CONSTRAINT needs NOT VALID, and VALIDATE CONSTRAINT after it; a key needs USING INDEX';
    else if (/^ADD (COLUMN )?(?!CONSTRAINT\b)/i.test(change)) yield* ofNewColumn(change);
    const column = /^ALTER (?:COLUMN )?"?(\w+)"? SET NOT NULL/i.exec(change)?.[1];
    if (column !== undefined && !this.isCheckedNotNull(table, column))
      yield 'SET NOT NULL needs a validated CHECK (… IS NOT NULL) before it';
  }

  private remember(table: string, change: string): void {
    const { name, column } = notNullCheck.exec(change)?.groups ?? {};
    if (name !== undefined) this.checks.set(`${table}.${name}`, `${table}.${column}`);
    const validated = /^VALIDATE CONSTRAINT "?(\w+)/i.exec(change)?.[1];
    const of = validated === undefined ? undefined : this.checks.get(`${table}.${validated}`);
    if (of !== undefined) this.validated.add(of);
  }

  private isCheckedNotNull(table: string, column: string): boolean {
    return this.validated.has(`${table}.${column}`);
  }
}

function* ofNewColumn(change: string): Generator<string> {
  for (const [pattern, problem] of ofColumn) if (pattern.test(change)) yield problem;
  const defaultValue = /\bDEFAULT (.+)$/i.exec(change)?.[1] ?? '';
  const called = [...defaultValue.matchAll(/\b(\w+)\s*\(/g)].map(([, name]) => name ?? '');
  if (called.some((name) => !stableDefault.test(name)))
    yield 'a DEFAULT that calls a function rewrites the table: add the column without a default, and set the default afterwards';
}

/** Splits at the commas outside of parentheses. */
export function splitChanges(changes: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of changes) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
