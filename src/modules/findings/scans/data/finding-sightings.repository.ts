import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../../kernel/page';
import { Database } from '../../../../platform/database/database';
import { ListOrder, readSlice } from '../../../../platform/database/list-order';
import { emptySql, raw, type Sql, sql } from '../../../../platform/database/sql';
import type { SightingKey } from '../../domain/scan-result';
import { copiedToEvents } from '../../changes/data/belief-columns';
import { FindingSighting, type Sighting } from '../../data/finding-sighting.entity';
import { idsWithParts } from './merged-findings.repository';

export type NewSighting = Omit<FindingSighting, 'id' | 'created' | 'boundHistoryId' | 'seenAt'> & {
  /** Null for now. */
  readonly seenAt: Date | null;
};

/** A sighting whose import is undone. */
export type UndoneSighting = Pick<FindingSighting, 'id' | 'findingId' | 'outcome' | 'historyId' | 'before' | 'seenAt'>;

const seenAt = raw('coalesce(r."seenAt", now())');

const newestFirst = new ListOrder<Sighting>(['s.id'], ({ id }) => [Number(id)]);

/** A number that no other code uses: it separates these advisory locks from others on the same organization. */
const LOCK_SEED = 7_618_001;

/** Sightings that are kept per finding and rule of a scanner. */
const KEPT_OF_RULE = 50;

/** Whether a person chose the assignee. The service assigns new findings to the owner of their asset. */
const assignedByPerson = raw(
  `(f.assigned_by IS NOT NULL OR (f.assignee_id IS NOT NULL AND f.assignee_id IS DISTINCT FROM user_owning_asset(f.organization_id, f.asset_id)))`,
);

/** `until` is null for now. */
export interface SeenBy {
  readonly organizationId: number;
  readonly scanners: readonly string[];
  readonly until: Date | null;
}

export interface SeenInFiles {
  readonly findingId: number;
  readonly scanner: string;
  readonly place: string;
}

@Injectable()
export class FindingSightingsRepository {
  private readonly columns = sql`
    ${this.database.columns(FindingSighting, 's', ['organizationId', 'source', 'outcome', 'historyId', 'boundHistoryId', 'before', 'replay', 'template'])},
    s.replay IS NOT NULL AS "hasReplay", s.template IS NOT NULL AS "hasTemplate"`;

  constructor(private readonly database: Database) {}

  /** Until the transaction ends, no other import of the organization records or removes findings. */
  async lockScansOf(organizationId: number): Promise<void> {
    await this.database.rows(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${String(organizationId)}, ${LOCK_SEED}))`,
    );
  }

  /** The sightings of a finding and of those merged into it. With a single id, the index has the order of the list. */
  listForVisible([findingId, ...parts]: readonly number[], page: Page): Promise<Slice<Sighting>> {
    const isSeen =
      parts.length === 0 ? sql`s.finding_id = ${findingId}` : sql`s.finding_id = ANY(${[findingId, ...parts]}::int[])`;
    const list = sql`FROM finding_sightings s WHERE ${isSeen}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /** Those of the given sightings that exist in this event. */
  listKnown(
    findingIds: readonly number[],
    eventId: number | null,
    wanted: readonly SightingKey[],
  ): Promise<(SightingKey & { readonly findingId: number })[]> {
    return this.database.rows(sql`
      SELECT s.finding_id AS "findingId", s.source, s.seen_at AS "seenAt" FROM finding_sightings s
      WHERE s.finding_id = ANY(${findingIds}::int[]) AND s.event_id IS NOT DISTINCT FROM ${eventId}::int
        AND s.seen_at = ANY(${wanted.map(({ seenAt }) => seenAt)}::timestamptz[])`);
  }

  async addMany(sightings: readonly NewSighting[]): Promise<void> {
    if (sightings.length === 0) return;
    await this.database.change(sql`
      INSERT INTO finding_sightings ${this.database.insertedRows(FindingSighting, sightings, { seenAt })}
      ON CONFLICT ON CONSTRAINT uq_finding_sightings DO NOTHING`);
    await this.removeOld(sightings);
  }

  /**
   * Keeps the newest sightings of each finding and rule, and those that created or reopened the finding, which undoing an import
   * needs. Reads only the unique index.
   */
  private async removeOld(
    added: readonly Pick<NewSighting, 'findingId' | 'organizationId' | 'source'>[],
  ): Promise<void> {
    await this.database.change(sql`
      DELETE FROM finding_sightings s USING (
        SELECT DISTINCT a.finding_id, a.organization_id, a.source, kept.seen_at FROM unnest(
          ${added.map(({ findingId }) => findingId)}::int[], ${added.map(({ organizationId }) => organizationId)}::int[],
          ${added.map(({ source }) => source)}::bytea[]) a (finding_id, organization_id, source)
        CROSS JOIN LATERAL (
          SELECT n.seen_at FROM finding_sightings n
          WHERE n.finding_id = a.finding_id AND n.organization_id = a.organization_id AND n.source = a.source
          ORDER BY n.seen_at DESC OFFSET ${KEPT_OF_RULE} LIMIT 1) kept) old
      WHERE s.finding_id = old.finding_id AND s.organization_id = old.organization_id AND s.source = old.source
        AND s.seen_at <= old.seen_at AND s.outcome = 'seen_again'`);
  }

  /** The next findings that these scanners saw in files up to this time, each with its place, which is part of the identity. */
  listSeenBy({ organizationId, scanners, until }: SeenBy, after: number, limit: number): Promise<SeenInFiles[]> {
    return this.database.rows(sql`
      SELECT seen.* FROM unnest(${scanners}::text[]) AS wanted (scanner) CROSS JOIN LATERAL (
        SELECT s.finding_id AS "findingId", s.scanner, coalesce(min(s.place), '') AS place FROM finding_sightings s
        WHERE s.organization_id = ${organizationId} AND s.scanner = wanted.scanner AND s.finding_id > ${after}
          AND s.created <= coalesce(${until}, now())
        GROUP BY s.finding_id, s.scanner ORDER BY s.finding_id LIMIT ${limit}) seen
      ORDER BY "findingId", scanner LIMIT ${limit}`);
  }

  /**
   * The findings that an import created or reopened and that have changed since: they have newer history entries, or someone set
   * an assignee, a label or a due date. Entries of other imports and notes of the service do not count. Findings in `tested`
   * always count.
   */
  listTouchedSince(
    importId: number,
    tested: readonly number[],
    findingIds: readonly number[] | null,
    limit: number,
  ): Promise<{ id: number }[]> {
    const among = findingIds === null ? emptySql : sql` AND s.finding_id = ANY(${findingIds}::int[])`;
    return this.database.rows(sql`
      SELECT DISTINCT f.id FROM finding_sightings s
      JOIN findings f ON f.id = s.finding_id AND f.organization_id = s.organization_id
      WHERE s.import_id = ${importId} AND s.history_id IS NOT NULL${among} AND (
        f.id = ANY(${tested}::int[]) OR ${assignedByPerson} OR f.labels <> '{}' OR f.due_by_hand
        OR EXISTS (SELECT 1 FROM finding_history h
          WHERE h.finding_id = s.finding_id AND h.id > s.history_id
            AND NOT (h.actor_type = 'system' AND h.status = h.previous_status) AND NOT EXISTS (
            SELECT 1 FROM finding_sightings other WHERE other.finding_id = h.finding_id AND h.id IN (other.history_id, other.bound_history_id))))
      ORDER BY f.id LIMIT ${limit}`);
  }

  /** All sightings of the next findings of an import after an id. */
  listOfImport(importId: number, after: number, limit: number): Promise<UndoneSighting[]> {
    return this.database.rows(sql`
      SELECT s.id, s.finding_id AS "findingId", s.outcome, s.history_id AS "historyId", s.before, s.seen_at AS "seenAt" FROM finding_sightings s
      WHERE s.import_id = ${importId} AND s.finding_id IN (
        SELECT DISTINCT next.finding_id FROM finding_sightings next
        WHERE next.import_id = ${importId} AND next.finding_id > ${after} ORDER BY next.finding_id LIMIT ${limit})
      ORDER BY s.finding_id, s.id`);
  }

  countFindingsOfImport(importId: number): Promise<number> {
    return this.database.count(sql`
      SELECT count(DISTINCT s.finding_id)::int AS count FROM finding_sightings s WHERE s.import_id = ${importId}`);
  }

  /** Moves sightings of an undone import to another import with the same results. */
  async moveTo(ids: readonly string[], importId: number): Promise<void> {
    await this.database.change(
      sql`UPDATE finding_sightings SET import_id = ${importId} WHERE id = ANY(${ids}::bigint[])`,
    );
  }

  /**
   * The next import that saw a finding now counts as the one that created or reopened it, so that undoing the last import removes
   * the finding or resolves it. Sightings of jobs and people cannot be undone, so they keep the finding.
   */
  async inherit({ id, findingId, outcome, historyId, before }: UndoneSighting): Promise<void> {
    await this.database.change(sql`
      UPDATE finding_sightings SET outcome = ${outcome}, history_id = ${historyId},
        before = ${before === null ? null : JSON.stringify(before)}
      WHERE id = (
        SELECT s.id FROM finding_sightings s
        WHERE s.finding_id = ${findingId} AND s.import_id IS NOT NULL AND s.id > ${id} ORDER BY s.id LIMIT 1)`);
  }

  /**
   * Another sighting of the finding takes over the history entry of an approval, which would otherwise count as a change by
   * people.
   */
  async remove(ids: readonly string[]): Promise<void> {
    await this.database.change(sql`
      UPDATE finding_sightings s SET bound_history_id = bound.id
      FROM (
        SELECT finding_id, max(bound_history_id) AS id FROM finding_sightings
        WHERE id = ANY(${ids}::bigint[]) AND bound_history_id IS NOT NULL GROUP BY finding_id) bound
      WHERE s.id = (
        SELECT other.id FROM finding_sightings other
        WHERE other.finding_id = bound.finding_id AND other.bound_history_id IS NULL AND other.id <> ALL(${ids}::bigint[])
        ORDER BY other.id LIMIT 1)`);
    await this.database.change(sql`DELETE FROM finding_sightings WHERE id = ANY(${ids}::bigint[])`);
  }

  /** The last sighting of each of these findings that someone else has seen, including sightings of findings merged into it. */
  async listLast(findingIds: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.database.rows<{ findingId: number; last: string }>(sql`
      SELECT wanted.id AS "findingId", seen.last FROM unnest(${findingIds}::int[]) AS wanted (id)
      CROSS JOIN LATERAL (
        SELECT max(s.id) AS last FROM finding_sightings s WHERE s.finding_id = ANY(${idsWithParts(sql`wanted.id`)})) seen
      WHERE seen.last IS NOT NULL`);
    return new Map(rows.map(({ findingId, last }) => [findingId, Number(last)]));
  }

  /**
   * Recomputes how often, when and in which events findings were seen from the sightings that are left. Sightings of merged
   * findings count for their main finding as well.
   */
  async recount(findingIds: readonly number[], eventId: number | null): Promise<void> {
    await this.database.change(sql`
      UPDATE findings f SET times_seen = greatest(1, counted.times), last_seen = coalesce(counted.last, f.created),
        is_supported = counted.supported
      FROM ${withMain(findingIds)} JOIN findings old ON old.id = wanted.id
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS times, max(s.seen_at) AS last, coalesce(bool_or(${isSupporting('s')}), false) AS supported FROM finding_sightings s
        WHERE s.finding_id = ANY(${idsWithParts(sql`old.id`)})) counted
      WHERE f.id = old.id AND f.organization_id = old.organization_id`);
    await this.database.change(copiedToEvents(findingIds));
    if (eventId === null) return;
    await this.database.change(sql`
      DELETE FROM event_findings l USING ${withMain(findingIds)}
      WHERE l.event_id = ${eventId} AND l.finding_id = wanted.id
        AND NOT EXISTS (
          SELECT 1 FROM finding_sightings s
          WHERE s.finding_id = ANY(${idsWithParts(sql`wanted.id`)}) AND s.event_id = ${eventId})`);
  }
}

/** The condition that a sighting supports its finding: it has a request and a response, or a person recorded it in an event. */
export const isSupporting = (row: string): Sql =>
  raw(
    `(${row}.replay IS NOT NULL OR (${row}.import_id IS NULL AND ${row}.job_uuid IS NULL AND ${row}.event_id IS NOT NULL))`,
  );

/** These findings, and the findings they are merged into. */
const withMain = (findingIds: readonly number[]): Sql =>
  sql`(SELECT DISTINCT unnest(ARRAY[own.id, own.merged_into]) AS id FROM findings own WHERE own.id = ANY(${findingIds}::int[])) wanted`;
