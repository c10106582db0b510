import { Injectable } from '@nestjs/common';
import { type Page, type Position, offsetOf } from '../../../../kernel/page';
import type { Scope } from '../../../../platform/api/scope';
import { Database } from '../../../../platform/database/database';
import { isUnfiltered } from '../../../../platform/database/list-order';
import { type Sql, allOf, emptySql, raw, sql } from '../../../../platform/database/sql';
import type { Priority } from '../../domain/priority';
import { beliefRankIn } from '../../domain/belief';
import type { SeverityNumber } from '../../data/finding.entity';
import { conditionsOf, type FindingFilter } from './finding-filter';
import { placeOf } from './finding-lists.repository';
import type { FindingOrder } from './finding-orders';
import type { FindingSearch } from './finding-words.repository';

/** The findings of a list that have the same title. */
export interface FindingGroup {
  /** The title key. Null for a finding from before an upgrade, which forms its own group. */
  readonly key: number | null;
  /** The first of them in the order of the list. */
  readonly firstId: number;
  readonly findings: number;
  readonly assets: number;
  /** The highest values in the group. */
  readonly severity: SeverityNumber;
  readonly priority: Priority;
  readonly proved: number;
  readonly refuted: number;
}

/**
 * The sort values of a finding as one number, with its id in the lower half. A group has the highest of its findings, which is
 * that of its first one.
 */
const PLACES: Readonly<Record<FindingOrder, Sql>> = {
  newest: raw('f.id::bigint'),
  severity: raw('(f.severity::bigint << 32) + f.id'),
  priority: raw(`((-4 * f.priority + ${beliefRankIn('f')})::bigint << 32) + f.id`),
  due_date: raw('(f.due_order::bigint << 32) + f.id'),
};

/** The same number for a position in the list. */
function placeOfPosition(position: Position): number {
  const [id = 0, lower = 0, upper] = position.toReversed().map(Number);
  return (upper === undefined ? lower : 4 * upper + lower) * 2 ** 32 + id;
}

const summed = raw(`max(f.place) AS first, count(*)::int AS findings, count(DISTINCT f.asset_id)::int AS assets,
  max(f.severity) AS severity, min(f.priority) AS priority, (count(*) FILTER (WHERE f.verification = 'confirmed'))::int AS proved,
  (count(*) FILTER (WHERE f.verification = 'refuted'))::int AS refuted`);

@Injectable()
export class FindingGroupsRepository {
  constructor(private readonly database: Database) {}

  /** The number of findings of the organization, including merged ones. */
  countStored(organizationId: number): Promise<number> {
    return this.database.count(sql`
      SELECT coalesce(sum(s.rows), 0)::int AS count FROM stored_rows s
      WHERE s.organization_id = ${organizationId} AND s.table_name = 'findings'`);
  }

  /**
   * A page of groups, each placed by its first finding, and one more group if there is a next page. Groups at most `most`
   * findings.
   */
  list(
    scope: Scope,
    organizationId: number,
    filter: FindingFilter,
    order: FindingOrder,
    page: Page,
    { most, search }: { readonly most: number | null; readonly search: FindingSearch | undefined },
  ): Promise<(FindingGroup & { readonly total: number })[]> {
    const { owner, organization } = placeOf(scope, organizationId);
    const { before, after } = page;
    const position = after ?? before;
    const from =
      position === undefined
        ? emptySql
        : sql`WHERE g.first::float8 ${raw(after === undefined ? '>' : '<')} ${placeOfPosition(position)}::float8`;
    // Without `most`, all findings of the organization are read through an index that has them in the order of their groups.
    const [materialized, limit] =
      most === null ? [raw('NOT MATERIALIZED'), emptySql] : [raw('MATERIALIZED'), sql`LIMIT ${most + 1}`];
    return this.database.rows(sql`
      WITH f AS ${materialized} (
        SELECT f.id, f.title_key, f.asset_id, f.severity, f.priority, f.verification, ${PLACES[order]} AS place FROM findings f
        WHERE ${allOf([sql`f.organization_id = (${owner})`, ...conditionsOf(filter, organization, false, search)])} ${limit}),
      g AS (
        SELECT f.title_key::float8 AS key, ${summed} FROM f WHERE f.title_key IS NOT NULL GROUP BY f.title_key
        UNION ALL SELECT NULL, ${summed} FROM f WHERE f.title_key IS NULL GROUP BY f.id)
      SELECT g.key, (g.first & 4294967295)::int AS "firstId", g.findings, g.assets, g.severity, g.priority, g.proved, g.refuted,
        (SELECT sum(g.findings) FROM g)::int AS total
      FROM g ${from} ORDER BY g.first ${raw(before === undefined ? 'DESC' : 'ASC')} LIMIT ${page.perPage + 1} OFFSET ${offsetOf(page)}`);
  }
}

/** Whether the index for groups contains everything that the filter compares. */
export function isInIndexOfGroups(filter: FindingFilter): boolean {
  const {
    belief,
    status: _s,
    isOpen: _o,
    minSeverity: _min,
    maxSeverity: _max,
    assetId: _a,
    assetIds: _as,
    ...rest
  } = filter;
  const { assignee: _to, verification: _v, dueBefore: _b, dueFrom: _f, titleKey: _t, ...others } = rest;
  return belief !== 'claimed' && belief !== 'untestable' && isUnfiltered(others);
}
