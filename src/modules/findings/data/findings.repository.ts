import { Injectable } from '@nestjs/common';
import { type Page, type Slice, offsetOf, sliceOf } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { type Sql, allOf, raw, sql } from '../../../platform/database/sql';
import { limitToPage } from '../../../platform/database/limit-to-page';
import { visibleOrganization, visibleTo } from '../../../platform/database/visible';
import type { FindingStatus } from '../domain/finding-status';
import {
  type Finding,
  FindingRow,
  type FindingWithCheck,
  type LockedFinding,
  type StatedFields,
  databaseOnlyColumns,
  internalColumns,
} from './finding.entity';

export type FindingOrder = 'newest' | 'severity' | 'priority';

export interface FindingFilter {
  readonly status?: FindingStatus;
  readonly minSeverity?: number;
  readonly assetId?: number;
  /** A part of the title or of the asset's value, in any case. */
  readonly searchText?: string;
}

/** Columns that are NULL or have their default in a new finding. */
type UnsetColumn =
  'id' | 'searched' | 'status' | 'previousStatus' | 'acceptedUntil' | 'timesSeen' | 'lastSeen' | 'created';

type NumberColumn = 'severity' | 'requestedScore' | 'score';

export type NewFinding = Omit<FindingRow, UnsetColumn | NumberColumn | keyof StatedFields> &
  Record<NumberColumn, number | null> &
  StatedFields;

/** Two records that agree in these are one finding, seen again: uq_findings_identity. */
export type FindingIdentity = Pick<FindingRow, 'organizationId' | 'fingerprint' | 'assetValue'>;

/** As a change of it does: what merely refers to it may still be written meanwhile. */
const locked = raw('FOR NO KEY UPDATE OF f');

const newestFirst = raw('f.id DESC');

/** Each has an index of the organization that is in this order. */
const orders: Readonly<Record<FindingOrder, Sql>> = {
  newest: newestFirst,
  severity: raw('f.severity DESC, f.id DESC'),
  priority: raw('f.priority, f.id DESC'),
};

/**
 * The same for a search, which goes through the one index that has all that it looks at: `+ 0` keeps the planner from the
 * others, where it would have to fetch each finding to see whether it has the word.
 */
const ordersOfSearch: Readonly<Record<FindingOrder, Sql>> = {
  newest: newestFirst,
  severity: raw('f.severity + 0 DESC, f.id DESC'),
  priority: raw('f.priority + 0, f.id DESC'),
};

@Injectable()
export class FindingsRepository {
  private readonly columns = this.database.columns(FindingRow, 'f', internalColumns);
  private readonly lockedColumns = this.database.columns(FindingRow, 'f', databaseOnlyColumns);

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, id: number): Promise<Finding | undefined> {
    return this.database.row<Finding>(
      sql`SELECT ${this.columns} FROM findings f WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')}`,
    );
  }

  findWithCheck(scope: Scope, id: number): Promise<FindingWithCheck | undefined> {
    return this.database.row<FindingWithCheck>(sql`
      SELECT ${this.columns}, f.check_id AS "checkId", f.check_definition AS "checkDefinition" FROM findings f
      WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')}`);
  }

  /** Only if it was seen in this event. */
  findInEvent(scope: Scope, eventId: number, id: number): Promise<Finding | undefined> {
    return this.database.row<Finding>(sql`
      SELECT ${this.columns} FROM findings f JOIN event_findings l ON l.finding_id = f.id AND l.organization_id = f.organization_id AND l.event_id = ${eventId}
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
      SELECT ${this.lockedColumns} FROM findings f WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')} ${locked}`);
  }

  /** The organization is part of the identity, and so of who may know it. */
  lockByIdentity({ organizationId, fingerprint, assetValue }: FindingIdentity): Promise<LockedFinding | undefined> {
    return this.database.row<LockedFinding>(sql`
      SELECT ${this.lockedColumns} FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.fingerprint = ${fingerprint} AND f.asset_value = ${assetValue} ${locked}`);
  }

  listForOrganization(
    scope: Scope,
    organizationId: number,
    filter: FindingFilter,
    order: FindingOrder,
    page: Page,
  ): Promise<Slice<Finding>> {
    const isSearch = filter.searchText !== undefined;
    // An asset's newest findings stand in the asset's own index: `+ 0` keeps the planner out of the organization's, which it
    // would walk until it has met enough of them.
    const isOneAsset = filter.assetId !== undefined && order === 'newest';
    const own = isOneAsset
      ? sql`f.organization_id + 0 = ${organizationId}`
      : sql`f.organization_id = ${organizationId}`;
    const condition = allOf([own, ...(isSearch ? conditionsOfSearch(filter) : conditions(filter))]);
    const owner = sql`SELECT o.id FROM organizations o WHERE o.id = ${organizationId} AND ${visibleOrganization(scope, 'o')}`;
    return this.list(owner, condition, (isSearch ? ordersOfSearch : orders)[order], page);
  }

  /** Those that were seen in the event, which is looked up in the same statement: a page is one round trip. */
  listForEvent(scope: Scope, slug: string, page: Page): Promise<Slice<Finding>> {
    const owner = sql`SELECT e.organization_id FROM events e WHERE e.slug = ${slug} AND ${visibleTo(scope, 'e.organization_id')}`;
    const ids = sql`
      SELECT l.finding_id FROM event_findings l
      WHERE l.event_id = (SELECT id FROM events WHERE slug = ${slug})${limitToPage(page, 'l.finding_id')} ORDER BY l.finding_id DESC`;
    return this.page(owner, ids, newestFirst, page);
  }

  async listForAsset(scope: Scope, assetId: number, most: number): Promise<Finding[]> {
    const owner = sql`SELECT a.organization_id FROM assets a WHERE a.id = ${assetId} AND ${visibleTo(scope, 'a.organization_id')}`;
    const { items } = await this.list(owner, sql`f.asset_id = ${assetId}`, newestFirst, { page: 1, perPage: most });
    return items;
  }

  /** Whose acceptance has ended, those that wait the longest first. */
  async listExpiredAcceptances(scope: Scope, now: Date, most: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT f.id FROM findings f WHERE f.accepted_until <= ${now} AND ${visibleTo(scope, 'f.organization_id')}
      ORDER BY f.accepted_until LIMIT ${most}`);
    return rows.map(({ id }) => id);
  }

  /** Answers nothing if there is one of this identity; one that is just being written is waited for. */
  add(finding: NewFinding): Promise<Finding | undefined> {
    return this.database.row<Finding>(sql`
      INSERT INTO findings AS f ${this.database.insertedValues(FindingRow, finding)}
      ON CONFLICT ON CONSTRAINT uq_findings_identity DO NOTHING RETURNING ${this.columns}`);
  }

  async saveSeen({ id, assetId, priority }: Pick<LockedFinding, 'id' | 'assetId' | 'priority'>): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET times_seen = times_seen + 1, last_seen = now(), asset_id = ${assetId}, priority = ${priority}
      WHERE id = ${id}`);
  }

  async saveCheckDefinition(id: number, checkDefinition: unknown): Promise<void> {
    await this.database.change(
      sql`UPDATE findings SET check_definition = ${JSON.stringify(checkDefinition)} WHERE id = ${id}`,
    );
  }

  async saveStatus(finding: Pick<LockedFinding, 'id' | 'status' | 'previousStatus' | 'acceptedUntil'>): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET status = ${finding.status}, previous_status = ${finding.previousStatus},
        accepted_until = ${finding.acceptedUntil}
      WHERE id = ${finding.id}`);
  }

  /** Some findings of an asset let go of it; how many, so that the caller goes on until there are none. */
  detachSome(assetId: number, most: number): Promise<number> {
    return this.database.change(sql`
      UPDATE findings SET asset_id = NULL
      WHERE id = ANY(ARRAY(SELECT id FROM findings WHERE asset_id = ${assetId} ORDER BY id LIMIT ${most}))`);
  }

  private list(owner: Sql, condition: Sql, order: Sql, page: Page): Promise<Slice<Finding>> {
    const ids = sql`SELECT f.id FROM findings f WHERE ${condition}${limitToPage(page, 'f.id')} ORDER BY ${order}`;
    return this.page(owner, ids, order, page);
  }

  /**
   * The page is found in an index alone, and only its own rows are then fetched. As an array and not as a join: PostgreSQL
   * then finds one plan good for every page, and need not make it anew each time. `owner` answers the one organization that
   * they are all of, if the scope may see it: asked once, and every row is held against it.
   */
  private async page(owner: Sql, ids: Sql, order: Sql, page: Page): Promise<Slice<Finding>> {
    const rows = await this.database.rows<Finding>(sql`
      SELECT ${this.columns} FROM findings f
      WHERE f.id = ANY(ARRAY(${ids} LIMIT ${page.perPage + 1} OFFSET ${offsetOf(page)}))
        AND f.organization_id = (${owner})
      ORDER BY ${order}`);
    return sliceOf(rows, page);
  }
}

const conditions = ({ status, minSeverity, assetId }: FindingFilter): (Sql | undefined)[] => [
  status && sql`f.status = ${status}`,
  minSeverity === undefined ? undefined : sql`f.severity >= ${minSeverity}`,
  assetId === undefined ? undefined : sql`f.asset_id = ${assetId}`,
];

const conditionsOfSearch = ({ status, minSeverity, assetId, searchText }: FindingFilter): (Sql | undefined)[] => [
  sql`strpos(f.searched, lower(${searchText})) > 0`,
  status && sql`f.status + 0 = ${status}`,
  minSeverity === undefined ? undefined : sql`f.severity + 0 >= ${minSeverity}`,
  assetId === undefined ? undefined : sql`f.asset_id = ${assetId}`,
];
