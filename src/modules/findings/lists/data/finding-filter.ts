import { MAX_COUNT } from '../../../../kernel/page';
import { type Sql, raw, sql } from '../../../../platform/database/sql';
import type { OwnerFilter } from '../../../identity';
import { type Belief, isBelieved } from '../../domain/belief';
import type { FindingStatus } from '../../domain/finding-status';
import type { VerificationResult } from '../../domain/verification';
import { type FindingSearch, isFound } from './finding-words.repository';

export interface FindingFilter {
  readonly status?: FindingStatus;
  readonly minSeverity?: number;
  readonly assetId?: number;
  /** Search terms as people type them. */
  readonly searchText?: string;
  /** The id of a user, or `none` for unassigned findings. */
  readonly assignee?: number | 'none';
  readonly label?: string;
  /** Only findings on assets of this owner. */
  readonly owner?: OwnerFilter;
  readonly checkId?: string;
  /** A value of `titleKeyOf`. */
  readonly titleKey?: number;
  /** Only findings with one of these titles, and these findings. */
  readonly chosen?: { readonly titleKeys: readonly number[]; readonly ids: readonly number[] };
  readonly verification?: VerificationResult;
  readonly belief?: Belief;
  /** Only findings that this import has seen. */
  readonly importId?: number;
  /** Only open findings that are due before this day. */
  readonly dueBefore?: string;
  readonly cwe?: number;
  /** Only findings whose CVE is known to be exploited. */
  readonly isKnownExploited?: boolean;
  /** Only findings whose CVE has at least this EPSS score. */
  readonly minEpss?: number;
  /** Only findings that are merged into this one. All other lists leave merged findings out. */
  readonly mergedInto?: number;
  /** Only findings with one of the open statuses. */
  readonly isOpen?: boolean;
  /** In a tracker. */
  readonly hasTicket?: boolean;
  readonly maxSeverity?: number;
  readonly assetIds?: readonly number[];
  readonly ids?: readonly number[];
  /** With `dueBefore`: only findings that are due on this day or later. */
  readonly dueFrom?: string;
  /** Only accepted risks whose acceptance ends before this time. */
  readonly acceptedBefore?: Date;
  readonly change?: FindingChangeFilter;
}

export const FINDING_CHANGE_KINDS = ['found', 'fixed', 'regressed'] as const;

/** Only findings to which this happened in a period: the newest ones, if there are very many. */
export interface FindingChangeFilter {
  readonly kind: (typeof FINDING_CHANGE_KINDS)[number];
  readonly since: Date;
  readonly until?: Date;
}

/** Conditions for the covering index of an organization, or for any index. `organization` is a value or a subquery. */
export function conditionsOf(
  {
    status,
    minSeverity,
    assetId,
    assignee,
    label,
    owner,
    checkId,
    verification,
    belief,
    importId,
    dueBefore,
    cwe,
    isKnownExploited = false,
    minEpss,
    mergedInto,
    ...further
  }: FindingFilter,
  organization: Sql,
  usesCoveringIndex: boolean,
  search: FindingSearch | undefined,
): (Sql | undefined)[] {
  const [statusColumn, severityColumn, dueColumn] = usesCoveringIndex
    ? [raw('f.status + 0'), raw('f.severity + 0'), raw('f.due_order + 0')]
    : [raw('f.status'), raw('f.severity'), raw('f.due_order')];
  return [
    mergedInto === undefined ? sql`f.merged_into IS NULL` : sql`f.merged_into = ${mergedInto}`,
    search && isFound(search),
    status && sql`${statusColumn} = ${status}`,
    minSeverity === undefined ? undefined : sql`${severityColumn} >= ${minSeverity}`,
    assetId === undefined ? undefined : sql`f.asset_id = ${assetId}`,
    assignee === undefined ? undefined : isAssignedTo(assignee),
    checkId === undefined ? undefined : sql`f.check_id = ${checkId}`,
    // A literal, so that the planner knows that the partial index of tested findings applies.
    verification === undefined ? undefined : raw(`f.verification = '${verification}'`),
    belief && raw(isBelieved(belief)),
    importId === undefined ? undefined : seenByImport(importId, { verification, belief }),
    dueBefore === undefined ? undefined : sql`${dueColumn} > DATE '2000-01-01' - ${dueBefore}::date`,
    label === undefined ? undefined : hasLabel(label, organization),
    owner === undefined ? undefined : isOwnedBy(owner, organization),
    cwe === undefined ? undefined : sql`f.cwe = ${cwe}`,
    isKnownExploited ? sql`f.kev` : undefined,
    minEpss === undefined ? undefined : sql`f.epss >= ${minEpss}::float8`,
    further.titleKey === undefined ? undefined : sql`f.title_key = ${further.titleKey}`,
    further.chosen &&
      sql`(f.title_key = ANY(${further.chosen.titleKeys}::bigint[]) OR f.id = ANY(${further.chosen.ids}::int[]))`,
    further.hasTicket === undefined
      ? undefined
      : sql`has_ticket(f.id, f.organization_id) = ${further.hasTicket}::boolean`,
    further.isOpen === true ? sql`${statusColumn} <= 4` : undefined,
    further.maxSeverity === undefined ? undefined : sql`${severityColumn} <= ${further.maxSeverity}`,
    further.assetIds && sql`f.asset_id = ANY(${further.assetIds}::int[])`,
    further.ids && sql`f.id = ANY(${further.ids}::int[])`,
    further.dueFrom === undefined ? undefined : sql`${dueColumn} <= DATE '2000-01-01' - ${further.dueFrom}::date`,
    further.acceptedBefore && sql`f.accepted_until < ${further.acceptedBefore}`,
    further.change && changedSince(further.change, organization),
  ];
}

const CONDITIONS_OF_KIND = {
  found: raw('h.previous_status IS NULL'),
  fixed: raw('h.status = 5 AND h.previous_status IS DISTINCT FROM 5'),
  regressed: raw('h.status <= 4 AND h.previous_status = 5'),
} as const;

/** The array makes the planner start with the changes, which an index finds by time. */
const changedSince = ({ kind, since, until }: FindingChangeFilter, organization: Sql): Sql => sql`f.id = ANY(ARRAY(
  SELECT h.finding_id FROM finding_history h WHERE h.organization_id = ${organization} AND h.created >= ${since}
    AND h.created < ${until ?? 'infinity'}::timestamptz AND NOT h.is_comment AND ${CONDITIONS_OF_KIND[kind]}
  ORDER BY h.created DESC LIMIT ${MAX_COUNT + 1}))`;

/**
 * An organization has few tested findings, so with a filter by result the planner tests each of them. Otherwise the array makes
 * it start with the findings of the import: it would read those of the organization until it had found enough.
 */
const seenByImport = (
  importId: number,
  { verification = 'untested', belief }: Pick<FindingFilter, 'verification' | 'belief'>,
): Sql => {
  const seen = sql`SELECT s.finding_id FROM finding_sightings s WHERE s.import_id = ${importId}`;
  const isTested = verification !== 'untested' || belief === 'proved' || belief === 'refuted';
  return isTested ? sql`f.id IN (${seen})` : sql`f.id = ANY(ARRAY(${seen}))`;
};

const isAssignedTo = (assignee: number | 'none'): Sql =>
  assignee === 'none' ? sql`f.assignee_id IS NULL` : sql`f.assignee_id = ${assignee}`;

/**
 * Findings without an asset have no owner. A scalar subquery makes the planner test each finding in the order of the list: a join
 * would read all findings of the owner. For an owner with few assets, lists filter by those assets instead.
 */
export const isOwnedBy = (owner: OwnerFilter, organization: Sql): Sql =>
  sql`((SELECT true FROM owned_assets(${organization}, ${owner}) AS owned (id) WHERE owned.id = f.asset_id)${raw(owner === 'none' ? ' OR f.asset_id IS NULL' : '')})`;

/** Exactly as the index of labels has it. */
const hasLabel = (label: string, organization: Sql): Sql =>
  sql`f.labels <> '{}' AND array_append(f.labels, E'\\n' || f.organization_id::text) @> ARRAY[${label}, E'\\n' || (${organization})::text]`;
