import type { Coverage } from '../../../engine';

/** A job that is over, with the asset that it ran on. */
export interface CoveringJob {
  readonly assetId: number;
  readonly url: string;
  readonly finished: Date;
  readonly error: string | null;
  readonly coverage: readonly Pick<Coverage, 'check' | 'location' | 'outcome' | 'reason'>[];
}

/** What of an asset was tested, and what was not, with the reason. */
export interface CoverageAccount {
  readonly lastTested: Date;
  readonly checksCompleted: number;
  readonly notTested: readonly { readonly check: string; readonly location: string; readonly reason: string }[];
}

/** Where a job came to nothing, nobody can say which of its checks were missed. */
const ALL_CHECKS = 'all checks';

/**
 * By asset, job after job, so that nobody has to hold all of them: whichever ended last comes first. What was looked at more
 * than once counts as it came out the last time.
 */
export class CoverageByAsset {
  private readonly counts = new Map<number, Counting>();

  add(job: CoveringJob): void {
    const counting = this.counts.get(job.assetId) ?? new Counting(job.finished);
    this.counts.set(job.assetId, counting);
    counting.add(job);
  }

  get accounts(): Map<number, CoverageAccount> {
    return new Map([...this.counts].map(([assetId, counting]) => [assetId, counting.account]));
  }
}

class Counting {
  private readonly seen = new Set<string>();
  private readonly notTested: { check: string; location: string; reason: string }[] = [];
  private completed = 0;

  constructor(private readonly lastTested: Date) {}

  add({ url, error, coverage }: CoveringJob): void {
    if (coverage.length === 0 && error !== null) this.miss(ALL_CHECKS, url, error);
    for (const { check, location, outcome, reason } of coverage) {
      const place = `${check} ${location}`;
      if (outcome === 'not_applicable' || this.seen.has(place)) continue;
      this.seen.add(place);
      if (outcome === 'inconclusive') this.miss(check, location, reason);
      else this.completed++;
    }
  }

  get account(): CoverageAccount {
    return { lastTested: this.lastTested, checksCompleted: this.completed, notTested: this.notTested };
  }

  private miss(check: string, location: string, reason: string): void {
    this.notTested.push({ check, location, reason });
  }
}
