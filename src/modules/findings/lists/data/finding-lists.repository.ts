import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../../kernel/page';
import type { Scope } from '../../../../platform/api/scope';
import { Database } from '../../../../platform/database/database';
import { isUnfiltered, type ListOrder, type ListStatements, readSlice } from '../../../../platform/database/list-order';
import { type Sql, allOf, emptySql, join, sql } from '../../../../platform/database/sql';
import { visibleOrganization, visibleTo } from '../../../../platform/database/visible';
import type { OwnerFilter } from '../../../identity';
import { acceptingOrganization } from '../../changes/data/findings.repository';
import { countedSeverityOf } from '../../data/counted-severity';
import {
  FindingRow,
  type ListedFinding,
  UNLISTED_COLUMNS,
  type WithAcceptingOrganization,
} from '../../data/finding.entity';
import { type Belief, BELIEFS } from '../../domain/belief';
import type { FindingStatus } from '../../domain/finding-status';
import { conditionsOf, type FindingFilter } from './finding-filter';
import { type FindingOrder, type IdsOfPage, ORDERS, ORDERS_OF_EVENT, ordersFor } from './finding-orders';
import type { FindingSearch } from './finding-words.repository';
import type { PreviewedFinding, PreviewedList, PreviewLimits } from './previewed-list';

/** Owner of the listed findings: the id of an organization, or the slug of an event. */
export type ListOwner = number | string;

/** The fields that decide whether the check of a finding is accepted. */
export interface FindingOfBuiltInCheck extends Pick<ListedFinding, 'id' | 'beaconId' | 'assetId'> {
  readonly checkId: string;
  readonly location: string;
  readonly severity: number;
}

/** The organization that all rows belong to, and the event in which they were seen. */
interface Place {
  /** Selects the organization, if the scope may see it. */
  readonly owner: Sql;
  /** The id as a value or a subquery. */
  readonly organization: Sql;
  /** Selects the event. */
  readonly event: Sql | null;
}

@Injectable()
export class FindingListsRepository {
  private readonly columns = this.database.columns(FindingRow, 'f', UNLISTED_COLUMNS);

  constructor(private readonly database: Database) {}

  /** Looks up the event in the same statement, so that a page is one round trip. */
  list(
    scope: Scope,
    of: ListOwner,
    filter: FindingFilter,
    order: FindingOrder,
    page: Page,
    search?: FindingSearch,
  ): Promise<Slice<ListedFinding & WithAcceptingOrganization>> {
    const place = placeOf(scope, of);
    const ids = idsOf(place, filter, order, search);
    return this.read(place.owner, { ...ids, isShort: isUnfiltered(filter) }, ORDERS[order], page);
  }

  /** At most `most` ids. The caller has read the organization in scope. */
  listIds(scope: Scope, of: number, filter: FindingFilter, most: number, search?: FindingSearch) {
    const { list } = idsOf(placeOfOrganization(scope, of), filter, 'newest', search);
    return this.database.rows<{ id: number }>(sql`SELECT f.id ${list} LIMIT ${most}`);
  }

  /** The ids of at most `limit` assets of an owner. */
  async listOwned(scope: Scope, of: ListOwner, owner: OwnerFilter, limit: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(
      sql`SELECT owned.id FROM owned_assets((${placeOf(scope, of).owner}), ${owner}) AS owned (id) LIMIT ${limit}`,
    );
    return rows.map(({ id }) => id);
  }

  /** The first findings of each of these lists and their totals, in one statement. */
  async preview(
    scope: Scope,
    organizationId: number,
    lists: readonly PreviewedList[],
    { shown, counted }: PreviewLimits,
  ): Promise<{ readonly items: PreviewedFinding[]; readonly total: number }[]> {
    const place = placeOfOrganization(scope, organizationId);
    const parts = lists.map(({ filter, order }, index) => {
      const { list, order: ordered } = idsOf(place, filter, order);
      return sql`(
        SELECT ${index}::int AS index, counted.total, top.place, f.id, f.title, f.severity, f.status,
          f.asset_value AS "assetValue", f.beacon_id AS "beaconId", f.assignee_id AS "assigneeId",
          f.due_date::text AS "dueDate", f.accepted_until AS "acceptedUntil",
          f.verification, f.verification_reason AS "verificationReason"
        FROM (SELECT count(*)::int AS total FROM (SELECT 1 ${list} LIMIT ${counted + 1}) list) counted
        CROSS JOIN unnest(ARRAY(SELECT f.id ${list}${ordered.page({ page: 1, perPage: shown - 1 })})) WITH ORDINALITY AS top (id, place)
        JOIN findings f ON f.id = top.id AND f.organization_id = (${place.owner}))`;
    });
    const rows = await this.database.rows<PreviewedFinding & { index: number; total: number }>(
      sql`${join(parts, ' UNION ALL ')} ORDER BY index, place`,
    );
    return lists.map((_list, at) => {
      const items = rows.filter(({ index }) => index === at);
      return { items, total: items[0]?.total ?? 0 };
    });
  }

  /** The number of findings with each of these statuses, each counted up to `limit`. */
  countByStatus(
    scope: Scope,
    organizationId: number,
    statuses: readonly FindingStatus[],
    limit: number,
  ): Promise<{ status: FindingStatus; count: number }[]> {
    const { owner } = placeOfOrganization(scope, organizationId);
    return this.database.rows(sql`
      SELECT wanted.status, counted.count FROM unnest(${statuses}::int[]) AS wanted (status)
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS count FROM (
          SELECT 1 FROM findings f
          WHERE f.organization_id = ${organizationId} AND f.status = wanted.status AND f.merged_into IS NULL
            AND EXISTS (${owner})
          LIMIT ${limit}) found
      ) counted`);
  }

  /** The number of findings of a list with each of these beliefs, each counted up to `limit`. The filter has no search text. */
  countByBelief(scope: Scope, organizationId: number, filter: FindingFilter, limit: number) {
    const place = placeOfOrganization(scope, organizationId);
    const parts = BELIEFS.map((belief) => {
      const { list } = idsOf(place, { ...filter, belief }, 'newest');
      return sql`SELECT ${belief}::text AS belief, count(*)::int AS count
        FROM (SELECT 1 ${list} AND EXISTS (${place.owner}) LIMIT ${limit}) found`;
    });
    return this.database.rows<{ belief: Belief; count: number }>(join(parts, ' UNION ALL '));
  }

  /** The caller has read the asset in scope. */
  async listForVisibleAsset(
    organizationId: number,
    assetId: number,
    limit: number,
  ): Promise<(ListedFinding & WithAcceptingOrganization)[]> {
    const owner = sql`SELECT ${organizationId}::int`;
    const list = sql`FROM findings f WHERE f.asset_id = ${assetId} AND f.merged_into IS NULL`;
    const ids = { id: sql`f.id`, list, order: ORDERS.newest };
    const { items } = await this.read(owner, ids, ORDERS.newest, { page: 1, perPage: limit });
    return items;
  }

  /** Only findings of built-in checks: the stored definition of a YAML check has `http`. */
  listOfBuiltInChecks(visibleIds: readonly number[]): Promise<FindingOfBuiltInCheck[]> {
    return this.database.rows<FindingOfBuiltInCheck>(sql`
      SELECT f.id, f.check_id AS "checkId", f.check_definition ->> 'location' AS location, f.beacon_id AS "beaconId",
        f.asset_id AS "assetId", ${countedSeverityOf('f')} AS severity FROM findings f
      WHERE f.id = ANY(${visibleIds}::int[]) AND f.check_id IS NOT NULL AND f.check_definition ->> 'location' IS NOT NULL
        AND NOT f.check_definition ? 'http' ORDER BY f.id`);
  }

  /**
   * Finds the ids of the page in an index alone, then fetches only these rows. An array instead of a join lets PostgreSQL use one
   * generic plan for every page. The list of ids is not limited to the scope: the condition on each row is.
   */
  private read(
    owner: Sql,
    ids: IdsOfPage & Pick<ListStatements, 'isShort'>,
    order: ListOrder<ListedFinding>,
    page: Page,
  ): Promise<Slice<ListedFinding & WithAcceptingOrganization>> {
    const { id, list, isShort } = ids;
    const dueOrder = order === ORDERS.due_date ? sql`, f.due_order AS "dueOrder"` : emptySql;
    const rows = sql`
      SELECT ${this.columns}${dueOrder}, ${acceptingOrganization(sql`(${owner})`)} FROM findings f
      WHERE f.id = ANY(ARRAY(SELECT ${id} ${list}${ids.order.page(page)})) AND f.organization_id = (${owner})
      ${order.by(page)}`;
    return readSlice<ListedFinding & WithAcceptingOrganization>(this.database, page, order, { rows, list, isShort });
  }
}

export const placeOf = (scope: Scope, of: ListOwner): Place =>
  typeof of === 'number' ? placeOfOrganization(scope, of) : placeOfEvent(scope, of);

/** The ids of a list in its order. Without `search`, all findings that the other filters allow. */
export function idsOf(
  place: Place,
  { searchText: _searched, ...filter }: FindingFilter,
  order: FindingOrder,
  search?: FindingSearch,
): IdsOfPage {
  const ofEvent = search === undefined ? idsOfEvent(place, filter, order) : null;
  return ofEvent ?? idsOfOrganization(place, filter, order, search);
}

const placeOfOrganization = (scope: Scope, id: number): Place => ({
  owner: sql`SELECT o.id FROM organizations o WHERE o.id = ${id} AND ${visibleOrganization(scope, 'o')}`,
  organization: sql`${id}`,
  event: null,
});

function placeOfEvent(scope: Scope, slug: string): Place {
  const visible = sql`FROM events e WHERE e.slug = ${slug} AND ${visibleTo(scope, 'e.organization_id')}`;
  const owner = sql`SELECT e.organization_id ${visible}`;
  return { owner, organization: sql`(${owner})`, event: sql`SELECT e.id ${visible}` };
}

/** Null if the index of the event does not have what the filter compares. */
function idsOfEvent({ event }: Place, filter: FindingFilter, order: FindingOrder): IdsOfPage | null {
  const { minSeverity, ...others } = filter;
  if (event === null || order === 'due_date' || !isUnfiltered(others)) return null;
  const isSevere = minSeverity === undefined ? emptySql : sql` AND l.severity >= ${minSeverity}`;
  const list = sql`FROM event_findings l WHERE l.event_id = (${event})${isSevere}`;
  return { id: sql`l.finding_id`, list, order: ORDERS_OF_EVENT[order] };
}

/**
 * Filters by status, asset and text read the findings of the organization through its indexes, and check for each match whether
 * it was seen in the event.
 */
function idsOfOrganization(
  { organization, event }: Place,
  filter: FindingFilter,
  order: FindingOrder,
  search: FindingSearch | undefined,
): IdsOfPage {
  const { assetId, status: _status, minSeverity: _severity, ...selective } = filter;
  const isSelective = search !== undefined || assetId !== undefined || !isUnfiltered(selective);
  // In any order but by id, the matches of the organization's index by status would have to be fetched to sort them.
  const isSortedInEvent = event !== null && !isSelective && order !== 'newest' && order !== 'due_date';
  const isOfFew =
    filter.minEpss !== undefined || filter.titleKey !== undefined || (search !== undefined && search.ids !== null);
  // Otherwise the planner scans the index of the organization until it has found enough findings of the asset.
  const isByAsset = assetId !== undefined && (event !== null || order === 'newest');
  const matching = allOf([
    inOrganization(organization, isByAsset),
    ...conditionsOf(filter, organization, isSortedInEvent, search),
    event === null ? undefined : wasSeenIn(event, filter),
  ]);
  return {
    id: sql`f.id`,
    list: sql`FROM findings f WHERE ${matching}`,
    order: ordersFor({ isSortedInEvent, isOfFew })[order],
  };
}

/** A scalar subquery instead of EXISTS, which the planner may turn into a join that reads all findings of the event. */
const wasSeenIn = (event: Sql, { mergedInto }: FindingFilter): Sql => sql`(
  SELECT true FROM event_findings l
  WHERE l.event_id = (${event}) AND l.finding_id = ${mergedInto === undefined ? sql`f.id` : sql`f.merged_into`} AND l.organization_id = f.organization_id)`;

/** `organization` is a value or a subquery. `+ 0` makes the planner use the index of the asset instead of the organization's. */
const inOrganization = (organization: Sql, isByAsset: boolean): Sql =>
  isByAsset ? sql`f.organization_id + 0 = ${organization}` : sql`f.organization_id = ${organization}`;
