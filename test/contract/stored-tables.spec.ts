import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITED_TABLES } from '../../src/platform/database/stored-limit';
import { query } from '../support/database';

/** Tables that no tenant fills: of the operator or of the installation. */
const NOT_FILLABLE: Readonly<Record<string, string>> = {
  access_changes: 'one row for each change of a right, for an hour',
  clock_tasks: 'one row for each scheduled task',
  epss_scores: 'loaded from a public file',
  finding_word_filling: 'at most one row',
  history_retentions: 'set by the operator',
  integrators: 'created by the operator',
  kev_entries: 'loaded from a public file',
  library_check_versions: 'loaded by the operator',
  library_checks: 'loaded by the operator',
  migrations: 'one row for each migration',
  organization_limits: 'set by the operator',
  set_aside_tasks: 'at most one row for each organization and task of ours',
  setup_links: 'at most one row',
  callbacks: 'at most 20 rows for each name that a test made, forgotten after eight days',
  signing_keys: 'created by the operator',
  target_paces: 'forgotten an hour after the last test of a host',
  stored_limits: 'set by the operator',
  vulnerability_sources: 'one row for each source',
  written_positions: 'one row for each key or session, forgotten a minute after its last write',
};

/** The tables of docs/limits.md, each with its limit. */
const documented = new Map(
  (readFileSync(join(__dirname, '../../docs/limits.md'), 'utf8').split('## Stored records')[1] ?? '')
    .split('\n')
    .flatMap((line) => {
      const [, table, , limit] = /^\| `(\w+)`\s*\|([^|]*)\|([^|]*)\|[^|]*\|$/.exec(line) ?? [];
      return table === undefined || limit === undefined ? [] : [[table, limit.trim()] as const];
    }),
);

const missingIn = (tables: readonly string[]): string[] =>
  tables.filter((table) => !documented.has(table) && !(table in NOT_FILLABLE));

it('every table has a limit in docs/limits.md, or is not filled by tenants', async () => {
  const rows = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`,
  );
  const tables = rows.map(({ name }) => name);
  expect(tables.length).toBeGreaterThan(40);
  expect(missingIn(tables)).toEqual([]);
  expect([...documented.keys(), ...Object.keys(NOT_FILLABLE)].sort()).toEqual(tables.sort());
  expect(missingIn(['findings', 'new_things'])).toEqual(['new_things']);
  expect([...documented.values()].filter((limit) => limit === '')).toEqual([]);
});

it('every counted limit is the documented one, has texts for its error, and a trigger that enforces it', async () => {
  const limits = await query<{ name: string; most: string }>(
    `SELECT name, most FROM stored_limits WHERE name <> 'bytes'`,
  );
  expect(limits.map(({ name }) => name).sort()).toEqual([...LIMITED_TABLES].sort());
  const counted = [...documented].flatMap(([table, limit]) => {
    const [, most = ''] = /counted: ([\d,]+)/.exec(limit) ?? [];
    return most === '' ? [] : [{ name: table, most: most.replaceAll(',', '') }];
  });
  const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1);
  expect(counted.sort(byName)).toEqual(limits.sort(byName));
  const triggers = await query<{ name: string }>(
    `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname LIKE '%_stored_insert' AND tgnargs = 1`,
  );
  const enforced = [...triggers.map(({ name }) => name), 'idempotency_keys'];
  expect([...new Set(enforced)].sort()).toEqual(limits.map(({ name }) => name).sort());
});

it('every counted table counts insertions and deletions', async () => {
  const rows = await query<{ operations: string[] }>(
    `SELECT array_agg(split_part(tgname, '_stored_', 2) ORDER BY tgname)::text[] AS operations FROM pg_trigger
     WHERE tgname LIKE '%_stored_%' GROUP BY tgrelid`,
  );
  expect(rows).toHaveLength(31);
  for (const { operations } of rows) expect(operations).toEqual(expect.arrayContaining(['insert', 'delete']));
});
