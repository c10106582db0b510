import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../migrations';
import { type Contract, type MigrationToCheck, compatibilityProblems } from '../support/migration-compatibility';
import { statementsOfMigration } from '../support/migration-locks';

const changelog = readFileSync(join(__dirname, '../../CHANGELOG.md'), 'utf8');
const releasedVersions = [...changelog.matchAll(/^## \[?v?(\d+\.\d+\.\d+)\b(?!.*unreleased)/gim)].map(
  ([, version]) => version ?? '',
);

it('the previous version can run on the schema of every migration', async () => {
  const checked: MigrationToCheck[] = [];
  for (const Migration of migrations) {
    const migration: InstanceType<typeof Migration> & { readonly contract?: Contract } = new Migration();
    const { name, contract } = migration;
    checked.push({ name: name ?? Migration.name, statements: await statementsOfMigration(migration), contract });
  }
  expect(compatibilityProblems(checked, releasedVersions)).toEqual([]);
});

const baseline: MigrationToCheck = { name: 'CreateSchema1', statements: ['CREATE TABLE findings (id int)'] };
const expansion: MigrationToCheck = { name: 'AddSeverityLabel2', statements: [] };
const problemsOf = (statements: string[], contract?: Contract): string[] =>
  compatibilityProblems([baseline, expansion, { name: 'Planted3', statements, contract }], ['0.1.0']);

const BREAKING: readonly (readonly [string, string])[] = [
  ['ALTER TABLE findings DROP COLUMN cve', 'DROP COLUMN'],
  ['alter table findings drop cve', 'DROP COLUMN'],
  ['ALTER TABLE findings ADD COLUMN mark text, DROP COLUMN IF EXISTS cve', 'DROP COLUMN'],
  ['ALTER TABLE findings RENAME COLUMN cve TO cve_id', 'RENAME'],
  ['ALTER TABLE findings RENAME cve TO cve_id', 'RENAME'],
  ['ALTER TABLE findings RENAME TO weaknesses', 'RENAME'],
  ['ALTER TABLE findings RENAME CONSTRAINT pk_findings TO pk', 'RENAME'],
  ['ALTER INDEX ix_findings RENAME TO ix', 'RENAME'],
  ['ALTER TABLE findings SET SCHEMA other', 'SET SCHEMA'],
  ['ALTER TABLE findings ALTER COLUMN cve SET NOT NULL', 'SET NOT NULL'],
  ['ALTER TABLE findings ALTER created DROP DEFAULT', 'DROP DEFAULT'],
  ['ALTER TABLE findings ALTER COLUMN title TYPE varchar(200)', 'ALTER COLUMN TYPE'],
  ['ALTER TABLE findings ADD CONSTRAINT ck CHECK (severity > 0) NOT VALID', 'ADD CONSTRAINT'],
  ['CREATE UNIQUE INDEX CONCURRENTLY uq ON findings (title)', 'CREATE UNIQUE INDEX'],
  ['DROP TABLE findings', 'DROP'],
  ['DROP FUNCTION audit_logs_refuse_change', 'DROP'],
  ['REVOKE SELECT ON findings FROM assay_app', 'REVOKE'],
];

describe('a statement that the previous version does not survive', () => {
  it.each(BREAKING)('is reported: %s', (statement, what) => {
    expect(problemsOf([statement])).toEqual([expect.stringContaining(`Planted3: ${what} breaks the previous version`)]);
  });

  it('a reference with a new column is allowed, but no other', () => {
    const column = 'ALTER TABLE findings ADD COLUMN a int';
    const referenceBy = (columns: string, more = ''): string =>
      `ALTER TABLE findings ADD CONSTRAINT fk FOREIGN KEY (${columns}) REFERENCES b (a, c) ${more} NOT VALID`;
    expect(problemsOf([column, referenceBy('a, organization_id')])).toEqual([]);
    expect(problemsOf([column, referenceBy('b, organization_id')])).toHaveLength(1);
    expect(problemsOf([column, referenceBy('a, b', 'MATCH FULL')])).toHaveLength(1);
    expect(problemsOf(['ALTER TABLE findings ADD COLUMN a int NOT NULL DEFAULT 1', referenceBy('a, b')])).toHaveLength(
      1,
    );
  });

  it.each(BREAKING)('is allowed after a release without its use: %s', (statement) => {
    expect(problemsOf([statement], { expandedBy: 'AddSeverityLabel2', unusedSince: '0.1.0' })).toEqual([]);
  });

  it.each([
    ['an unknown migration', { expandedBy: 'Unknown', unusedSince: '0.1.0' }, 'contract.expandedBy must name'],
    ['itself', { expandedBy: 'Planted3', unusedSince: '0.1.0' }, 'contract.expandedBy must name'],
    [
      'a version that is not released',
      { expandedBy: 'AddSeverityLabel2', unusedSince: '9.0.0' },
      'contract.unusedSince',
    ],
  ])('is reported if its contract names %s', (_what, contract, problem) => {
    expect(problemsOf(['ALTER TABLE findings DROP COLUMN cve'], contract)).toEqual([expect.stringContaining(problem)]);
  });
});

it.each([
  ['ALTER TABLE findings ADD COLUMN mark text NOT NULL', 'NOT NULL without a DEFAULT'],
  ['UPDATE findings SET title = title', 'change rows in batches'],
  ['WITH old AS (SELECT 1) DELETE FROM findings', 'change rows in batches'],
])('%s is reported with a contract too', (statement, problem) => {
  const contract = { expandedBy: 'AddSeverityLabel2', unusedSince: '0.1.0' };
  expect(problemsOf([statement], contract)).toEqual([expect.stringContaining(problem)]);
});

it.each([
  [['ALTER TABLE findings ADD COLUMN mark text']],
  [["ALTER TABLE findings ADD COLUMN mark text NOT NULL DEFAULT 'a; DROP TABLE findings'"]],
  [['CREATE INDEX CONCURRENTLY ix ON findings (title)']],
  [['DROP INDEX CONCURRENTLY ix']],
  [['ALTER TABLE findings DROP CONSTRAINT ck']],
  [['ALTER TABLE findings VALIDATE CONSTRAINT ck']],
  [['ALTER TABLE findings ALTER COLUMN cve DROP NOT NULL']],
  [['CREATE TABLE notes (id int)', 'CREATE UNIQUE INDEX uq ON notes (id)', 'ALTER TABLE notes ADD PRIMARY KEY (id)']],
])('%j is allowed', (statements) => {
  expect(problemsOf(statements)).toEqual([]);
});

describe('a vocabulary that a migration drops and adds again', () => {
  const known = {
    name: 'CreateSchema1',
    statements: [
      "CREATE TABLE t (a text, l text[], CONSTRAINT ck_a CHECK (a IN ('x', 'y')), CONSTRAINT ck_l CHECK (l <@ '{x,y}'))",
    ],
  };
  const again = (check: string) =>
    compatibilityProblems(
      [known, { name: 'Planted3', statements: [`ALTER TABLE t ADD CONSTRAINT ${check} NOT VALID`] }],
      [],
    );

  it('is allowed with a further word', () => {
    expect(again("ck_a CHECK (a IN ('x', 'y', 'z'))")).toEqual([]);
    expect(again("ck_l CHECK (l <@ '{x,y,z}')")).toEqual([]);
  });

  it.each([
    "ck_a CHECK (a IN ('x', 'z'))",
    "ck_a CHECK (b IN ('x', 'y'))",
    "ck_b CHECK (a IN ('x', 'y'))",
    "ck_l CHECK (l <@ '{x,z}')",
  ])('is reported if it lacks a word, or is another one: %s', (check) =>
    expect(again(check)).toEqual([expect.stringContaining('ADD CONSTRAINT')]),
  );
});

it('the first migration, which creates the schema, is not checked', () => {
  expect(compatibilityProblems([{ ...baseline, statements: ['DROP TABLE findings'] }], [])).toEqual([]);
});
