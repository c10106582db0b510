import type { Client } from 'pg';
import { notFound } from '../../kernel/domain-error';
import type { Config } from '../../platform/config/load-config';
import { asService } from './as-table-owner';
import { type Cell, textTable } from './text-output';

interface ListedOrganization {
  readonly id: number;
  readonly name: string;
  readonly integrator: string | null;
  readonly created: Date;
  readonly suspended: Date | null;
  readonly assets: number;
  readonly findings: number;
  /** Of all counted rows. */
  readonly bytes: number;
  readonly unfinished_work: number;
  readonly last_key_use: Date | null;
}

interface StoredTable {
  readonly table: string;
  readonly rows: number;
  readonly limit: number;
}

interface OrganizationKey {
  readonly access_key: string;
  readonly label: string;
  readonly user: string;
  readonly scopes: readonly string[];
  readonly last_used: Date | null;
  readonly expires: Date | null;
}

interface UnfinishedKind {
  readonly kind: string;
  readonly state: string;
  readonly count: number;
  readonly since: Date;
}

export interface ShownOrganization extends ListedOrganization {
  readonly bytes_limit: number;
  readonly stored: readonly StoredTable[];
  readonly keys: readonly OrganizationKey[];
  readonly work: readonly UnfinishedKind[];
}

/** Keys that are limited to the organization, and those of its members that have no limit. */
const KEYS_OF = `FROM api_keys k JOIN users u ON u.id = k.user_id
  WHERE k.revoked IS NULL AND (k.organization_id = o.id OR k.organization_id IS NULL
    AND EXISTS (SELECT FROM memberships m WHERE m.user_id = k.user_id AND m.organization_id = o.id))`;

const ORGANIZATIONS = `
  SELECT o.id, o.name, i.name AS integrator, o.created, o.suspended_at AS suspended, coalesce(s.assets, 0)::float8 AS assets,
    coalesce(s.findings, 0)::float8 AS findings, coalesce(s.bytes, 0)::float8 AS bytes,
    (SELECT count(*)::int FROM work w WHERE w.organization_id = o.id AND w.state IN ('waiting', 'running')) AS unfinished_work,
    (SELECT max(k.last_used) ${KEYS_OF}) AS last_key_use
  FROM organizations o LEFT JOIN integrators i ON i.id = o.integrator_id
  LEFT JOIN LATERAL (
    SELECT sum(bytes) AS bytes, sum(rows) FILTER (WHERE table_name = 'assets') AS assets,
      sum(rows) FILTER (WHERE table_name = 'findings') AS findings
    FROM stored_rows WHERE organization_id = o.id) s ON true
  WHERE o.deleted_at IS NULL AND ($1::int IS NULL OR o.id = $1) ORDER BY o.id`;

const organizations = async (client: Client, id?: number): Promise<ListedOrganization[]> =>
  (await client.query<ListedOrganization>(ORGANIZATIONS, [id ?? null])).rows;

export const listOrganizations = (config: Config): Promise<ListedOrganization[]> => asService(config, organizations);

/** What it stores, and never what is in its records. */
export const showOrganization = (config: Config, id: number): Promise<ShownOrganization> =>
  asService(config, async (client) => {
    const [organization] = await organizations(client, id);
    if (organization === undefined) throw notFound('Organization');
    const rowsOf = async <T extends object>(text: string): Promise<T[]> => (await client.query<T>(text, [id])).rows;
    const limits = await rowsOf<StoredTable>(`
      SELECT l.name AS table, l.most::float8 AS limit, coalesce((SELECT sum(s.rows) FROM stored_rows s
        WHERE s.organization_id = $1 AND s.table_name = l.name), 0)::float8 AS rows FROM stored_limits l ORDER BY l.name`);
    return {
      ...organization,
      bytes_limit: limits.find(({ table }) => table === 'bytes')?.limit ?? 0,
      stored: limits.filter(({ table, rows }) => table !== 'bytes' && rows > 0),
      keys: await rowsOf<OrganizationKey>(`
        SELECT k.access_key, k.label, u.email AS "user", k.scopes, k.last_used, k.expires FROM organizations o
        CROSS JOIN LATERAL (SELECT k.*, u.email ${KEYS_OF}) k JOIN users u ON u.id = k.user_id
        WHERE o.id = $1 ORDER BY k.last_used DESC NULLS LAST, k.id`),
      work: await rowsOf<UnfinishedKind>(`
        SELECT kind, state, count(*)::int AS count, min(run_at) AS since FROM work
        WHERE organization_id = $1 AND state IN ('waiting', 'running') GROUP BY 1, 2 ORDER BY 1, 2`),
    };
  });

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

const stateOf = ({ suspended }: ListedOrganization): string => (suspended === null ? 'active' : 'suspended');

const HEAD = ['ID', 'Name', 'Integrator', 'State', 'Assets', 'Findings', 'Stored', 'Work', 'Last key use'];

const lineOf = (one: ListedOrganization): Cell[] => [
  one.id,
  one.name,
  one.integrator,
  stateOf(one),
  one.assets,
  one.findings,
  megabytes(one.bytes),
  one.unfinished_work,
  one.last_key_use,
];

export const organizationsText = (all: readonly ListedOrganization[]): string => textTable(HEAD, all.map(lineOf));

export function organizationText(one: ShownOrganization): string {
  const stored = one.stored.map(({ table, rows, limit }) => [
    table,
    rows,
    limit,
    `${Math.floor((rows / limit) * 100)} %`,
  ]);
  const keys = one.keys.map((key) => [
    key.access_key,
    key.label,
    key.user,
    key.scopes.join(','),
    key.last_used,
    key.expires,
  ]);
  const part = (name: string, head: string[], rows: Cell[][]): string[] =>
    rows.length === 0 ? [`${name}: none`] : [`${name}:`, textTable(head, rows)];
  return [
    organizationsText([one]),
    `Created: ${one.created.toISOString()}`,
    `Stored: ${megabytes(one.bytes)} of ${megabytes(one.bytes_limit)}`,
    ...part('Rows', ['Table', 'Rows', 'Limit', 'Used'], stored),
    ...part('Keys', ['Key', 'Label', 'User', 'Scopes', 'Last use', 'Expires'], keys),
    ...part(
      'Unfinished work',
      ['Kind', 'State', 'Count', 'Since'],
      one.work.map(({ kind, state, count, since }) => [kind, state, count, since]),
    ),
  ].join('\n');
}
