import { MAX_COUNT } from '../../../../kernel/page';
import { type Sql, raw, sql } from '../../../../platform/database/sql';
import type { FindingStatus } from '../../domain/finding-status';
import type { VerificationResult } from '../../domain/verification';

export interface FindingFilter {
  readonly status?: FindingStatus;
  readonly minSeverity?: number;
  readonly assetId?: number;
  /** A substring of the title or the asset value, case-insensitive. */
  readonly searchText?: string;
  /** The user, or none for findings that are not assigned. */
  readonly assignee?: number | 'none';
  readonly label?: string;
  readonly checkId?: string;
  readonly verification?: VerificationResult;
  /** Only findings that this import has seen. */
  readonly importId?: number;
  /** Only open findings that are due before this day. */
  readonly dueBefore?: string;
  readonly cwe?: number;
  /** Only findings whose CVE is known to be exploited. */
  readonly isKnownExploited?: boolean;
  /** Only findings whose CVE has at least this EPSS score. */
  readonly minEpss?: number;
  /** The findings that are merged into this one, which no other list has. */
  readonly mergedInto?: number;
  /** In any of the statuses of an open finding. */
  readonly isOpen?: boolean;
  readonly maxSeverity?: number;
  readonly assetIds?: readonly number[];
  readonly ids?: readonly number[];
  /** Only findings with a due date, if it is this day or later. Beside `dueBefore`. */
  readonly dueFrom?: string;
  /** Only accepted risks whose acceptance ends before this time. */
  readonly acceptedBefore?: Date;
  readonly change?: FindingChangeFilter;
}

export const FINDING_EVENTS = ['found', 'fixed', 'regressed'] as const;

/** Only findings to which this happened in a time: the newest ones, if there are very many. */
export interface FindingChangeFilter {
  readonly kind: (typeof FINDING_EVENTS)[number];
  readonly since: Date;
  readonly until?: Date;
}

/** For the covering search index, or for any index. `organization` is a value or a subquery. */
export function conditionsOf(
  {
    status,
    minSeverity,
    assetId,
    searchText,
    assignee,
    label,
    checkId,
    verification,
    importId,
    dueBefore,
    cwe,
    isKnownExploited = false,
    minEpss,
    mergedInto,
    ...further
  }: FindingFilter,
  organization: Sql,
  usesSearchIndex: boolean,
): (Sql | undefined)[] {
  const [statusColumn, severityColumn, dueColumn] = usesSearchIndex
    ? [raw('f.status + 0'), raw('f.severity + 0'), raw('f.due_order + 0')]
    : [raw('f.status'), raw('f.severity'), raw('f.due_order')];
  return [
    mergedInto === undefined ? sql`f.merged_into IS NULL` : sql`f.merged_into = ${mergedInto}`,
    searchText === undefined ? undefined : sql`strpos(f.searched, lower(${searchText})) > 0`,
    status && sql`${statusColumn} = ${status}`,
    minSeverity === undefined ? undefined : sql`${severityColumn} >= ${minSeverity}`,
    assetId === undefined ? undefined : sql`f.asset_id = ${assetId}`,
    assignee === undefined ? undefined : isAssignedTo(assignee),
    checkId === undefined ? undefined : sql`f.check_id = ${checkId}`,
    // A literal, so that the planner knows that the index of tested findings has them.
    verification === undefined ? undefined : raw(`f.verification = '${verification}'`),
    importId === undefined ? undefined : seenByImport(importId, verification),
    dueBefore === undefined ? undefined : sql`${dueColumn} > DATE '2000-01-01' - ${dueBefore}::date`,
    label === undefined ? undefined : hasLabel(label, organization),
    cwe === undefined ? undefined : sql`f.cwe = ${cwe}`,
    isKnownExploited ? sql`f.kev` : undefined,
    minEpss === undefined ? undefined : sql`f.epss >= ${minEpss}::float8`,
    further.isOpen === true ? sql`${statusColumn} <= 4` : undefined,
    further.maxSeverity === undefined ? undefined : sql`${severityColumn} <= ${further.maxSeverity}`,
    further.assetIds && sql`f.asset_id = ANY(${further.assetIds}::int[])`,
    further.ids && sql`f.id = ANY(${further.ids}::int[])`,
    further.dueFrom === undefined ? undefined : sql`${dueColumn} <= DATE '2000-01-01' - ${further.dueFrom}::date`,
    further.acceptedBefore && sql`f.accepted_until < ${further.acceptedBefore}`,
    further.change && changedSince(further.change, organization),
  ];
}

const EVENT_CONDITIONS = {
  found: raw('h.previous_status IS NULL'),
  fixed: raw('h.status = 5 AND h.previous_status IS DISTINCT FROM 5'),
  regressed: raw('h.status <= 4 AND h.previous_status = 5'),
} as const;

/** An array makes the planner begin with the changes, which an index finds by their time. */
const changedSince = ({ kind, since, until }: FindingChangeFilter, organization: Sql): Sql => sql`f.id = ANY(ARRAY(
  SELECT h.finding_id FROM finding_history h WHERE h.organization_id = ${organization} AND h.created >= ${since}
    AND h.created < ${until ?? 'infinity'}::timestamptz AND NOT h.is_comment AND ${EVENT_CONDITIONS[kind]}
  ORDER BY h.created DESC LIMIT ${MAX_COUNT + 1}))`;

/**
 * Beside a result of tests, of which an organization has few, the planner tests each finding. Otherwise it must begin with the
 * findings of the import, as an array makes it do: it would read those of the organization until it has found enough.
 */
const seenByImport = (importId: number, verification: VerificationResult | undefined): Sql => {
  const seen = sql`SELECT s.finding_id FROM finding_sightings s WHERE s.import_id = ${importId}`;
  return verification === undefined || verification === 'untested'
    ? sql`f.id = ANY(ARRAY(${seen}))`
    : sql`f.id IN (${seen})`;
};

const isAssignedTo = (assignee: number | 'none'): Sql =>
  assignee === 'none' ? sql`f.assignee_id IS NULL` : sql`f.assignee_id = ${assignee}`;

/** As the index of labels has it. */
const hasLabel = (label: string, organization: Sql): Sql =>
  sql`f.labels <> '{}' AND array_append(f.labels, E'\\n' || f.organization_id::text) @> ARRAY[${label}, E'\\n' || (${organization})::text]`;
