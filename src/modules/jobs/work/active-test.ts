import { Injectable } from '@nestjs/common';
import {
  type ActiveInventory,
  type ActiveScan,
  activeScan,
  type ActiveScanRequest,
  locationOf,
  type CheckResult,
  JOB_SUBMISSIONS,
  type Scan,
  type Sighting,
  Submissions,
  type Target,
} from '../../../engine';
import { ActiveInventoryRepository } from '../data/active-inventory.repository';
import type { JobOnOrigin } from '../data/job-on-origin';
import { JobSubmissionsRepository } from '../data/job-submissions.repository';
import { JobFindingsRepository } from '../data/job-findings.repository';
import type { Job } from '../data/job.entity';
import type { ActiveState } from '../domain/active-state';
import { joinedScan } from '../domain/active-result';
import { isAtPoint, testsPoints } from '../domain/point-checks';
import { redacted } from '../../../engine/signed-in/in-session';
import { ANY_PARAMETER } from '../../../engine/spots';
import { seedsOfImports } from '../domain/seeds';
import { testedLocationsOf } from '../domain/tested-locations';
import { JobAddresses } from './job-addresses';

const LEFT_OUT =
  'some points were left out, because 10,000 of a site are stored, and as many of an organization as its limit allows';

/** The most requests of imported findings that a job sends. */
const MAX_IMPORTED = 500;

type Request = Omit<ActiveScanRequest, 'seeds' | 'imported' | 'inventory'> & {
  readonly found: (sightings: readonly Sighting[]) => void;
  /** Why nothing may be submitted there by the rules of now, or null. */
  readonly writeRefusal: (place: Target) => string | null;
};

/** The active part of a job: crawls the site, and tests its insertion points. */
@Injectable()
export class ActiveTest {
  constructor(
    private readonly inventory: ActiveInventoryRepository,
    private readonly jobFindings: JobFindingsRepository,
    readonly addresses: JobAddresses,
    private readonly submissions: JobSubmissionsRepository,
  ) {}

  /** Joins what it shows with the standard part. The results of earlier attempts count. */
  async run(
    job: Job,
    standard: Scan,
    request: Request,
    warning: string | null,
    accountId: number | null,
  ): Promise<{ readonly scan: Scan; readonly active: ActiveState }> {
    const { origin } = testedLocationsOf(request.target);
    const onOrigin = { id: job.id, organizationId: job.organizationId, beaconId: job.beaconId, origin, accountId };
    const checks = request.checks.filter(testsPoints);
    const previousFindings = (request.previousFindings ?? []).filter((one) => isAtPoint(one, checks));
    const seeds = await this.inventory.findSeedsOfVisible(job.id);
    const imported = await this.importedOf(job, request.target);
    let leftOut = 0;
    const found = (all: readonly CheckResult[]): void => request.found(all.flatMap(({ sighting }) => sighting ?? []));
    // A lost worker may have recorded some of them.
    found(await this.inventory.listResults(onOrigin));
    const inventory: ActiveInventory = {
      ...this.inventoryOf(onOrigin, found),
      addPoints: async (points) => void (leftOut += await this.inventory.addPoints(onOrigin, points)),
      endCrawl: (notes, unread) => this.inventory.endCrawl(onOrigin, notes, unread ?? (leftOut > 0 ? LEFT_OUT : null)),
    };
    const via = { ...request.via, submissions: await this.submissionsOf(job, request) };
    const ended =
      standard.end === 'interrupted'
        ? notBegun(standard)
        : await activeScan({ ...request, via, checks, previousFindings, seeds, imported, inventory });
    const results = await this.inventory.listResults(onOrigin);
    const counts = await this.inventory.countOutcomes(onOrigin);
    const progress = await this.inventory.progressOf(onOrigin);
    const { notes = [], reason: ofCrawl = null } = (await this.inventory.findActiveOfVisible(job.id, accountId)) ?? {};
    const reason = ended.reason ?? ofCrawl;
    const location = locationOf(rootOf(request.target));
    const rest = locationOf({ ...request.target, parameter: ANY_PARAMETER });
    const of = { checks, selected: job.checks ?? [], location, rest, results, counts };
    const scan = joinedScan(standard, { scan: { ...ended, reason }, ...of });
    return { scan, active: { found: progress, reason, warning, notes } };
  }

  /** Undefined unless the asset allows `full`. Those of all accounts and attempts count together. */
  private async submissionsOf(
    job: Job,
    { target, via, writeRefusal, stated }: Request,
  ): Promise<Submissions | undefined> {
    if (writeRefusal(target) !== null) return undefined;
    return new Submissions({
      limits: JOB_SUBMISSIONS,
      refusal: (path) => writeRefusal({ ...target, path }),
      ...(stated && { stated: (path) => stated({ ...target, path }) }),
      before: await this.submissions.listAllOfVisible(job),
      // Addresses may contain secrets of the session.
      keep: (written) => this.submissions.keep(job, redacted(via, written)),
    });
  }

  private async importedOf(job: Job, target: Target): Promise<ActiveScanRequest['seeds']> {
    const places = await this.jobFindings.listImportedPlacesOfVisible(job, testedLocationsOf(target));
    return seedsOfImports(places, target, MAX_IMPORTED);
  }

  private inventoryOf(
    job: JobOnOrigin,
    found: (results: readonly CheckResult[]) => void,
  ): Omit<ActiveInventory, 'addPoints' | 'endCrawl'> {
    const { inventory } = this;
    return {
      load: async () => ({
        pages: await inventory.listPages(job),
        isCrawled: (await inventory.findActiveOfVisible(job.id, job.accountId)) !== null,
      }),
      listPoints: () => inventory.listPoints(job),
      readPoints: (keys) => inventory.readPoints(job, keys),
      addPages: (pages) => inventory.addPages(job, pages),
      finishPoint: async (key, results) => {
        await inventory.finishPoint(job, key, results);
        found(results);
      },
    };
  }
}

/** The window has closed in the standard part: the next job goes on with the points. */
const notBegun = ({ reason }: Scan): ActiveScan => ({
  pages: 0,
  shapes: 0,
  points: 0,
  tested: 0,
  end: 'interrupted',
  reason,
});

const rootOf = (target: Target): Target => ({ ...target, path: '/' });
