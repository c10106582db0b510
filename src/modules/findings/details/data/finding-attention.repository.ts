import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../../platform/api/scope';
import { Database } from '../../../../platform/database/database';
import { type Sql, sql } from '../../../../platform/database/sql';
import { visibleTo } from '../../../../platform/database/visible';
import type { FindingRow } from '../../data/finding.entity';

export type FindingToNote = Pick<FindingRow, 'id' | 'title' | 'severity' | 'assetValue' | 'lastSeen' | 'acceptedUntil'>;

/** The first findings of a list, and how many it has, up to a limit. */
export interface FindingsToNote {
  readonly items: readonly FindingToNote[];
  readonly total: number;
}

/** What a person should look at. Each list comes from a partial index that has only its findings. */
@Injectable()
export class FindingAttentionRepository {
  constructor(private readonly database: Database) {}

  /** Open again after they were resolved, the newest first. */
  reopened(scope: Scope, organizationId: number, limit: number, maxCount: number): Promise<FindingsToNote> {
    return this.read(
      sql`FROM findings f WHERE f.organization_id = ${organizationId} AND f.status = 1 AND f.previous_status = 5
        AND f.merged_into IS NULL
        AND ${visibleTo(scope, 'f.organization_id')} ORDER BY f.id DESC`,
      limit,
      maxCount,
    );
  }

  /** Accepted risks that end before this time, the next to end first. */
  acceptedUntil(
    scope: Scope,
    organizationId: number,
    before: Date,
    limit: number,
    maxCount: number,
  ): Promise<FindingsToNote> {
    return this.read(
      sql`FROM findings f WHERE f.organization_id = ${organizationId} AND f.accepted_until < ${before}
        AND f.merged_into IS NULL
        AND ${visibleTo(scope, 'f.organization_id')} ORDER BY f.accepted_until`,
      limit,
      maxCount,
    );
  }

  private async read(list: Sql, limit: number, maxCount: number): Promise<FindingsToNote> {
    const items = await this.database.rows<FindingToNote>(sql`
      SELECT f.id, f.title, f.severity, f.asset_value AS "assetValue", f.last_seen AS "lastSeen",
        f.accepted_until AS "acceptedUntil" ${list} LIMIT ${limit}`);
    if (items.length < limit) return { items, total: items.length };
    const counted = await this.database.row<{ total: number }>(
      sql`SELECT count(*)::int AS total FROM (SELECT 1 ${list} LIMIT ${maxCount}) list`,
    );
    return { items, total: counted?.total ?? items.length };
  }
}
