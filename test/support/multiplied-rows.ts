import { readFileSync } from 'node:fs';
import { query } from './database';

interface Column {
  readonly name: string;
  readonly type: string;
  /** Part of a unique index. */
  readonly isUnique: boolean;
  /** The table and column that it refers to. */
  readonly parent: string | null;
  readonly parentColumn: string;
  /** Its rows belong to organizations. */
  readonly isTenants: boolean;
}

const COLUMNS = `
  SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type,
    EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND a.attnum = ANY(i.indkey)) AS "isUnique",
    f.confrelid::regclass::text AS parent, (SELECT attname FROM pg_attribute
      WHERE attrelid = f.confrelid AND attnum = f.confkey[array_position(f.conkey, a.attnum)]) AS "parentColumn",
    EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = f.confrelid AND attname = 'organization_id') AS "isTenants"
  FROM pg_attribute a LEFT JOIN LATERAL (
    SELECT * FROM pg_constraint WHERE contype = 'f' AND conrelid = a.attrelid AND a.attnum = ANY(conkey)
    ORDER BY confrelid = 'organizations'::regclass LIMIT 1) f ON true
  WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity = ''
    AND coalesce(pg_get_expr((SELECT d.adbin FROM pg_attrdef d WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum), a.attrelid), '') NOT LIKE 'nextval%'`;

/** What makes a value another one, where two rows may not have the same. */
const OTHER: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `${column} || '-' || n`,
  'character varying': (column) => `${column} || '-' || n`,
  uuid: () => 'gen_random_uuid()',
  integer: (column) => `${column} + n`,
  bigint: (column) => `${column} + n`,
  bytea: (column) => `${column} || int4send(n)`,
  'timestamp with time zone': (column) => `${column} + n * interval '1 millisecond'`,
};

/** Copies the newest row of an organization until it has so many; those of different parents where each has one. */
export async function multiplyRows(table: string, organizationId: number, most: number): Promise<void> {
  const columns = await query<Column>(COLUMNS, [table]);
  const values = columns.map(({ name, type, isUnique, parent, isTenants }) => {
    if (name === 'organization_id' || !isUnique || (parent !== null && !isTenants)) return `r.${name}`;
    return parent === null ? (OTHER[type]?.(`r.${name}`) ?? `r.${name}`) : `coalesce(${name}_parent.value, r.${name})`;
  });
  const parents = columns
    .filter(({ name, isUnique, isTenants }) => isUnique && isTenants && name !== 'organization_id')
    .map(
      ({ name, parent, parentColumn }) =>
        `LEFT JOIN (SELECT ${parentColumn} AS value, row_number() OVER (ORDER BY ${parentColumn}) AS at FROM ${parent}
           WHERE organization_id = ${organizationId}) ${name}_parent ON ${name}_parent.at = n`,
    );
  await query(
    `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
     SELECT ${values.join(', ')} FROM (SELECT * FROM ${table} WHERE organization_id = ${organizationId} ORDER BY ctid DESC LIMIT 1) r,
     LATERAL generate_series(1, ${most} - (SELECT count(*)::int FROM ${table} WHERE organization_id = ${organizationId})) AS n
     ${parents.join('\n')} ON CONFLICT DO NOTHING`,
  );
}

/** The tables of organizations in docs/limits.md with the number of rows that each may have, parents first. */
export async function documentedLimits(): Promise<ReadonlyMap<string, number>> {
  const tables = await query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
     WHERE c.relkind = 'r' AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'organizations'
     ORDER BY (SELECT count(*) FROM pg_constraint f WHERE f.contype = 'f' AND f.conrelid = c.oid), c.oid`,
  );
  const text = readFileSync('docs/limits.md', 'utf8');
  return new Map(
    tables.flatMap(({ name }) => {
      const [, , limit = ''] = new RegExp(`^\\| \`${name}\`\\s*\\|([^|]*)\\|([^|]*)\\|`, 'm').exec(text) ?? [];
      const [number] = /(?<=counted: )[\d,]+/.exec(limit) ?? /\d[\d,]*/.exec(limit) ?? [];
      if (number !== undefined) return [[name, Number(number.replaceAll(',', ''))] as const];
      return limit.includes('one for each') ? [[name, Infinity] as const] : [];
    }),
  );
}
