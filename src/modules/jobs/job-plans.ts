import { Injectable } from '@nestjs/common';
import { type Check, experimentOf, isWeb, parseLocation, type Scan, type ScanRequest } from '../../engine';
import type { Launchable } from '../retests';
import { JobFindingsRepository } from './data/job-findings.repository';
import type { Job } from './data/job.entity';
import { inOnePlace } from './domain/one-place';
import { previousFindingsOf } from './domain/previous-findings';
import { checksOf } from './domain/sighting-order';
import type { TestedLocations } from './domain/tested-locations';
import { JobChecks } from './job-checks';
import type { TestedInLane } from './job-results';

/** The checks of one run of a job, and the findings that it tests again. */
export type Plan = Required<Pick<ScanRequest, 'checks' | 'skipped' | 'previousFindings'>>;

export interface JobPlan {
  readonly checks: readonly Check[];
  /** The findings that any run of the job tests again. */
  readonly previous: readonly TestedInLane[];
  /** The run as an account, or without a session (null). */
  readonly planOf: (account: number | null) => Plan;
}

/** What jobs test, and which findings they know. */
@Injectable()
export class JobPlans {
  constructor(
    private readonly jobFindings: JobFindingsRepository,
    private readonly jobChecks: JobChecks,
  ) {}

  async load(job: Job, locations: TestedLocations): Promise<JobPlan> {
    // What an earlier attempt has seen is not tested again for a fix.
    const known = (await this.jobFindings.listKnownOfVisible(job, locations)).filter(
      ({ outcome }) => outcome !== 'seen',
    );
    const { checks, skipped } = await this.jobChecks.load(job);
    const ofTemplates = known
      .filter(({ builtInCheck }) => builtInCheck === null)
      .filter(({ checkId }) => checks.some(({ id }) => id === checkId));
    const templates = await this.jobFindings.listTemplatesOfVisible(
      job,
      ofTemplates.map(({ id }) => id),
    );
    const lanes = [null, ...(job.accounts ?? []).map(({ id }) => id)];
    const previous = lanes.flatMap((lane) => {
      const seenSo = known.filter(({ account }) => account === lane);
      return previousFindingsOf(seenSo, checks, templates).map((one) => ({ ...one, account: lane }));
    });
    const planOf = (lane: number | null): Plan => ({
      checks,
      skipped,
      previousFindings: previous.filter(({ account }) => account === lane).map(({ finding }) => finding),
    });
    return { checks, previous, planOf };
  }

  /** One place for each weakness, with the findings that are known now. */
  async inOnePlace<T extends Pick<Scan, 'sightings' | 'coverage'>>(
    job: Job,
    locations: TestedLocations,
    scan: T,
  ): Promise<T> {
    const known = await this.jobFindings.listKnownOfVisible(job, locations, checksOf(scan.sightings));
    return inOnePlace(scan, known);
  }
}

/** Findings at cookies, headers and segments are left to active jobs. Others that an experiment showed need the consent. */
export const withoutPoints = (plan: Plan, { activeRefusal }: Launchable): Plan => ({
  ...plan,
  previousFindings: plan.previousFindings.filter(({ location, baseline }) => {
    const place = parseLocation(location);
    if (!isWeb(place)) return true;
    return place.within === undefined && (experimentOf(baseline) === null || activeRefusal(place) === null);
  }),
});

export const repeatsExperiment = ({ baseline }: Plan['previousFindings'][number]): boolean =>
  experimentOf(baseline) !== null;
