import { query } from './database';

/** How the database treats the rows of an organization: every change of them fails, or waits until it is ended. */
export type Poison = 'throws' | 'hangs';

/** Makes each change of a kind to the rows of an organization in a table fail. Returns how to end it. */
export async function poison(
  table: string,
  operation: 'INSERT' | 'UPDATE' | 'DELETE',
  organizationId: number,
  how: Poison = 'throws',
): Promise<() => Promise<void>> {
  const name = `poison_${organizationId}_${table}`;
  const effect = how === 'hangs' ? 'PERFORM pg_sleep(60)' : `RAISE EXCEPTION 'poisoned row'`;
  const row = operation === 'DELETE' ? 'OLD' : 'NEW';
  await query(
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${effect}; RETURN ${row}; END $$`,
  );
  await query(`CREATE TRIGGER ${name} BEFORE ${operation} ON ${table} FOR EACH ROW
    WHEN (${row}.organization_id = ${organizationId}) EXECUTE FUNCTION ${name}()`);
  return async () => {
    await query(`DROP TRIGGER ${name} ON ${table}`);
    await query(`DROP FUNCTION ${name}`);
  };
}

const VALUES: Readonly<Record<string, string>> = {
  bytea: `'\\x00'`,
  text: `'x'`,
  uuid: 'gen_random_uuid()',
  jsonb: `'{}'`,
  boolean: 'false',
  'timestamp with time zone': 'now()',
  date: 'now()',
  ARRAY: `'{}'`,
};

/** Adds a row of which the test names only what it needs, as SQL. Other columns that must have a value get any. */
export async function addRow(table: string, given: Readonly<Record<string, string | number>>): Promise<void> {
  const columns = await query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL
       AND is_identity = 'NO' AND is_generated = 'NEVER'`,
    [table],
  );
  const others = columns.filter(({ name }) => !(name in given)).map(({ name, type }) => [name, VALUES[type] ?? '1']);
  const all = Object.fromEntries([...others, ...Object.entries(given)]) as Record<string, string | number>;
  await query(`INSERT INTO ${table} (${Object.keys(all).join(', ')}) VALUES (${Object.values(all).join(', ')})`);
}
