import { bareStatement, splitChanges } from './migration-locks';

/** What a migration declares that removes something: see docs/upgrades.md. */
export interface Contract {
  /** The name of the earlier migration that added the replacement, or that made the old part unnecessary. */
  readonly expandedBy: string;
  /** The released version since which no code uses what is removed. */
  readonly unusedSince: string;
}

export interface MigrationToCheck {
  readonly name: string;
  readonly statements: readonly string[];
  readonly contract?: Contract;
}

const tableName = String.raw`(?:IF (?:NOT )?EXISTS )?(?:ONLY )?"?(?<table>\w+)"?`;
const createTable = new RegExp(String.raw`^CREATE (?:UNLOGGED |TEMP(?:ORARY)? )*TABLE ${tableName}`, 'i');
const alterTable = new RegExp(String.raw`^ALTER TABLE ${tableName} (?<changes>.+)$`, 'i');
const uniqueIndex = /^CREATE UNIQUE INDEX .*?\bON (?:ONLY )?"?(?<table>\w+)/i;

/** Statements and changes of tables that the previous version does not survive, unless it has stopped using the part. */
const removals: readonly (readonly [RegExp, string])[] = [
  [/^DROP (TABLE|VIEW|MATERIALIZED VIEW|FUNCTION|TYPE|SEQUENCE|SCHEMA)\b/i, 'DROP'],
  [/^ALTER (VIEW|FUNCTION|TYPE|SEQUENCE|INDEX)\b.* RENAME\b/i, 'RENAME'],
  [/^REVOKE\b/i, 'REVOKE'],
  [/^CREATE UNIQUE INDEX\b/i, 'CREATE UNIQUE INDEX'],
];
const removalsOfTable: readonly (readonly [RegExp, string])[] = [
  [/^DROP (COLUMN )?(?!CONSTRAINT\b)/i, 'DROP COLUMN'],
  [/^RENAME\b/i, 'RENAME'],
  [/^SET SCHEMA\b/i, 'SET SCHEMA'],
  [/^ALTER (COLUMN )?"?\w+"? SET NOT NULL\b/i, 'SET NOT NULL'],
  [/^ALTER (COLUMN )?"?\w+"? DROP DEFAULT\b/i, 'DROP DEFAULT'],
  [/^ALTER (COLUMN )?"?\w+"? (SET DATA )?TYPE\b/i, 'ALTER COLUMN TYPE'],
  [/^ADD (CONSTRAINT|UNIQUE|PRIMARY|FOREIGN|CHECK|EXCLUDE)\b/i, 'ADD CONSTRAINT'],
];
const newRequiredColumn = /^ADD (COLUMN )?(?!CONSTRAINT\b)(?=.*\bNOT NULL\b)(?!.*\bDEFAULT\b)/i;
const newNullableColumn = /^ADD (COLUMN )?(?<column>\w+) (?!.*\b(NOT NULL|DEFAULT)\b)/i;
const reference = /^ADD CONSTRAINT \w+ FOREIGN KEY \((?<columns>[^()]+)\)(?!.*MATCH FULL)/i;
const vocabulary =
  /^ALTER TABLE \w+ ADD CONSTRAINT (?<name>\w+) CHECK \((?<column>\w+) (?:IN \(|<@ '\{)(?<words>[^(){}]+)(?:\)|\}')\) NOT VALID$/i;
const changeOfRows = /^(UPDATE|DELETE|TRUNCATE|WITH .*\b(UPDATE|DELETE)\b)/i;

/**
 * The problems of migrations, oldest first, with which the previous version cannot run. During an upgrade it runs until the last
 * process was replaced.
 */
export function compatibilityProblems(
  migrations: readonly MigrationToCheck[],
  releasedVersions: readonly string[],
): string[] {
  return migrations.flatMap((migration, at) => {
    // The first one creates the schema.
    if (at === 0) return [];
    const isWider = (statement: string): boolean => widens(statement, migrations.slice(0, at));
    const earlier = migrations.slice(0, at).map(({ name }) => name);
    const problems = [...problemsOf(migration, isWider), ...problemsOfContract(migration, earlier, releasedVersions)];
    return problems.map((problem) => `${migration.name}: ${problem}`);
  });
}

/** Whether it adds a vocabulary again with all the words that it had, so that it refuses nothing of the previous version. */
function widens(statement: string, earlier: readonly MigrationToCheck[]): boolean {
  const { name, column, words } = vocabulary.exec(statement.replace(/\s+/g, ' ').trim())?.groups ?? {};
  const before = earlier
    .flatMap(({ statements }) => statements)
    .flatMap((text) => [...text.matchAll(/CONSTRAINT (\w+) CHECK \((\w+) (?:IN \(|<@ '\{)([^(){}]+)(?:\)|\}')\)/gi)])
    .findLast(([, known]) => known === name);
  const all = new Set(wordsIn(words ?? ''));
  return before !== undefined && before[2] === column && wordsIn(before[3] ?? '').every((word) => all.has(word));
}

/** A reference with a column that is new and NULL for the previous version refuses nothing of it. */
const refersByNew = (change: string, added: ReadonlySet<string>): boolean =>
  wordsIn(reference.exec(change)?.groups?.['columns'] ?? '').some((column) => column !== '' && added.has(column));

const wordsIn = (list: string): string[] => list.split(',').map((word) => word.trim());

function* problemsOf(
  { statements, contract }: MigrationToCheck,
  isWider: (statement: string) => boolean,
): Generator<string> {
  const created = new Set<string>();
  const added = new Set<string>();
  for (const text of statements) {
    const statement = bareStatement(text);
    const shown = statement.slice(0, 120);
    const table = createTable.exec(statement)?.groups?.['table'];
    if (table !== undefined) created.add(table);
    if (changeOfRows.test(statement)) yield `change rows in batches, as work, and not in a migration: ${shown}`;
    const ofTable = alterTable.exec(statement)?.groups;
    const onNewTable = created.has(ofTable?.['table'] ?? uniqueIndex.exec(statement)?.groups?.['table'] ?? '');
    if (onNewTable || isWider(text)) continue;
    const changes = splitChanges(ofTable?.['changes'] ?? '').filter((change) => !refersByNew(change, added));
    for (const change of changes) added.add(newNullableColumn.exec(change)?.groups?.['column'] ?? '');
    if (changes.some((change) => newRequiredColumn.test(change)))
      yield `the previous version inserts no value for a new column that is NOT NULL without a DEFAULT: ${shown}`;
    const found = [
      ...removals.filter(([pattern]) => pattern.test(statement)),
      ...removalsOfTable.filter(([pattern]) => changes.some((change) => pattern.test(change))),
    ];
    if (contract === undefined)
      for (const [, what] of found)
        yield `${what} breaks the previous version: do it in a later release, and declare \`contract\`: ${shown}`;
  }
}

function* problemsOfContract(
  { contract }: MigrationToCheck,
  earlier: readonly string[],
  releasedVersions: readonly string[],
): Generator<string> {
  if (contract === undefined) return;
  const { expandedBy, unusedSince } = contract;
  if (!earlier.includes(expandedBy)) yield `contract.expandedBy must name an earlier migration, not ${expandedBy}`;
  if (!releasedVersions.includes(unusedSince))
    yield `contract.unusedSince must be a released version of CHANGELOG.md, not ${unusedSince}`;
}
