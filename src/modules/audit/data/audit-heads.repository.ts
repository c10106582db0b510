import { Injectable } from '@nestjs/common';
import { minUuidV7 } from '../../../kernel/uuid-v7';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { allOf, sql } from '../../../platform/database/sql';
import { ownedIn } from '../../../platform/database/visible';
import { monthAfter, monthOf, startOfMonth } from '../domain/months';
import { entryHash, type HeadStatement, type SignedHead, type TreeState } from '../domain/signed-head';
import { type Frontier, grown } from '../domain/merkle-tree';
import { AuditHead } from './audit-head.entity';
import { AuditLeaves } from './audit-leaves.entity';
import { AuditLog } from './audit-log.entity';

/** An entry is committed after the time in its id, and clocks of hosts differ: so long before the last one, entries may be new. */
const LATE_MS = 86_400_000;

/** The entries of one statement, and of one row of leaves. */
const MOST_LEAVES = 1_000;

const HASH_BYTES = 32;

export interface Tree {
  readonly month: string;
  readonly size: number;
  readonly frontier: Frontier;
}

export type Leaves = Pick<AuditLeaves, 'start' | 'ids' | 'hashes'>;

const hashesIn = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, at) => bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES));

const firstIdOf = (time: number): string => minUuidV7(Math.max(0, time));

/** Organization 0 has the entries without one. */
@Injectable()
export class AuditHeadsRepository {
  private readonly entries = this.database.columns(AuditLog, 'l');

  constructor(private readonly database: Database) {}

  /** Those with entries that may be in no tree. */
  listGrowing(scope: Scope, now: Date): Promise<{ readonly id: number }[]> {
    return this.database.rows(sql`
      SELECT o.id FROM (SELECT id FROM organizations UNION ALL SELECT 0) o LEFT JOIN LATERAL (
        SELECT a.month, a.size, a.last_id FROM audit_leaves a WHERE a.organization_id = o.id
        ORDER BY a.month DESC, a.start DESC LIMIT 1) last ON true
      WHERE ${ownedIn(scope, 'o.id')} AND (
        (last.month IS NOT NULL AND o.id % 24 = ${now.getUTCHours()})
        OR EXISTS (SELECT 1 FROM audit_logs l WHERE l.organization_id = o.id AND l.id > coalesce(last.last_id, ${minUuidV7(0)}::uuid))
        OR EXISTS (SELECT 1 FROM audit_logs l WHERE l.organization_id = o.id AND l.id >= ${firstIdOf(+now - LATE_MS)}::uuid)
        OR (last.month IS NOT NULL AND NOT EXISTS (SELECT 1 FROM audit_heads h
          WHERE h.organization_id = o.id AND h.month = last.month AND h.size >= last.size)))
      ORDER BY o.id`);
  }

  /** The month of the first entry at or after a time, which has begun. */
  async findMonthSince(organizationId: number, since: Date, now: Date): Promise<string | undefined> {
    const row = await this.database.row<{ time: Date }>(sql`
      SELECT audit_logs_time_of(l.id) AS time FROM audit_logs l
      WHERE l.organization_id = ${organizationId} AND l.id >= ${firstIdOf(+since)}::uuid AND l.id < ${firstIdOf(+now + 1)}::uuid
      ORDER BY l.id LIMIT 1`);
    return row && monthOf(row.time);
  }

  async findLastMonth(organizationId: number): Promise<string | undefined> {
    const row = await this.database.row<{ month: string | null }>(sql`
      SELECT greatest((SELECT max(month) FROM audit_leaves a WHERE a.organization_id = ${organizationId}),
        (SELECT max(month) FROM audit_heads h WHERE h.organization_id = ${organizationId})) AS month`);
    return row?.month ?? undefined;
  }

  /**
   * Adds entries of a month that are in no leaf: those committed late, too. The whole month is compared if `isWhole`, else only what is
   * not much older than the last leaf. Returns false if there are none; another worker may add them first.
   */
  async append(organizationId: number, month: string, isWhole: boolean): Promise<boolean> {
    const tree = await this.findTree(organizationId, month);
    if (await this.isRemoved(organizationId, month, tree.size)) return false;
    const start = startOfMonth(month).getTime();
    const from = isWhole ? start : Math.max(start, tree.lastTime - LATE_MS);
    const fromId = firstIdOf(from);
    const end = firstIdOf(startOfMonth(monthAfter(month)).getTime());
    const entries = await this.database.rows<AuditLog>(sql`
      WITH known AS MATERIALIZED (
        SELECT unnest(a.ids) AS id FROM audit_leaves a
        WHERE a.organization_id = ${organizationId} AND a.month = ${month} AND a.last_id >= ${fromId}::uuid)
      SELECT ${this.entries} FROM audit_logs l
      WHERE l.organization_id = ${organizationId} AND l.id >= ${fromId}::uuid AND l.id < ${end}::uuid
        AND NOT EXISTS (SELECT 1 FROM known WHERE known.id = l.id)
      ORDER BY l.id LIMIT ${MOST_LEAVES}`);
    const last = entries.at(-1);
    if (last === undefined) return false;
    const hashes = entries.map(entryHash);
    await this.database.change(sql`
      INSERT INTO audit_leaves AS a (organization_id, month, start, size, ids, last_id, hashes, frontier)
      VALUES (${organizationId}, ${month}, ${tree.size}, ${tree.size + entries.length}, ${entries.map(({ id }) => id)}::uuid[],
        ${last.id}, ${Buffer.concat(hashes)}, ${Buffer.concat(grown(tree.frontier, tree.size, hashes))})
      ON CONFLICT DO NOTHING`);
    return true;
  }

  /** The operator has archived the month and removed its leaves: what is added to it now stays outside, and is shown as added. */
  private async isRemoved(organizationId: number, month: string, size: number): Promise<boolean> {
    const count = await this.database.count(sql`
      SELECT count(*)::int AS count FROM audit_heads h
      WHERE h.organization_id = ${organizationId} AND h.month = ${month} AND h.size > ${size}`);
    return count > 0;
  }

  private async findTree(organizationId: number, month: string): Promise<Tree & { readonly lastTime: number }> {
    const row = await this.database.row<{ size: number; frontier: Buffer; time: Date }>(sql`
      SELECT a.size, a.frontier, audit_logs_time_of(a.last_id) AS time FROM audit_leaves a
      WHERE a.organization_id = ${organizationId} AND a.month = ${month} ORDER BY a.start DESC LIMIT 1`);
    if (row === undefined) return { month, size: 0, frontier: [], lastTime: 0 };
    return { month, size: row.size, frontier: hashesIn(row.frontier), lastTime: row.time.getTime() };
  }

  /** The trees that have grown since their last head, the oldest month first. */
  async listUnsigned(organizationId: number): Promise<Tree[]> {
    const rows = await this.database.rows<{ month: string; size: number; frontier: Buffer }>(sql`
      SELECT tree.month, tree.size, tree.frontier
      FROM (SELECT min(month) AS first, max(month) AS last FROM audit_leaves a WHERE a.organization_id = ${organizationId}) months
      CROSS JOIN LATERAL generate_series(to_date(months.first, 'YYYY-MM'), to_date(months.last, 'YYYY-MM'), interval '1 month') AS at
      CROSS JOIN LATERAL (
        SELECT a.month, a.size, a.frontier FROM audit_leaves a
        WHERE a.organization_id = ${organizationId} AND a.month = to_char(at, 'YYYY-MM') ORDER BY a.start DESC LIMIT 1) tree
      WHERE NOT EXISTS (SELECT 1 FROM audit_heads h
        WHERE h.organization_id = ${organizationId} AND h.month = tree.month AND h.size >= tree.size)
      ORDER BY tree.month`);
    return rows.map(({ frontier, ...tree }) => ({ ...tree, frontier: hashesIn(frontier) }));
  }

  async findHeadBefore(organizationId: number, month: string): Promise<HeadStatement['previous']> {
    const row = await this.database.row<{ month: string; state: TreeState }>(sql`
      SELECT h.month, h.document -> 'head' AS state FROM audit_heads h
      WHERE h.organization_id = ${organizationId} AND h.month < ${month} ORDER BY h.month DESC, h.size DESC LIMIT 1`);
    return row === undefined ? null : { month: row.month, size: row.state.size, root: row.state.root };
  }

  /** Another worker may have signed it. */
  async addHead(document: SignedHead): Promise<void> {
    const { organization_id: organizationId, month, size } = document.head;
    await this.database.change(sql`
      INSERT INTO audit_heads AS h (organization_id, month, size, document)
      VALUES (${organizationId}, ${month}, ${size}, ${JSON.stringify(document)}) ON CONFLICT DO NOTHING`);
  }

  /** The newest first. The caller has checked that the organization is visible. */
  async listHeadsOfVisible(organizationId: number, month: string | undefined, most: number): Promise<SignedHead[]> {
    const rows = await this.database.rows<Pick<AuditHead, 'document'>>(sql`
      SELECT h.document FROM audit_heads h
      WHERE ${allOf([sql`h.organization_id = ${organizationId}`, month === undefined ? undefined : sql`h.month = ${month}`])}
      ORDER BY h.month DESC, h.size DESC LIMIT ${most}`);
    return rows.map(({ document }) => document);
  }

  /** The caller has checked that the organization is visible. */
  async listMonthsOfVisible(organizationId: number): Promise<string[]> {
    const rows = await this.database.rows<{ month: string }>(sql`
      SELECT DISTINCT h.month FROM audit_heads h WHERE h.organization_id = ${organizationId} ORDER BY h.month`);
    return rows.map(({ month }) => month);
  }

  /** The caller has checked that the organization is visible. */
  async *leavesOfVisible(organizationId: number, month: string): AsyncGenerator<Leaves> {
    for (let start = 0; ;) {
      const row = await this.database.row<Leaves & { readonly size: number }>(sql`
        SELECT a.start, a.size, a.ids::text[] AS ids, a.hashes FROM audit_leaves a
        WHERE a.organization_id = ${organizationId} AND a.month = ${month} AND a.start = ${start}`);
      if (row === undefined) return;
      yield row;
      start = row.size;
    }
  }

  async hashesOfVisible(organizationId: number, month: string): Promise<{ ids: string[]; hashes: Buffer[] }> {
    const rows = await this.database.rows<Pick<Leaves, 'ids' | 'hashes'>>(sql`
      SELECT a.ids::text[] AS ids, a.hashes FROM audit_leaves a
      WHERE a.organization_id = ${organizationId} AND a.month = ${month} ORDER BY a.start`);
    return { ids: rows.flatMap(({ ids }) => ids), hashes: rows.flatMap(({ hashes }) => hashesIn(hashes)) };
  }
}
