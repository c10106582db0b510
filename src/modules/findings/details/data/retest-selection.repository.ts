import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../../platform/api/scope';
import { Database } from '../../../../platform/database/database';
import { allOf, sql } from '../../../../platform/database/sql';
import { visibleTo } from '../../../../platform/database/visible';

export interface FindingsToRetest {
  readonly organizationId: number;
  /** Undefined for all assets. */
  readonly assetIds?: readonly number[];
  /** Only findings that were seen in this event. */
  readonly eventId?: number;
  /** Findings that were resolved in this time and still are; undefined for open findings. */
  readonly resolved?: { readonly after: Date | null; readonly until: Date };
}

@Injectable()
export class RetestSelectionRepository {
  constructor(private readonly database: Database) {}

  /** The ids of findings with a check, the most severe first. */
  async listToRetest(
    scope: Scope,
    { organizationId, assetIds, eventId, resolved }: FindingsToRetest,
    limit: number,
  ): Promise<number[]> {
    const conditions = allOf([
      sql`f.organization_id = ${organizationId} AND f.merged_into IS NULL AND f.check_id IS NOT NULL`,
      visibleTo(scope, 'f.organization_id'),
      assetIds && sql`f.asset_id = ANY(${assetIds}::int[])`,
      eventId === undefined
        ? undefined
        : sql`EXISTS (SELECT 1 FROM event_findings e
            WHERE e.event_id = ${eventId} AND e.finding_id = f.id AND e.organization_id = f.organization_id)`,
      resolved === undefined ? sql`f.status <= 4` : resolvedIn(resolved),
    ]);
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT f.id FROM findings f WHERE ${conditions} ORDER BY f.severity DESC, f.id LIMIT ${limit}`);
    return rows.map(({ id }) => id);
  }

  /** The findings of an event that are open or resolved, in the order of their ids. */
  async listOfEventAfter(scope: Scope, eventId: number, after: number, limit: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT f.id FROM event_findings e
      JOIN findings f ON f.id = e.finding_id AND f.organization_id = e.organization_id
      WHERE e.event_id = ${eventId} AND f.id > ${after} AND f.status <= 5 AND f.merged_into IS NULL
        AND ${visibleTo(scope, 'f.organization_id')}
      ORDER BY f.id LIMIT ${limit}`);
    return rows.map(({ id }) => id);
  }
}

/** A finding without a history entry for its resolution, such as an imported one, counts from its creation. */
const resolvedIn = ({ after, until }: NonNullable<FindingsToRetest['resolved']>) => sql`f.status = 5 AND coalesce((
    SELECT max(h.created) FROM finding_history h
    WHERE h.finding_id = f.id AND h.organization_id = f.organization_id AND h.status = 5
      AND h.previous_status IS DISTINCT FROM 5), f.created)
  BETWEEN coalesce(${after}::timestamptz + interval '1 millisecond', '-infinity') AND ${until}`;
