import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../../platform/api/scope';
import { Database } from '../../../../platform/database/database';
import { join, raw, sql } from '../../../../platform/database/sql';
import { visibleTo } from '../../../../platform/database/visible';
import { AGE_LIMITS, type AgeOfSeverity, type Fixes, NOW, type WeekOfSeverity } from '../../domain/finding-overview';
import type { FindingOverview } from '../../domain/finding-overview';
import { riskIn } from '../../domain/risk-score';
import type { AssetTotalsRow } from '../../data/asset-totals.entity';
import { StoredOverview } from '../../data/finding-overview.entity';

export type AssetWithTotals = Omit<AssetTotalsRow, 'assetId' | 'organizationId' | 'findings' | 'proved' | 'refuted'> & {
  readonly id: number;
};

const open = raw('t.cosmic + t.critical + t.high + t.medium + t.low');
const isFixed = raw('h.status = 5 AND h.previous_status IS DISTINCT FROM 5');
const isOpened = raw('h.status <= 4 AND (h.previous_status IS NULL OR h.previous_status > 4)');
const isClosed = raw('h.status > 4 AND h.previous_status <= 4');

/** Changes that are read of each finding, for the weeks of its asset. */
const MAX_CHANGES = 200;

/** Sums over all findings of an organization. The query for the organization checks the scope. */
@Injectable()
export class FindingOverviewRepository {
  constructor(private readonly database: Database) {}

  /** Counts up to `limit`. */
  count(scope: Scope, organizationId: number, limit: number): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM (
        SELECT 1 FROM findings f
        WHERE f.organization_id = ${organizationId} AND f.merged_into IS NULL AND ${visibleTo(scope, 'f.organization_id')}
        LIMIT ${limit}) list`);
  }

  /** Open findings by severity and age. */
  listAges(scope: Scope, organizationId: number, now: Date): Promise<AgeOfSeverity[]> {
    const limits = AGE_LIMITS.map(
      (days, age) => sql`WHEN f.created > ${now}::timestamptz - make_interval(days => ${days}) THEN ${age}::int`,
    );
    return this.database.rows<AgeOfSeverity>(sql`
      SELECT f.severity, CASE ${join(limits, ' ')} ELSE ${AGE_LIMITS.length}::int END AS age, count(*)::int AS count
      FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.status <= 4 AND f.merged_into IS NULL AND ${visibleTo(scope, 'f.organization_id')}
      GROUP BY 1, 2`);
  }

  /** How many findings were found, fixed, opened and closed since then, by week and severity. */
  listWeeks(scope: Scope, organizationId: number, since: Date): Promise<WeekOfSeverity[]> {
    return this.database.rows<WeekOfSeverity>(sql`
      SELECT floor(extract(epoch FROM h.created - ${since}::timestamptz) / 604800)::int AS week, f.severity,
        count(*) FILTER (WHERE h.previous_status IS NULL)::int AS found, count(*) FILTER (WHERE ${isFixed})::int AS fixed,
        (count(*) FILTER (WHERE ${isOpened}) - count(*) FILTER (WHERE ${isClosed}))::int AS change
      FROM finding_history h JOIN findings f ON f.id = h.finding_id AND f.organization_id = h.organization_id AND f.merged_into IS NULL
      WHERE h.organization_id = ${organizationId} AND h.created >= ${since} AND ${visibleTo(scope, 'h.organization_id')}
      GROUP BY 1, 2`);
  }

  /** Counts up to `limit`. */
  countOfAsset(scope: Scope, assetId: number, limit: number): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM (
        SELECT 1 FROM findings f WHERE f.asset_id = ${assetId} AND f.merged_into IS NULL AND ${visibleTo(scope, 'f.organization_id')}
        LIMIT ${limit}) list`);
  }

  /**
   * The same for the findings of an asset; the week NOW has the open ones. Reads at most `limit` findings and the newest changes
   * of each through the index of its history, so the number of changes in the organization does not matter.
   */
  listWeeksOfAsset(scope: Scope, assetId: number, since: Date, limit: number): Promise<WeekOfSeverity[]> {
    return this.database.rows<WeekOfSeverity>(sql`
      WITH list AS MATERIALIZED (
        SELECT f.id, f.severity, f.status FROM findings f
        WHERE f.asset_id = ${assetId} AND f.merged_into IS NULL AND ${visibleTo(scope, 'f.organization_id')}
        ORDER BY f.id DESC LIMIT ${limit})
      SELECT ${NOW}::int AS week, list.severity, 0 AS found, 0 AS fixed, count(*)::int AS change
      FROM list WHERE list.status <= 4 GROUP BY 2
      UNION ALL
      SELECT floor(extract(epoch FROM h.created - ${since}::timestamptz) / 604800)::int, list.severity,
        count(*) FILTER (WHERE h.previous_status IS NULL)::int, count(*) FILTER (WHERE ${isFixed})::int,
        (count(*) FILTER (WHERE ${isOpened}) - count(*) FILTER (WHERE ${isClosed}))::int
      FROM list CROSS JOIN LATERAL (
        SELECT * FROM finding_history WHERE finding_id = list.id ORDER BY id DESC LIMIT ${MAX_CHANGES}) h
      WHERE h.created >= ${since}
      GROUP BY 1, 2`);
  }

  async fixes(scope: Scope, organizationId: number, since: Date): Promise<Fixes> {
    const rows = await this.database.rows<Omit<Fixes, 'medians'> & { severity: number | null; seconds: number }>(sql`
      SELECT severity, count(*)::int AS count, count(*) FILTER (WHERE actor_type = 'system')::int AS verified,
        count(due_date)::int AS due, count(*) FILTER (WHERE day <= due_date)::int AS kept,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS seconds
      FROM (
        SELECT f.severity, f.due_date, (h.created AT TIME ZONE 'UTC')::date AS day, h.actor_type,
          extract(epoch FROM h.created - f.created)::float8 AS seconds
        FROM finding_history h JOIN findings f ON f.id = h.finding_id AND f.organization_id = h.organization_id AND f.merged_into IS NULL
        WHERE h.organization_id = ${organizationId} AND h.created >= ${since} AND ${isFixed}
          AND ${visibleTo(scope, 'h.organization_id')}) fixes
      GROUP BY GROUPING SETS ((), (severity)) ORDER BY severity DESC NULLS LAST`);
    const { count = 0, verified = 0, due = 0, kept = 0 } = rows.at(-1) ?? {};
    const medians = rows.flatMap(({ severity, seconds }) => (severity === null ? [] : [{ severity, seconds }]));
    return { count, verified, due, kept, medians };
  }

  /** The assets with the highest risk. */
  listRiskiest(scope: Scope, organizationId: number, limit: number): Promise<AssetWithTotals[]> {
    return this.database.rows<AssetWithTotals>(sql`
      SELECT t.asset_id AS id, t.cosmic, t.critical, t.high, t.medium, t.low
      FROM asset_totals t
      WHERE t.organization_id = ${organizationId} AND ${open} > 0 AND ${visibleTo(scope, 't.organization_id')}
      ORDER BY ${raw(riskIn('t'))} DESC, t.asset_id LIMIT ${limit}`);
  }

  /** Ignores overviews of an earlier version, which have no medians. */
  findStoredOfVisible(organizationId: number): Promise<StoredOverview | undefined> {
    return this.database.row<StoredOverview>(sql`
      SELECT o.organization_id AS "organizationId", o.computed, o.overview FROM finding_overviews o
      WHERE o.organization_id = ${organizationId} AND o.overview -> 'fixes' ? 'medians'`);
  }

  /** Overviews from before `before` that are older than the last change, or from before `dayBefore`. Oldest first. */
  listOutdated(
    scope: Scope,
    before: Date,
    dayBefore: Date,
    limit: number,
  ): Promise<{ readonly organizationId: number }[]> {
    return this.database.rows(sql`
      SELECT o.organization_id AS "organizationId" FROM finding_overviews o
      WHERE o.computed < ${before} AND ${visibleTo(scope, 'o.organization_id')}
        AND (o.computed < ${dayBefore} OR EXISTS (
          SELECT 1 FROM finding_history h WHERE h.organization_id = o.organization_id AND h.created > o.computed))
      ORDER BY o.computed LIMIT ${limit}`);
  }

  async save(organizationId: number, computed: Date, overview: FindingOverview): Promise<void> {
    const repository = await this.database.repository(StoredOverview);
    await repository.upsert({ organizationId, computed, overview }, ['organizationId']);
  }
}
