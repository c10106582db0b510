import type { Coverage } from '../../../engine';
import type { JobCompletion } from './incomplete-checks';
import { pageOfUrl } from './launch-url';

/** The jobs of an event, or without one all jobs of the organization. */
export interface CoverageSubject {
  readonly organizationId: number;
  readonly eventId: number | null;
}

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** A finished job, with the asset that it tested. */
export interface TestedJob {
  readonly assetId: number;
  readonly url: string;
  readonly finished: Date;
  readonly error: string | null;
  readonly coverage: readonly Pick<Coverage, 'check' | 'location' | 'outcome' | 'reason'>[];
}

type Refused = Pick<JobCompletion, 'refused'>;

/** What was tested of an asset, and what was not, with the reason. */
export interface CoverageSummary {
  readonly lastTested: Date;
  readonly checksCompleted: number;
  readonly notTested: readonly { readonly check: string; readonly location: string; readonly reason: string }[];
  /** How many tests of each check were completed and not completed. */
  readonly checks: ReadonlyMap<string, CheckCounts>;
}

interface CheckCounts {
  readonly completed: number;
  readonly notCompleted: number;
}

/** A job that failed as a whole does not say which of its checks did not run. */
const ALL_CHECKS = 'all checks';

/**
 * By asset, one job after the other, so that not all are in memory at once. Add the job that ended last first: of several
 * tests of the same place the last one counts.
 */
export class CoverageByAsset {
  private readonly assets = new Map<number, AssetCoverage>();

  add(job: TestedJob, completion: Refused): void {
    const coverage = this.assets.get(job.assetId) ?? new AssetCoverage(job.finished);
    this.assets.set(job.assetId, coverage);
    coverage.add(job, completion);
  }

  get summaries(): Map<number, CoverageSummary> {
    return new Map([...this.assets].map(([assetId, coverage]) => [assetId, coverage.summary]));
  }
}

class AssetCoverage {
  private readonly seen = new Set<string>();
  private readonly notTested: { check: string; location: string; reason: string }[] = [];
  private readonly checks = new Map<string, CheckCounts>();
  private completed = 0;

  constructor(private readonly lastTested: Date) {}

  add({ url, error, coverage }: TestedJob, { refused }: Refused): void {
    if (coverage.length === 0 && error !== null) this.addNotTested(ALL_CHECKS, pageOfUrl(url), error);
    for (const { check, location, outcome, reason } of coverage) {
      const place = `${check} ${location}`;
      if (outcome === 'not_applicable' || this.seen.has(place)) continue;
      this.seen.add(place);
      const isRefused = refused.some((one) => one.check === check && one.location === location);
      const isCompleted = outcome === 'vulnerable' || outcome === 'not_vulnerable' || isRefused;
      this.count(check, isCompleted);
      if (isCompleted) this.completed++;
      if (!isCompleted) this.addNotTested(check, location, reason);
      else if (isRefused) this.addNotTested(check, location, `refused, not shown absent: ${reason}`);
    }
  }

  get summary(): CoverageSummary {
    const { lastTested, completed: checksCompleted, notTested, checks } = this;
    return { lastTested, checksCompleted, notTested, checks };
  }

  private count(check: string, isCompleted: boolean): void {
    const { completed, notCompleted } = this.checks.get(check) ?? { completed: 0, notCompleted: 0 };
    this.checks.set(check, {
      completed: completed + Number(isCompleted),
      notCompleted: notCompleted + Number(!isCompleted),
    });
  }

  private addNotTested(check: string, location: string, reason: string): void {
    this.notTested.push({ check, location, reason });
  }
}
