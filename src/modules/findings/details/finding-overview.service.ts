import { Injectable } from '@nestjs/common';
import { DAY_MS, MINUTE_MS } from '../../../kernel/durations';
import { Clock } from '../../../kernel/clock';
import type { Scope } from '../../../platform/api/scope';
import { OrganizationsService } from '../../organizations';
import { FindingOverviewRepository } from './data/finding-overview.repository';
import {
  type FindingOverview,
  openBySeverity,
  OVERVIEW_WEEKS,
  type Week,
  weeksBefore,
  weeksWithNow,
} from '../domain/finding-overview';
import { riskScore } from '../domain/risk-score';

/** Reading more findings takes longer than a user waits for a page. */
const MAX_COMPUTED_AT_ONCE = 20_000;
/** The limit for one asset, whose weeks are computed on each read. */
const MAX_OF_ASSET = 2_000;
const OUTDATED_AFTER_MS = 10 * MINUTE_MS;
const MAX_RISKIEST = 8;

const weeksAgo = (instant: Date): Date => new Date(instant.getTime() - OVERVIEW_WEEKS * 7 * DAY_MS);

export interface OverviewAt {
  readonly overview: FindingOverview;
  readonly computed: Date;
}

export interface WeeksAt {
  readonly weeks: readonly Week[];
  readonly computed: Date;
}

/**
 * The statistics of an organization: computed on request for most, and kept up to date by a task for organizations with very many
 * findings.
 */
@Injectable()
export class FindingOverviewService {
  constructor(
    private readonly overviews: FindingOverviewRepository,
    private readonly organizations: OrganizationsService,
    private readonly clock: Clock,
  ) {}

  async read(scope: Scope, organizationId: number): Promise<OverviewAt> {
    const { id } = await this.organizations.get(scope, organizationId);
    const count = await this.overviews.count(scope, id, MAX_COMPUTED_AT_ONCE + 1);
    if (count <= MAX_COMPUTED_AT_ONCE) return this.compute(scope, id);
    return (await this.overviews.findStoredOfVisible(id)) ?? this.computeAndStore(scope, id);
  }

  /** The weeks of an asset. Null if it has too many findings to count while a person waits. */
  async weeksOfAsset(scope: Scope, assetId: number): Promise<WeeksAt | null> {
    if ((await this.overviews.countOfAsset(scope, assetId, MAX_OF_ASSET + 1)) > MAX_OF_ASSET) return null;
    const computed = this.clock.now();
    const rows = await this.overviews.listWeeksOfAsset(scope, assetId, weeksAgo(computed), MAX_OF_ASSET);
    return { weeks: weeksWithNow(rows), computed };
  }

  /** What is stored and no longer right, the oldest first. */
  listOutdated(scope: Scope, limit: number): Promise<{ readonly organizationId: number }[]> {
    const now = this.clock.now().getTime();
    return this.overviews.listOutdated(scope, new Date(now - OUTDATED_AFTER_MS), new Date(now - DAY_MS), limit);
  }

  async computeAndStore(scope: Scope, organizationId: number): Promise<OverviewAt> {
    const result = await this.compute(scope, organizationId);
    await this.overviews.save(organizationId, result.computed, result.overview);
    return result;
  }

  private async compute(scope: Scope, organizationId: number): Promise<OverviewAt> {
    const computed = this.clock.now();
    const since = weeksAgo(computed);
    const [ages, weeks, fixes, riskiest] = await Promise.all([
      this.overviews.listAges(scope, organizationId, computed),
      this.overviews.listWeeks(scope, organizationId, since),
      this.overviews.fixes(scope, organizationId, since),
      this.overviews.listRiskiest(scope, organizationId, MAX_RISKIEST),
    ]);
    const open = openBySeverity(ages);
    const assets = riskiest.map(({ id, ...totals }) => ({
      id,
      riskScore: riskScore(totals),
      open: Object.values(totals).reduce((sum, count) => sum + count, 0),
    }));
    return { computed, overview: { open, weeks: weeksBefore(open, weeks), fixes, riskiest: assets } };
  }
}
