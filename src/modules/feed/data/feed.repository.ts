import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { type Sql, allOf, sql } from '../../../platform/database/sql';
import { ownedIn } from '../../../platform/database/visible';
import { NAMED_TYPE } from '../domain/entry-types';
import type { FeedFilter } from '../domain/feed-rule';
import type { FeedEntry } from './feed-entry.entity';

export type Entry = Pick<FeedEntry, 'type' | 'version' | 'recordId' | 'at' | 'data'> & { readonly position: number };

export interface Piece {
  /** The positions that are kept: none, if the oldest is above the newest. */
  readonly oldest: number;
  readonly newest: number;
  readonly entries: readonly Entry[];
}

export interface FeedState {
  readonly id: number;
  readonly newest: number;
  /** Whether it has changes that have no position. */
  readonly isWaiting: boolean;
}

type Row = { readonly oldest: string; readonly newest: string } & (
  (Omit<Entry, 'position'> & { readonly position: string }) | { readonly position: null }
);

export interface Range {
  /** Undefined: from the oldest one. */
  readonly after?: number;
  /** The most positions that are looked at, which bounds the cost of a filter that few entries match. */
  readonly most: number;
  readonly limit: number;
}

@Injectable()
export class FeedRepository {
  constructor(private readonly database: Database) {}

  /** Gives positions to the committed changes of an organization, also to those that another call is about to append. */
  async append(organizationId: number): Promise<void> {
    // A replica may lack entries that the same reader has seen.
    this.database.readFromPrimary();
    await this.database.rows(sql`SELECT feed_append(${organizationId})`);
  }

  /** Does not wait for another call, nor for a removal. */
  async appendWithoutWaiting(organizationId: number): Promise<void> {
    await this.database.rows(sql`SELECT feed_append(${organizationId}, false)`);
  }

  /** After an entry, its reader reads records that are at least as new. */
  noteRead(): Promise<void> {
    return this.database.notePosition();
  }

  async statesOf(organizationIds: readonly number[]): Promise<FeedState[]> {
    const rows = await this.database.rows<{ id: number; newest: string; isWaiting: boolean }>(sql`
      SELECT o.id, coalesce(p.newest, 0) AS newest,
        EXISTS (SELECT 1 FROM feed_outbox b WHERE b.organization_id = o.id) AS "isWaiting"
      FROM unnest(${organizationIds}::int[]) o (id) LEFT JOIN feed_positions p ON p.organization_id = o.id`);
    return rows.map(({ newest, ...state }) => ({ ...state, newest: Number(newest) }));
  }

  /** In one statement, so that the kept positions are those of the entries. The caller has checked that the organization is visible. */
  async listForVisible(organizationId: number, filter: FeedFilter, { after, most, limit }: Range): Promise<Piece> {
    const rows = await this.database.rows<Row>(sql`
      SELECT p.oldest, p.newest, e.* FROM feed_positions p LEFT JOIN LATERAL (
        SELECT f.position, f.type, f.version, f.record_id AS "recordId", f.at, f.data FROM feed_entries f
        WHERE f.organization_id = ${organizationId} AND f.position > coalesce(${after}::bigint, p.oldest - 1)
          AND f.position <= coalesce(${after}::bigint, p.oldest - 1) + ${most} AND ${conditions(organizationId, filter)}
        ORDER BY f.position LIMIT ${limit}) e ON true
      WHERE p.organization_id = ${organizationId} ORDER BY e.position`);
    return pieceOf(rows);
  }

  async listAtForVisible(organizationId: number, positions: readonly number[]): Promise<Entry[]> {
    if (positions.length === 0) return [];
    const rows = await this.database.rows<Omit<Entry, 'position'> & { readonly position: string }>(sql`
      SELECT f.position, f.type, f.version, f.record_id AS "recordId", f.at, f.data FROM feed_entries f
      WHERE f.position = ANY(${positions}::bigint[]) AND f.organization_id = ${organizationId}`);
    return rows.map((row) => ({ ...row, position: Number(row.position) }));
  }

  /**
   * The newest that match before a position, which limits `newest`, among at most so many positions; the newest first. The caller has
   * checked that the organization is visible.
   */
  async listNewestForVisible(
    organizationId: number,
    filter: FeedFilter,
    { before, most, limit }: { readonly before?: number | undefined; readonly most: number; readonly limit: number },
  ): Promise<Piece> {
    const rows = await this.database.rows<Row>(sql`
      SELECT p.oldest, p.newest, e.* FROM (
        SELECT oldest, least(newest, ${before ?? null}::bigint - 1) AS newest FROM feed_positions
        WHERE organization_id = ${organizationId}) p
      LEFT JOIN LATERAL (
        SELECT f.position, f.type, f.version, f.record_id AS "recordId", f.at, f.data FROM feed_entries f
        WHERE f.organization_id = ${organizationId} AND f.position >= p.oldest AND f.position > p.newest - ${most}
          AND f.position <= p.newest AND ${conditions(organizationId, filter)}
        ORDER BY f.position DESC LIMIT ${limit}) e ON true
      ORDER BY e.position DESC`);
    return pieceOf(rows);
  }

  /** The organizations with changes that have no position. */
  waiting(scope: Scope): Promise<{ readonly organizationId: number }[]> {
    return this.database.rows(sql`
      SELECT o.id AS "organizationId" FROM organizations o
      WHERE EXISTS (SELECT 1 FROM feed_outbox b WHERE b.organization_id = o.id) AND ${ownedIn(scope, 'o.id')}
      ORDER BY o.id`);
  }

  /** Frees the space of what was appended, unless somebody uses the table. Returns whether it did. */
  async cleanOutbox(): Promise<boolean> {
    const row = await this.database.row<{ isClean: boolean }>(sql`SELECT feed_clean_outbox() AS "isClean"`);
    return row?.isClean ?? false;
  }

  /** Adds the partitions of the next weeks, and drops those that ended more than 30 days ago. */
  async keepPartitions(): Promise<void> {
    await this.database.rows(sql`SELECT feed_keep_partitions()`);
  }
}

function pieceOf(rows: readonly Row[]): Piece {
  const { oldest = '1', newest = '0' } = rows[0] ?? {};
  const entries = rows.flatMap((row) => (row.position === null ? [] : [{ ...row, position: Number(row.position) }]));
  return { oldest: Number(oldest), newest: Number(newest), entries };
}

function conditions(
  organizationId: number,
  { types, severities, statuses, eventIds, labels, confirmed, owner, withoutProgress }: FeedFilter,
): Sql {
  return allOf([
    types === undefined ? sql`f.type <> ${NAMED_TYPE}` : sql`f.type = ANY(${types}::text[])`,
    severities &&
      sql`(f.data ->> 'severity' = ANY(${severities}::text[]) OR f.data #>> '{changed,severity,from}' = ANY(${severities}::text[]))`,
    statuses && sql`f.data ->> 'status' = ANY(${statuses}::text[])`,
    eventIds &&
      sql`EXISTS (SELECT 1 FROM unnest(${eventIds}::int[]) AS e (id) WHERE f.data -> 'event_ids' @> to_jsonb(e.id))`,
    labels && sql`f.data -> 'labels' ?| ${labels}::text[]`,
    confirmed === true ? sql`f.data ->> 'verification' = 'confirmed'` : undefined,
    withoutProgress === true
      ? sql`f.type <> 'finding.linked' AND NOT (f.type = ANY('{retest.changed,job.changed,import.changed,discovery.changed,report.changed}')
          AND lower(f.data ->> 'status') = ANY('{pending,in_progress,uploading,undoing}'))`
      : undefined,
    owner === undefined
      ? undefined
      : sql`(f.data ->> 'asset_id')::int IN (SELECT owned_assets(${organizationId}, ${owner}))`,
  ]);
}
