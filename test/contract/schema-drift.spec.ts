import { DataSource } from 'typeorm';
import { useApi } from '../support/api';
import { query } from '../support/database';

const api = useApi();

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly nullable: boolean;
}

const shortTypeNames: Record<string, string> = {
  int4: 'int',
  bool: 'boolean',
  float8: 'double precision',
  int8: 'bigint',
  int2: 'smallint',
};

/** The columns of all entities, in the form of `columnsOfDatabase`. */
function columnsOfEntities(source: DataSource): Column[] {
  return source.entityMetadatas.flatMap(({ tableName, columns }) =>
    columns.map((column) => ({
      table: tableName,
      column: column.databaseName,
      type: `${column.type === Number ? 'int' : String(column.type)}${column.isArray ? '[]' : ''}${column.type === 'timestamptz' ? `(${column.precision ?? null})` : ''}`,
      nullable: column.isNullable,
    })),
  );
}

async function columnsOfDatabase(tables: readonly string[]): Promise<Column[]> {
  const rows = await query<{ table: string; column: string; udt: string; precision: number | null; nullable: boolean }>(
    `SELECT table_name AS table, column_name AS column, udt_name AS udt, datetime_precision AS precision, is_nullable = 'YES' AS nullable
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ANY($1)`,
    [tables],
  );
  return rows.map(({ table, column, udt, precision, nullable }) => {
    const isArray = udt.startsWith('_');
    const name = isArray ? udt.slice(1) : udt;
    const type = `${shortTypeNames[name] ?? name}${isArray ? '[]' : ''}${name === 'timestamptz' ? `(${precision})` : ''}`;
    return { table, column, type, nullable };
  });
}

const sorted = (columns: Column[]): string[] => columns.map((column) => JSON.stringify(column)).sort();

it('the entities match the migrated schema', async () => {
  const entities = columnsOfEntities(api.app.get(DataSource));
  expect(entities.length).toBeGreaterThan(30);
  expect(sorted(entities)).toEqual(sorted(await columnsOfDatabase([...new Set(entities.map(({ table }) => table))])));
});

it('the purge of an organization removes its rows from every table with an organization_id', async () => {
  const tables = await query<{ table: string; action: string | null }>(`
    SELECT c.table_name AS table,
      (SELECT confdeltype FROM pg_constraint
        WHERE contype = 'f' AND conrelid = format('%I', c.table_name)::regclass AND confrelid = 'organizations'::regclass) AS action
    FROM information_schema.columns c WHERE c.table_schema = 'public' AND c.column_name = 'organization_id'
      AND NOT (SELECT relispartition FROM pg_class WHERE oid = format('%I', c.table_name)::regclass)`);
  // The audit log is kept after the purge with its heads, and how long it is kept.
  expect(
    tables
      .filter(({ action }) => action !== 'c')
      .map(({ table }) => table)
      .sort(),
  ).toEqual(['audit_heads', 'audit_leaves', 'audit_logs', 'history_retentions']);
});

it('every constraint has an explicit name, so that its violation maps to an error message', async () => {
  const rows = await query<{ name: string }>(`
    SELECT conname AS name FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
      AND conrelid <> 'migrations'::regclass AND conparentid = 0
      AND NOT (SELECT relispartition FROM pg_class WHERE oid = conrelid) AND conname !~ '^(pk|uq|fk|ck)_'`);
  expect(rows).toEqual([]);
});

it('the database role of the service owns no table and cannot change the audit log', async () => {
  const rows = await query<{ owner: string }>(
    `SELECT DISTINCT tableowner AS owner FROM pg_tables WHERE schemaname = 'public'`,
  );
  const [log] = await query<{ privileges: string[] }>(`
    SELECT array_agg(table_name || ' ' || privilege_type ORDER BY 1)::text[] AS privileges
    FROM information_schema.role_table_grants WHERE table_name LIKE 'audit\\_logs%' AND grantee = 'assay_app'`);
  const isOneRoleForBoth = process.env['DATABASE_URL'] !== undefined;
  expect(rows.map(({ owner }) => owner)).toEqual(isOneRoleForBoth ? [rows[0]?.owner] : ['assay_owner']);
  expect(log?.privileges ?? null).toEqual(isOneRoleForBoth ? null : ['audit_logs INSERT', 'audit_logs SELECT']);
});
