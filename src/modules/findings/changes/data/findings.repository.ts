import { Injectable } from '@nestjs/common';
import { SEVERITIES } from '../../../../kernel/severity';
import type { Page, Slice } from '../../../../kernel/page';
import type { Scope } from '../../../../platform/api/scope';
import { Database } from '../../../../platform/database/database';
import { type Sql, allOf, emptySql, raw, sql } from '../../../../platform/database/sql';
import { ListOrder, byId, readSlice } from '../../../../platform/database/list-order';
import { visibleOrganization, visibleTo } from '../../../../platform/database/visible';
import { LIMIT_OF_SEVERITY } from '../../domain/sla';
import type { FindingStatus } from '../../domain/finding-status';
import type { FindingVerification, VerificationResult } from '../../domain/verification';
import {
  type Finding,
  FindingRow,
  type FindingWithCheck,
  type LockedFinding,
  type MayBeAccepted,
  DATABASE_ONLY_COLUMNS,
  INTERNAL_COLUMNS,
} from '../../data/finding.entity';

export type FindingOrder = 'newest' | 'severity' | 'priority' | 'due_date';

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
}

/** What decides whether the check of a finding is accepted. */
export interface FindingOfBuiltInCheck {
  readonly id: number;
  readonly checkId: string;
  readonly location: string;
  readonly beaconId: number | null;
}

/** Whom a finding is assigned to, until when it is to be fixed, its labels and references, and what its check may do. */
export type WorkFields = Pick<
  FindingRow,
  'assigneeId' | 'dueDate' | 'dueByHand' | 'deadlineStart' | 'labels' | 'references' | 'allowUnsafe'
>;

/** A finding as it was tested. With another asset or check the result says nothing about it. */
export type TestedFinding = Pick<FindingRow, 'id' | 'assetId'> & { readonly checkDefinition?: unknown };

/** The limits of the row `s` of an SLA, by the numbers of severities. */
const limits = raw(
  `ARRAY[${SEVERITIES.map((one) => LIMIT_OF_SEVERITY[one])
    .map((limit) => (limit === null ? 'NULL' : `s.${limit}`))
    .join(', ')}]`,
);

/** The lock that an UPDATE takes. It still allows writing rows that refer to the finding. */
const forNoKeyUpdate = raw('FOR NO KEY UPDATE OF f');

type SortColumns = Readonly<Record<'id' | 'severity' | 'negativePriority' | 'dueOrder', string>>;

const ordersBy = ({
  id,
  severity,
  negativePriority,
  dueOrder,
}: SortColumns): Readonly<Record<FindingOrder, ListOrder<Finding>>> => ({
  newest: byId<Finding>(id),
  severity: new ListOrder<Finding>([severity, id], (finding) => [finding.severity, finding.id]),
  priority: new ListOrder<Finding>([negativePriority, id], (finding) => [-finding.priority, finding.id]),
  due_date: new ListOrder<Finding>([dueOrder, id], (finding) => [finding.dueOrder, finding.id]),
});

/** Each order has an index that begins with the organization. */
const ORDERS = ordersBy({
  id: 'f.id',
  severity: 'f.severity',
  negativePriority: '(-f.priority)',
  dueOrder: 'f.due_order',
});

/**
 * The same orders for a search, which must use the covering search index. `+ 0` and `0 -` keep the planner from the other
 * indexes, where it would fetch each finding to compare the text.
 */
const ORDERS_OF_SEARCH = ordersBy({
  id: 'f.id',
  severity: 'f.severity + 0',
  negativePriority: '(0 - f.priority)',
  dueOrder: 'f.due_order + 0',
});

/**
 * The same orders for findings with at least an EPSS score, which must use the index of these scores. In the index of an order
 * the planner would read all findings of the organization when few have such a score.
 */
const ORDERS_OF_EPSS = ordersBy({
  id: 'f.id + 0',
  severity: 'f.severity + 0',
  negativePriority: '(0 - f.priority)',
  dueOrder: 'f.due_order + 0',
});

const ordersFor = ({ minEpss }: FindingFilter, usesSearchIndex: boolean) =>
  usesSearchIndex ? ORDERS_OF_SEARCH : minEpss === undefined ? ORDERS : ORDERS_OF_EPSS;

/** The same orders for the findings of an event, each with an index that begins with the event. Deadlines have none. */
const { due_date: _withoutIndex, ...ORDERS_OF_EVENT } = ordersBy({
  id: 'l.finding_id',
  severity: 'l.severity',
  negativePriority: '(-l.priority)',
  dueOrder: '',
});

@Injectable()
export class FindingsRepository {
  private readonly columns = this.database.columns(FindingRow, 'f', INTERNAL_COLUMNS);
  private readonly lockedColumns = this.database.columns(FindingRow, 'f', DATABASE_ONLY_COLUMNS);

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, id: number): Promise<(Finding & MayBeAccepted) | undefined> {
    return this.database.row<Finding & MayBeAccepted>(sql`
      SELECT ${this.columns}, ${mayBeAccepted(sql`f.organization_id`)} FROM findings f
      WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')}`);
  }

  findWithCheck(scope: Scope, id: number): Promise<FindingWithCheck | undefined> {
    return this.database.row<FindingWithCheck>(sql`
      SELECT ${this.columns}, f.check_id AS "checkId", f.check_definition AS "checkDefinition" FROM findings f
      WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')}`);
  }

  /** Returns undefined if the finding was not seen in this event. A merged one is in the events of its main finding. */
  findInEvent(scope: Scope, eventId: number, id: number): Promise<Finding | undefined> {
    return this.database.row<Finding>(sql`
      SELECT ${this.columns} FROM findings f JOIN event_findings l ON l.finding_id = coalesce(f.merged_into, f.id) AND l.organization_id = f.organization_id AND l.event_id = ${eventId}
      WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')}`);
  }

  async findOrganization(scope: Scope, id: number): Promise<number | undefined> {
    const row = await this.database.row<{ organizationId: number }>(sql`
      SELECT f.organization_id AS "organizationId" FROM findings f
      WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')}`);
    return row?.organizationId;
  }

  lockOne(scope: Scope, id: number): Promise<LockedFinding | undefined> {
    return this.database.row<LockedFinding>(sql`
      SELECT ${this.lockedColumns} FROM findings f WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')} ${forNoKeyUpdate}`);
  }

  /** The findings that are merged into one that the caller has read in scope. */
  listPartsOfVisible(id: number): Promise<Pick<FindingRow, 'id' | 'assetValue'>[]> {
    return this.database.rows(
      sql`SELECT f.id, f.asset_value AS "assetValue" FROM findings f WHERE f.merged_into = ${id} ORDER BY f.id`,
    );
  }

  listForOrganization(
    scope: Scope,
    organizationId: number,
    filter: FindingFilter,
    order: FindingOrder,
    page: Page,
  ): Promise<Slice<Finding & MayBeAccepted>> {
    const usesSearchIndex = filter.searchText !== undefined;
    // It would otherwise scan the index of the organization until it has found enough findings of the asset.
    const isOneAsset = filter.assetId !== undefined && order === 'newest';
    const organization = sql`${organizationId}`;
    const ofOrganization = inOrganization(organization, isOneAsset);
    const matching = allOf([ofOrganization, ...conditions(filter, organization, usesSearchIndex)]);
    const list = sql`FROM findings f WHERE ${matching}`;
    const orders = ordersFor(filter, usesSearchIndex);
    const owner = sql`SELECT o.id FROM organizations o WHERE o.id = ${organizationId} AND ${visibleOrganization(scope, 'o')}`;
    return this.list({ owner, id: sql`f.id`, list, order: orders[order] }, ORDERS[order], page);
  }

  /** How many findings have each of these statuses, each up to `limit`. */
  countByStatus(
    scope: Scope,
    organizationId: number,
    statuses: readonly FindingStatus[],
    limit: number,
  ): Promise<{ status: FindingStatus; count: number }[]> {
    return this.database.rows(sql`
      SELECT wanted.status, counted.count FROM unnest(${statuses}::int[]) AS wanted (status)
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS count FROM (
          SELECT 1 FROM findings f
          WHERE f.organization_id = ${organizationId} AND f.status = wanted.status AND f.merged_into IS NULL
            AND ${visibleTo(scope, 'f.organization_id')}
          LIMIT ${limit}) found
      ) counted`);
  }

  /**
   * Looks up the event in the same statement, so that a page is one round trip. Filters by status, asset and text read the
   * findings of the organization through its indexes and check for each match whether it was seen in the event.
   */
  listForEvent(
    scope: Scope,
    slug: string,
    filter: FindingFilter,
    order: FindingOrder,
    page: Page,
  ): Promise<Slice<Finding & MayBeAccepted>> {
    const visible = sql`FROM events e WHERE e.slug = ${slug} AND ${visibleTo(scope, 'e.organization_id')}`;
    const owner = sql`SELECT e.organization_id ${visible}`;
    const event = sql`SELECT e.id ${visible}`;
    const { minSeverity, ...otherFilters } = filter;
    const hasNoIndex = Object.values(otherFilters).every((value) => value === undefined);
    if (hasNoIndex && order !== 'due_date') {
      const isSevere = minSeverity === undefined ? emptySql : sql` AND l.severity >= ${minSeverity}`;
      const list = sql`FROM event_findings l WHERE l.event_id = (${event})${isSevere}`;
      return this.list({ owner, id: sql`l.finding_id`, list, order: ORDERS_OF_EVENT[order] }, ORDERS[order], page);
    }
    const { assetId, searchText, status: _status, ...selective } = otherFilters;
    const isSelective = assetId !== undefined || Object.values(selective).some((value) => value !== undefined);
    // In another order than by id, the matches of the organization's index by status would have to be fetched to be sorted.
    const usesSearchIndex = searchText !== undefined || (!isSelective && order !== 'newest' && order !== 'due_date');
    const inEvent = filter.mergedInto === undefined ? sql`f.id` : sql`f.merged_into`;
    // A scalar subquery and not EXISTS, which the planner may turn into a join that reads all findings of the event.
    const wasSeen = sql`(
      SELECT true FROM event_findings l
      WHERE l.event_id = (${event}) AND l.finding_id = ${inEvent} AND l.organization_id = f.organization_id)`;
    const organization = sql`(${owner})`;
    const ofOrganization = inOrganization(organization, assetId !== undefined);
    const matching = allOf([ofOrganization, ...conditions(filter, organization, usesSearchIndex), wasSeen]);
    const list = sql`FROM findings f WHERE ${matching}`;
    const orders = ordersFor(filter, usesSearchIndex);
    return this.list({ owner, id: sql`f.id`, list, order: orders[order] }, ORDERS[order], page);
  }

  /** The caller has read the asset in scope. */
  async listForVisibleAsset(
    organizationId: number,
    assetId: number,
    limit: number,
  ): Promise<(Finding & MayBeAccepted)[]> {
    const owner = sql`SELECT ${organizationId}::int`;
    const list = sql`FROM findings f WHERE f.asset_id = ${assetId} AND f.merged_into IS NULL`;
    const ids = { owner, id: sql`f.id`, list, order: ORDERS.newest };
    const { items } = await this.list(ids, ORDERS.newest, { page: 1, perPage: limit });
    return items;
  }

  /** Those of these findings that a built-in check found. A stored check in YAML has the text of its requests. */
  listOfBuiltInChecks(visibleIds: readonly number[]): Promise<FindingOfBuiltInCheck[]> {
    return this.database.rows<FindingOfBuiltInCheck>(sql`
      SELECT f.id, f.check_id AS "checkId", f.check_definition ->> 'location' AS location, f.beacon_id AS "beaconId" FROM findings f
      WHERE f.id = ANY(${visibleIds}::int[]) AND f.check_id IS NOT NULL AND f.check_definition ->> 'location' IS NOT NULL
        AND NOT f.check_definition ? 'http'
      ORDER BY f.id`);
  }

  /** The ids of findings whose acceptance has expired, longest overdue first. */
  async listExpiredAcceptances(scope: Scope, now: Date, limit: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT f.id FROM findings f WHERE f.accepted_until <= ${now} AND f.merged_into IS NULL AND ${visibleTo(scope, 'f.organization_id')}
      ORDER BY f.accepted_until LIMIT ${limit}`);
    return rows.map(({ id }) => id);
  }

  async saveWorkFields(
    id: number,
    { assigneeId, dueDate, dueByHand, deadlineStart, labels, references, allowUnsafe }: WorkFields,
  ): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET assignee_id = ${assigneeId}, due_date = ${dueDate}, due_by_hand = ${dueByHand},
        deadline_start = ${deadlineStart}, labels = ${labels}::text[], reference_urls = ${references}::text[],
        allow_unsafe = ${allowUnsafe}
      WHERE id = ${id}`);
  }

  /**
   * Moves the due dates of at most `limit` open findings after an id, unless a person has set them. The row of the SLA is
   * locked, so that this uses the newest one. Returns the last id, and how many due dates have moved.
   */
  moveDueDates(organizationId: number, after: number, limit: number): Promise<{ last: number | null; moved: number }> {
    return this.database
      .row<{ last: number | null; moved: number }>(
        sql`
      WITH sla AS (SELECT * FROM finding_sla WHERE organization_id = ${organizationId} FOR SHARE),
      batch AS (
        SELECT f.id, coalesce(f.deadline_start, (f.created AT TIME ZONE 'UTC')::date)
          + (${limits})[f.severity + 1] AS due_date
        FROM findings f CROSS JOIN sla s
        WHERE f.organization_id = ${organizationId} AND f.status BETWEEN 1 AND 4 AND NOT f.due_by_hand AND f.id > ${after}
          AND f.merged_into IS NULL
        ORDER BY f.id LIMIT ${limit} FOR NO KEY UPDATE OF f),
      moved AS (
        UPDATE findings f SET due_date = b.due_date FROM batch b
        WHERE f.id = b.id AND f.organization_id = ${organizationId} AND f.due_date IS DISTINCT FROM b.due_date RETURNING 1)
      SELECT (SELECT max(id) FROM batch) AS last, (SELECT count(*)::int FROM moved) AS moved`,
      )
      .then((row) => row ?? { last: null, moved: 0 });
  }

  async saveCheckDefinition(id: number, checkDefinition: unknown, allowUnsafe: boolean): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET check_definition = ${JSON.stringify(checkDefinition)}, allow_unsafe = ${allowUnsafe}
      WHERE id = ${id}`);
  }

  /** The same finding with another identity. False if another finding has that identity. */
  async saveLocation(id: number, location: string, fingerprint: Buffer): Promise<boolean> {
    const row = await this.database.row<{ id: number }>(sql`
      UPDATE findings f SET fingerprint = ${fingerprint},
        check_definition = jsonb_set(f.check_definition, '{location}', to_jsonb(${location}::text))
      WHERE f.id = ${id} AND NOT EXISTS (
        SELECT 1 FROM findings other WHERE other.organization_id = f.organization_id AND other.fingerprint = ${fingerprint}
          AND other.asset_value = f.asset_value AND other.beacon_id IS NOT DISTINCT FROM f.beacon_id)
      RETURNING f.id`);
    return row !== undefined;
  }

  /**
   * What a confirmed finding was tested for was true, so only another check changes that. A test that could not run replaces
   * no result. With `waits: false` a finding that someone changes at the moment keeps what it has.
   */
  async saveVerification(
    { id, checkDefinition, assetId }: TestedFinding,
    { result, reason }: FindingVerification,
    { waits }: { readonly waits: boolean },
  ): Promise<void> {
    const lock = raw(waits ? 'FOR NO KEY UPDATE' : 'FOR NO KEY UPDATE SKIP LOCKED');
    const ofCheck =
      checkDefinition === undefined
        ? emptySql
        : sql` AND t.check_definition = ${JSON.stringify(checkDefinition)}::jsonb`;
    const testedAt = raw(result === 'untested' ? 'NULL' : 'now()');
    await this.database.change(sql`
      UPDATE findings f SET verification = ${result}, verification_reason = ${reason}, verified_at = ${testedAt}
      WHERE f.id = (
          SELECT t.id FROM findings t WHERE t.id = ${id} AND t.asset_id IS NOT DISTINCT FROM ${assetId}${ofCheck} ${lock})
        AND (CASE f.verification WHEN 'confirmed' THEN ${result} = 'confirmed' WHEN 'untested' THEN true
          ELSE ${result} <> 'untested' END)`);
  }

  /** With another check, what an earlier one has shown says nothing. Otherwise a confirmed finding keeps its time. */
  async resetVerification(
    id: number,
    { result, reason }: FindingVerification,
    { checkReplaced }: { readonly checkReplaced: boolean },
  ): Promise<void> {
    const testedAt = raw(result === 'untested' ? 'NULL' : 'now()');
    await this.database.change(sql`
      UPDATE findings SET verification = ${result}, verification_reason = ${reason}, verified_at = ${testedAt}
      WHERE id = ${id} AND (${checkReplaced} OR verification <> 'confirmed')`);
  }

  async saveStatus(finding: Pick<LockedFinding, 'id' | 'status' | 'previousStatus' | 'acceptedUntil'>): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET status = ${finding.status}, previous_status = ${finding.previousStatus},
        accepted_until = ${finding.acceptedUntil}
      WHERE id = ${finding.id}`);
  }

  /** Detaches at most `limit` findings from an asset, and returns how many it detached. */
  detachSome(assetId: number, limit: number): Promise<number> {
    return this.database.change(sql`
      UPDATE findings SET asset_id = NULL
      WHERE id = ANY(ARRAY(SELECT id FROM findings WHERE asset_id = ${assetId} ORDER BY id LIMIT ${limit}))`);
  }

  /**
   * Finds the ids of the page in an index alone, then fetches only these rows. An array and not a join lets PostgreSQL use
   * one generic plan for every page.
   */
  private list(ids: IdsOfPage, order: ListOrder<Finding>, page: Page): Promise<Slice<Finding & MayBeAccepted>> {
    const { owner, id, list } = ids;
    const rows = sql`
      SELECT ${this.columns}, ${mayBeAccepted(sql`(${owner})`)} FROM findings f
      WHERE f.id = ANY(ARRAY(SELECT ${id} ${list}${ids.order.page(page)})) AND f.organization_id = (${owner})
      ${order.by(page)}`;
    return readSlice<Finding & MayBeAccepted>(this.database, page, order, { rows, list });
  }
}

/** For an organization that is no column, the database looks once for all rows of the statement. */
const mayBeAccepted = (organization: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM accepted_checks c WHERE c.organization_id = ${organization}) AS "mayBeAccepted"`;

/** How the ids of a page are found. */
interface IdsOfPage {
  /** Selects the organization of all rows, if the scope may see it. */
  readonly owner: Sql;
  readonly id: Sql;
  readonly list: Sql;
  readonly order: ListOrder<Finding>;
}

/** `organization` is a value or a subquery. `+ 0` makes the planner use the index of the asset instead of the organization's. */
const inOrganization = (organization: Sql, isByAsset: boolean): Sql =>
  isByAsset ? sql`f.organization_id + 0 = ${organization}` : sql`f.organization_id = ${organization}`;

/** For the covering search index, or for any index. `organization` is a value or a subquery. */
function conditions(
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
  ];
}

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
