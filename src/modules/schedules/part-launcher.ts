import { Injectable } from '@nestjs/common';
import { DomainError, unprocessable } from '../../kernel/domain-error';
import type { Caller } from '../../platform/api/caller';
import type { ResourceType } from '../../platform/api/resource-type';
import { AssetsService, type Asset } from '../assets';
import { FindingsService, testOfFinding } from '../findings';
import { EventJobs, JobAccounts, JobsService } from '../jobs';
import { isObservationOver, ObservationsService } from '../observations';
import { defaultReportOptions, ReportsService } from '../reports';
import { isRetestOver, RetestsService } from '../retests';
import type { RunPart } from './data/run-part.entity';
import type { Schedule } from './data/schedule.entity';
import type { PartResult, What } from './domain/vocabulary';

/** The audit operation of each launch, as a person's request has it. */
export const LAUNCHES: Readonly<Record<What, { readonly operation: string; readonly resourceType: ResourceType }>> = {
  job: { operation: 'job.launch', resourceType: 'job' },
  observation: { operation: 'asset.observe', resourceType: 'observation' },
  retest: { operation: 'retest.start', resourceType: 'retest' },
  resolved_retest: { operation: 'retest.start', resourceType: 'retest' },
  report: { operation: 'report.create', resourceType: 'report' },
};

/** How many that schedules have started may be unfinished in an organization: the rest of its places is for people. */
export const PLACES: Readonly<Record<What, number>> = {
  job: 25,
  observation: 25,
  retest: 50,
  resolved_retest: 50,
  report: 10,
};

export interface PartEnd {
  readonly result: PartResult;
  readonly reason: string | null;
}

const DELETED: PartEnd = { result: 'deleted', reason: 'It was deleted before it ended.' };

/** Starts a part of a run as the maker of its schedule, by the same rules as a request of the maker. */
@Injectable()
export class PartLauncher {
  constructor(
    private readonly assets: AssetsService,
    private readonly findings: FindingsService,
    private readonly jobs: JobsService,
    private readonly accounts: JobAccounts,
    private readonly eventJobs: EventJobs,
    private readonly observations: ObservationsService,
    private readonly retests: RetestsService,
    private readonly reports: ReportsService,
  ) {}

  /** Returns the reference of what was started. Throws if it may not be started. */
  async start(caller: Caller, schedule: Schedule, part: RunPart, until: Date | null): Promise<string> {
    const { what, organizationId, eventSlug } = schedule;
    if (what === 'report') {
      const subject =
        eventSlug === null
          ? ({ kind: 'organization', id: organizationId } as const)
          : ({ kind: 'event', slug: eventSlug } as const);
      const options = schedule.reportOptions ?? defaultReportOptions;
      return String(await this.reports.create(caller, subject, { options, startDate: null, endDate: null }));
    }
    if (part.findingId !== null) return this.startRetest(caller, part.findingId, eventSlug);
    const asset = await this.assets.getIn(caller.scope, organizationId, part.assetId ?? 0);
    if (what === 'observation') return (await this.observations.start(caller, asset.id, 'schedule')).uuid;
    const { beaconId } = asset;
    const checks = part.checksLeft ?? schedule.checks;
    const depth = schedule.depth ?? 'standard';
    const url = launchUrlOf(asset);
    const place = { organizationId, url, beaconId, assetId: asset.id };
    const accounts = await this.accounts.plannedAt(caller, place, schedule.accounts ?? []);
    return this.jobs.launch(caller, { url, beaconId, eventSlug, checks, depth, organizationId, until, accounts });
  }

  /** Null while it is unfinished. */
  async endOf(caller: Caller, what: What, part: RunPart): Promise<PartEnd | null> {
    try {
      return await this.endOfExisting(caller, what, part);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') return DELETED;
      throw error;
    }
  }

  /** The checks of a job that the end of its window has left. */
  async checksLeft({ scope }: Caller, what: What, { reference }: RunPart): Promise<string[]> {
    return what === 'job' ? this.eventJobs.checksLeft(scope, reference ?? '') : [];
  }

  /** Whether it stops by itself at the end of its window, and stores its results then. */
  async endsByItself({ scope }: Caller, what: What, { reference }: RunPart): Promise<boolean> {
    return what === 'job' && (await this.jobs.get(scope, reference ?? '')).status === 'IN_PROGRESS';
  }

  /** Stops what sends requests. One that has ended meanwhile stays as it is. */
  async cancel(caller: Caller, what: What, { reference, findingId }: RunPart): Promise<void> {
    if (what === 'job') await this.jobs.cancel(caller, reference ?? '');
    else if (what === 'observation') await this.observations.cancel(caller, reference ?? '');
    else if (findingId !== null) await this.retests.cancel(caller, findingId);
  }

  private async startRetest(caller: Caller, findingId: number, eventSlug: string | null): Promise<string> {
    const finding = await this.findings.getWithCheck(caller.scope, findingId);
    // Without a check it would wait for the verdict of a person.
    if (testOfFinding(finding) === null) throw unprocessable('The finding has no check that can run: add one to it.');
    const { retest } = await this.retests.start(caller, { findingId, ...(eventSlug !== null && { eventSlug }) });
    return retest.uuid;
  }

  private async endOfExisting({ scope }: Caller, what: What, part: RunPart): Promise<PartEnd | null> {
    const reference = part.reference ?? '';
    if (what === 'report') {
      const { generationDate, error } = await this.reports.get(scope, Number(reference));
      if (error !== null) return { result: 'error', reason: error };
      return generationDate === null ? null : { result: 'finished', reason: null };
    }
    if (part.findingId !== null) {
      const last = await this.retests.get(scope, { findingId: part.findingId });
      if (last.uuid !== reference) return { result: 'canceled', reason: 'Another retest of the finding replaced it.' };
      if (!isRetestOver(last.status)) return null;
      if (last.result !== null) return { result: last.result, reason: null };
      return { result: last.status === 'canceled' ? 'canceled' : 'error', reason: last.reason };
    }
    const { status, error } =
      what === 'job' ? await this.jobs.get(scope, reference) : await this.observations.get(scope, reference);
    if (!isObservationOver(status)) return null;
    if (status === 'FINISHED') return { result: 'finished', reason: null };
    if (status === 'CANCELED') return { result: 'canceled', reason: 'It was canceled.' };
    return { result: 'error', reason: error };
  }
}

/** What a job on an asset tests: the page of a URL, and the start page of a host. */
function launchUrlOf({ type, value }: Pick<Asset, 'type' | 'value'>): string {
  if (type === 'url') return value;
  if (type === 'cidr') throw unprocessable('A job tests one host, and the asset is a block: add its hosts as assets.');
  return `https://${value.includes(':') ? `[${value}]` : value}/`;
}
