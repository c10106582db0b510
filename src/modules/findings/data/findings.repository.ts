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
  DATABASE_ONLY_COLUMNS,
  INTERNAL_COLUMNS,
} from './finding.entity';

export type FindingOrder = 'newest' | 'severity' | 'priority';

export interface FindingFilter {
  readonly status?: FindingStatus;
  readonly minSeverity?: number;
  readonly assetId?: number;
  /** A substring of the title or the asset value, case-insensitive. */
  readonly searchText?: string;
}

/** Columns that are NULL or have their default in a new finding. */
type UnsetColumn =
  'id' | 'searched' | 'status' | 'previousStatus' | 'acceptedUntil' | 'timesSeen' | 'lastSeen' | 'created';

type NumberColumn = 'severity' | 'requestedScore' | 'score';

export type NewFinding = Omit<FindingRow, UnsetColumn | NumberColumn | keyof StatedFields> &
  Record<NumberColumn, number | null> &
  StatedFields;

/** Findings that agree in these columns are the same finding (uq_findings_identity). */
export type FindingIdentity = Pick<FindingRow, 'organizationId' | 'fingerprint' | 'assetValue'>;

/** The lock that an UPDATE takes. It still allows writing rows that refer to the finding. */
const forNoKeyUpdate = raw('FOR NO KEY UPDATE OF f');

const newestFirst = raw('f.id DESC');

/** Each order has an index that begins with the organization. */
const ORDERS: Readonly<Record<FindingOrder, Sql>> = {
  newest: newestFirst,
  severity: raw('f.severity DESC, f.id DESC'),
  priority: raw('f.priority, f.id DESC'),
};

/**
 * The same orders for a search, which must use the covering search index. `+ 0` keeps the planner from the other indexes,
 * where it would fetch each finding to compare the text.
 */
const ORDERS_OF_SEARCH: Readonly<Record<FindingOrder, Sql>> = {
  newest: newestFirst,
  severity: raw('f.severity + 0 DESC, f.id DESC'),
  priority: raw('f.priority + 0, f.id DESC'),
};

@Injectable()
export class FindingsRepository {
  private readonly columns = this.database.columns(FindingRow, 'f', INTERNAL_COLUMNS);
  private readonly lockedColumns = this.database.columns(FindingRow, 'f', DATABASE_ONLY_COLUMNS);

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

  /** Returns undefined if the finding was not seen in this event. */
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
      SELECT ${this.lockedColumns} FROM findings f WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')} ${forNoKeyUpdate}`);
  }

  /** Needs no scope, because the identity contains the organization. */
  lockByIdentity({ organizationId, fingerprint, assetValue }: FindingIdentity): Promise<LockedFinding | undefined> {
    return this.database.row<LockedFinding>(sql`
      SELECT ${this.lockedColumns} FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.fingerprint = ${fingerprint} AND f.asset_value = ${assetValue} ${forNoKeyUpdate}`);
  }

  listForOrganization(
    scope: Scope,
    organizationId: number,
    filter: FindingFilter,
    order: FindingOrder,
    page: Page,
  ): Promise<Slice<Finding>> {
    const isSearch = filter.searchText !== undefined;
    // `+ 0` makes the planner use the index of the asset. It would otherwise scan the index of the organization until it
    // has found enough findings of the asset.
    const isOneAsset = filter.assetId !== undefined && order === 'newest';
    const ofOrganization = isOneAsset
      ? sql`f.organization_id + 0 = ${organizationId}`
      : sql`f.organization_id = ${organizationId}`;
    const condition = allOf([ofOrganization, ...(isSearch ? conditionsOfSearch(filter) : conditions(filter))]);
    const owner = sql`SELECT o.id FROM organizations o WHERE o.id = ${organizationId} AND ${visibleOrganization(scope, 'o')}`;
    return this.list(owner, condition, (isSearch ? ORDERS_OF_SEARCH : ORDERS)[order], page);
  }

  /** Looks up the event in the same statement, so that a page is one round trip. */
  listForEvent(scope: Scope, slug: string, page: Page): Promise<Slice<Finding>> {
    const owner = sql`SELECT e.organization_id FROM events e WHERE e.slug = ${slug} AND ${visibleTo(scope, 'e.organization_id')}`;
    const ids = sql`
      SELECT l.finding_id FROM event_findings l
      WHERE l.event_id = (SELECT id FROM events WHERE slug = ${slug})${limitToPage(page, 'l.finding_id')} ORDER BY l.finding_id DESC`;
    return this.page(owner, ids, newestFirst, page);
  }

  async listForAsset(scope: Scope, assetId: number, limit: number): Promise<Finding[]> {
    const owner = sql`SELECT a.organization_id FROM assets a WHERE a.id = ${assetId} AND ${visibleTo(scope, 'a.organization_id')}`;
    const { items } = await this.list(owner, sql`f.asset_id = ${assetId}`, newestFirst, { page: 1, perPage: limit });
    return items;
  }

  /** The ids of findings whose acceptance has expired, longest overdue first. */
  async listExpiredAcceptances(scope: Scope, now: Date, limit: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT f.id FROM findings f WHERE f.accepted_until <= ${now} AND ${visibleTo(scope, 'f.organization_id')}
      ORDER BY f.accepted_until LIMIT ${limit}`);
    return rows.map(({ id }) => id);
  }

  /** Returns undefined if the identity exists. Waits for a concurrent insert of the same identity. */
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

  /** Detaches at most `limit` findings from an asset, and returns how many it detached. */
  detachSome(assetId: number, limit: number): Promise<number> {
    return this.database.change(sql`
      UPDATE findings SET asset_id = NULL
      WHERE id = ANY(ARRAY(SELECT id FROM findings WHERE asset_id = ${assetId} ORDER BY id LIMIT ${limit}))`);
  }

  private list(owner: Sql, condition: Sql, order: Sql, page: Page): Promise<Slice<Finding>> {
    const ids = sql`SELECT f.id FROM findings f WHERE ${condition}${limitToPage(page, 'f.id')} ORDER BY ${order}`;
    return this.page(owner, ids, order, page);
  }

  /**
   * Finds the ids of the page in an index alone, then fetches only these rows. An array and not a join lets PostgreSQL use
   * one generic plan for every page. `owner` selects the organization of all rows if the scope may see it, once a statement.
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
