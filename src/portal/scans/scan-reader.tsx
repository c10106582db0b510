import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../kernel/page';
import { parseUrl } from '../../kernel/parse-url';
import { type AssetAccount, AccountUse } from '../../modules/accounts';
import { type Event, EventsService } from '../../modules/events';
import { type Asset, AssetsService, coversHost, type Domain, DomainsService } from '../../modules/assets';
import { CheckLibrary } from '../../modules/checks';
import {
  checkSummaries,
  isJobOver,
  type Job,
  type JobOutline,
  type JobProgress,
  type JobWaiting,
  type Lane,
  JobsService,
  type JobSummary,
  JobSummaryService,
} from '../../modules/jobs';
import { type BeaconName, BeaconNames } from '../../modules/retests';
import { Scope } from '../../platform/api/scope';
import type { Place } from '../http/places';
import type { RefusedForm } from '../frame/refused-form';
import type { Followed } from '../live/live-streams';
import { recently } from '../frame/recently';
import { type EventChoice, EventChoices, type TypedScan } from './event-choices';
import { type ScanAtWork, ScanProgressPart } from './scan-progress';

export interface ScansView {
  readonly organizationId: number;
  readonly slice: Slice<JobOutline>;
  /** For suggestions. */
  readonly assets: readonly Asset[];
  /** Through which a scan can run. */
  readonly beacons: readonly BeaconName[];
  readonly events: readonly EventChoice[];
  /** With which a scan can sign in. */
  readonly accounts: readonly AssetAccount[];
  readonly typed: TypedScan;
  /** The names of those that scans of the page ran through, by id. */
  readonly beaconNames: ReadonlyMap<number, BeaconName>;
  readonly mayScan: boolean;
  /** After a refusal without a beacon: the host of the URL, empty if it has none. */
  readonly refusedHost: string | undefined;
  /** After a refusal: the domain that must be verified first, if the organization has added it. */
  readonly unverified: Domain | undefined;
}

export interface ScanView {
  readonly organizationId: number;
  readonly summary: JobSummary;
  /** Through which it tests; null for a direct connection. */
  readonly beacon: BeaconName | null;
  readonly event: Event | null;
  readonly waiting: JobWaiting | null;
  readonly progress: JobProgress | null;
  readonly titles: ReadonlyMap<string, string>;
  /** How its runs have ended; empty without accounts. */
  readonly lanes: readonly Lane[];
  readonly mayScan: boolean;
}

const MAX_SUGGESTIONS = 50;
const MAX_DOMAINS = 100;

@Injectable()
export class ScanReader {
  constructor(
    private readonly jobs: JobsService,
    private readonly summaries: JobSummaryService,
    private readonly library: CheckLibrary,
    private readonly assets: AssetsService,
    private readonly domains: DomainsService,
    private readonly beacons: BeaconNames,
    private readonly accounts: AccountUse,
    private readonly events: EventsService,
    private readonly choices: EventChoices,
  ) {}

  /** `typed` is what the form has at first. */
  async list(
    { caller, organizationId }: Place,
    { page, isFailed, typed }: { page: Page; isFailed: boolean; typed: TypedScan },
    refused: RefusedForm | undefined,
  ): Promise<ScansView> {
    const scope = caller.scope.within(organizationId);
    const { items, ...slice } = await (isFailed
      ? this.jobs.listFailed(scope, organizationId, recently(), page)
      : this.jobs.list(scope, page));
    const assets = await this.assets.listFor(scope, organizationId, { page: 1, perPage: MAX_SUGGESTIONS });
    const refusedHost = refused?.fields['beacon_id'] ? undefined : refused && hostOfUrl(refused.fields['url']);
    return {
      organizationId,
      slice: { ...slice, items: await this.summaries.outlinesOf(items) },
      assets: assets.items,
      beacons: await this.beacons.listOf(scope, organizationId),
      beaconNames: await this.beacons.namesOf(
        scope,
        organizationId,
        items.map(({ beaconId }) => beaconId),
      ),
      typed,
      accounts: await this.accounts.listUsable(organizationId),
      events: await this.choices.list(scope, organizationId, typed),
      mayScan: caller.hasRole('member', organizationId),
      refusedHost,
      unverified: refusedHost ? await this.unverifiedOf(scope, organizationId, refusedHost) : undefined,
    };
  }

  async read({ caller, organizationId, job: { uuid } }: Place<'job'>): Promise<ScanView> {
    const { waiting, progress } = await this.jobs.atWork(caller.scope, uuid);
    const summary = await this.summaries.summaryOf(caller.scope, uuid);
    const { beaconId } = summary.job;
    const names = await this.beacons.namesOf(caller.scope, organizationId, [beaconId]);
    const checks = [...(progress?.checks ?? []), ...summary.coverage].map(({ check }) => check);
    return {
      organizationId,
      summary,
      beacon: names.get(beaconId ?? 0) ?? null,
      event: await this.eventOf(caller.scope, summary.job),
      waiting,
      progress,
      lanes: await this.jobs.lanesOfVisible(summary.job),
      titles: new Map([...titlesOf(checks), ...(await this.library.titlesOf([...new Set(checks)]))]),
      mayScan: caller.hasRole('member', organizationId),
    };
  }

  async eventOf(scope: Scope, { eventId }: Pick<Job, 'eventId'>): Promise<Event | null> {
    return eventId === null ? null : ((await this.events.findById(scope, eventId)) ?? null);
  }

  follow(organizationId: number, uuid: string): Followed<ScanAtWork> {
    return {
      key: `job ${uuid}`,
      organizationId,
      read: async () => {
        const { job, waiting, progress } = await this.jobs.atWork(Scope.organizations([organizationId]), uuid);
        const { status, started } = job;
        const state = { status, started, waiting, progress };
        return { state, isOver: isJobOver(status), isMoving: status === 'IN_PROGRESS' };
      },
      render: (state) => (
        <ScanProgressPart scan={state} titles={titlesOf((state.progress?.checks ?? []).map(({ check }) => check))} />
      ),
    };
  }

  private async unverifiedOf(scope: Scope, organizationId: number, host: string): Promise<Domain | undefined> {
    const { items } = await this.domains.listFor(scope, organizationId, { page: 1, perPage: MAX_DOMAINS });
    return items.find(({ value, verified }) => !verified && coversHost(value, host));
  }
}

const hostOfUrl = (url: unknown): string => parseUrl(String(url))?.hostname ?? '';

const titlesOf = (checks: readonly string[]): Map<string, string> =>
  new Map(checkSummaries(checks).map(({ id, title }) => [id, title]));
