import type { Scope } from '../../../platform/api/scope';
import { type Sql, allOf, sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import type { OwnerFilter } from '../../identity';
import type { AssetType } from '../domain/asset-value';

export interface AssetFilter {
  readonly type?: AssetType;
  readonly tier?: number;
  readonly label?: string;
  readonly owner?: OwnerFilter;
  /** A substring of the value. */
  readonly q?: string;
  readonly ids?: readonly number[];
}

/** Of a row `a` of assets. */
export function conditionsOf(
  scope: Scope,
  organizationId: number,
  { type, tier, label, owner, q, ids }: AssetFilter,
): Sql {
  return allOf([
    sql`a.organization_id = ${organizationId}`,
    visibleTo(scope, 'a.organization_id'),
    type === undefined ? undefined : sql`a.type = ${type}`,
    tier === undefined ? undefined : sql`a.tier = ${tier}`,
    label === undefined ? undefined : hasLabel(organizationId, label),
    owner === undefined ? undefined : sql`a.id IN (SELECT owned_assets(${organizationId}, ${owner}))`,
    ids && sql`a.id = ANY(${ids}::int[])`,
    q === undefined ? undefined : sql`strpos(lower(a.value), lower(${q})) > 0`,
  ]);
}

/** As the index of labels has it. */
const hasLabel = (organizationId: number, label: string): Sql =>
  sql`a.labels <> '{}' AND array_append(a.labels, E'\n' || a.organization_id::text) @> ARRAY[${label}, E'\n' || (${organizationId}::int)::text]`;
