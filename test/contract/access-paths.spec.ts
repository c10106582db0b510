import { OCCASIONS } from '../../src/modules/identity/data/access-paths';
import { AccessPaths } from '../../src/modules/identity';
import { useApi } from '../support/api';
import { query } from '../support/database';

const api = useApi();

/** Tables that refer to users, or to a way into an account, and let nobody in. */
const NO_WAY_IN: Readonly<Record<string, string>> = {
  address_proofs: 'says that the address is proved, which ends ways in',
  finding_preferences: 'how the user sees lists',
  mail_preferences: 'which mail the user gets, as long as the user is a member',
  finding_selections: 'changes of findings that the user has started',
  idempotency_keys: 'the answer to a repeated request, which signs in like the first',
  member_group_members: 'whose assets are also those of the user',
  memberships: 'what an account opens, and not who gets in',
  personal_notices: 'the inbox of the user, as long as the user is a member',
  provider_requirements: 'closes ways in: the break-glass owner still shows a password',
  saved_views: 'filters of lists',
};

interface Reference {
  readonly table: string;
  readonly target: string;
  readonly action: string;
}

const references = (): Promise<Reference[]> =>
  query<Reference>(`
    SELECT DISTINCT conrelid::regclass::text AS table, confrelid::regclass::text AS target, confdeltype AS action
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0`);

const ofPaths = (): string[] => api.app.get(AccessPaths).all.flatMap(({ tables }) => tables);

/** Those that refer to users, memberships or a table of a way in, or have the id of a user. */
async function referring(all: readonly Reference[]): Promise<string[]> {
  const targets = new Set([...ofPaths(), 'users', 'memberships']);
  const named = await query<{ table: string }>(`
    SELECT table_name AS table FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name IN ('user_id', 'session_id', 'key_id', 'identity_id')`);
  return [...new Set([...all.filter(({ target }) => targets.has(target)), ...named].map(({ table }) => table))];
}

const unknownAmong = (tables: readonly string[]): string[] =>
  tables.filter((table) => !ofPaths().includes(table) && !(table in NO_WAY_IN)).toSorted();

it('every table that refers to users is a part of a way into an account, or is known to be none', async () => {
  const tables = await referring(await references());
  expect(tables.length).toBeGreaterThan(20);
  expect(unknownAmong(tables)).toEqual([]);
  expect(unknownAmong([...tables, 'magic_links'])).toEqual(['magic_links']);
  const stale = Object.keys(NO_WAY_IN).filter((table) => !tables.includes(table) || ofPaths().includes(table));
  expect(stale).toEqual([]);
});

it('every way into an account says what becomes of it on each occasion', () => {
  const { all } = api.app.get(AccessPaths);
  expect(all.length).toBeGreaterThan(10);
  for (const path of all) for (const occasion of OCCASIONS) expect([path.name, path[occasion]]).not.toContain('');
  expect(all.map(({ name }) => name)).toEqual([...new Set(all.map(({ name }) => name))]);
});

it('an erased user leaves no part of a way in', async () => {
  const paths = new Set(ofPaths());
  const kept = (await references()).filter(
    ({ table, target, action }) => paths.has(table) && (target === 'users' || paths.has(target)) && action !== 'c',
  );
  expect(kept).toEqual([]);
});
