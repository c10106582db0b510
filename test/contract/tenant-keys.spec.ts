import { query } from '../support/database';

/** Unique over all organizations. Every other key and unique index of a tenant table contains the organization. */
const GLOBAL = [
  'uq_beacons_rathole_public_port',
  'uq_domains_holder',
  'uq_events_slug',
  'uq_invitations_token',
  'uq_password_resets_token',
];

/** Tables whose organization_id is NOT NULL. */
const tenantTables = `
  SELECT attrelid AS id, attnum AS organization FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE attname = 'organization_id' AND attnotnull AND relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`;

it('rows without an organization are in these tables only', async () => {
  const rows = await query<{ table: string }>(`
    SELECT relname AS table FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE attname = 'organization_id' AND NOT attnotnull AND relkind = 'r' AND relnamespace = 'public'::regnamespace
    ORDER BY 1`);
  expect(rows.map(({ table }) => table)).toEqual([
    'api_keys',
    'idempotency_keys',
    'provider_identities',
    'provider_sign_ins',
    'work',
  ]);
});

it('every key and unique index of a tenant table contains the organization, except those that are global', async () => {
  const rows = await query<{ name: string }>(`
    SELECT indexrelid::regclass::text AS name FROM pg_index JOIN (${tenantTables}) tenant ON indrelid = tenant.id
    WHERE indisunique AND NOT tenant.organization = ANY (indkey::int2[]) ORDER BY 1`);
  expect(rows.map(({ name }) => name)).toEqual(GLOBAL);
});

it('an id comes first in the key of its table, so that a lookup by id needs no other index', async () => {
  const rows = await query<{ table: string; columns: string[] }>(`
    SELECT indrelid::regclass::text AS table, array_agg(attname ORDER BY place)::text[] AS columns
    FROM pg_index JOIN (${tenantTables}) tenant ON indrelid = tenant.id
    CROSS JOIN unnest(indkey::int2[]) WITH ORDINALITY AS key (number, place)
    JOIN pg_attribute ON attrelid = indrelid AND attnum = key.number
    WHERE indisprimary GROUP BY 1`);
  const keys = rows.filter(({ columns }) => columns.includes('id'));
  expect(keys.length).toBeGreaterThan(10);
  // A key of a table with partitions contains the column that they are made by.
  expect(keys.filter(({ columns }) => columns.join() !== 'id,organization_id')).toEqual([
    { table: 'asset_changes', columns: ['id', 'organization_id', 'seen'] },
  ]);
});

it('a reference between tenant tables includes the organization, so that no row refers to one of another', async () => {
  const rows = await query<{ name: string; carries: boolean }>(`
    SELECT conname AS name, coalesce(
      array_position(confkey, parent.organization) = array_position(conkey, child.organization), false) AS carries
    FROM pg_constraint JOIN (${tenantTables}) child ON conrelid = child.id JOIN (${tenantTables}) parent ON confrelid = parent.id
    WHERE contype = 'f'`);
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter(({ carries }) => !carries)).toEqual([]);
});
