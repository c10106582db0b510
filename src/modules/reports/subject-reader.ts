import { Injectable } from '@nestjs/common';
import { minuteOf } from '../../kernel/day';
import { readAll } from '../../kernel/page';
import type { Severity } from '../../kernel/severity';
import type { Scope } from '../../platform/api/scope';
import { type Asset, AssetsService } from '../assets';
import {
  type Event,
  eventCategoryVocabulary,
  EventScopeService,
  EventsService,
  eventTypeVocabulary,
  type ScopeAsset,
  ScopeMembership,
  whatIsSent,
} from '../events';
import type { FindingsOf } from '../findings';
import {
  type CoverageSummary,
  CoverageSummaryService,
  type JobFindingSummary,
  type JobSummary,
  JobSummaryService,
  pageOfUrl,
} from '../jobs';
import { ObservedHosts } from '../observations';
import { BeaconNames } from '../retests';
import { requireAtMost } from './domain/report-size-limits';
import type { ReportPeriod } from './domain/report-period';
import type { ReportSnapshot, SnapshotEvent, SnapshotJob } from './domain/report-snapshot';
import type { FindingContext } from './domain/snapshot-finding';
import { snapshotOfChanges } from './domain/snapshot-changes';
import type { SnapshotBeacon } from './domain/snapshot-parts';

/** The subject of a report; without an event and a job it is the organization. */
export interface SubjectOfReport extends ReportPeriod {
  readonly organizationId: number;
  readonly eventSlug: string | null;
  readonly jobUuid: string | null;
  /** The lowest severity that stops a pipeline, for a job. */
  readonly gateSeverity?: Severity;
}

export interface SubjectData {
  readonly parts: Pick<ReportSnapshot, 'subject' | 'event' | 'job' | 'events' | 'changes'>;
  readonly findings: FindingsOf;
  /** What the job showed, by the id of the finding. */
  readonly jobFindings: ReadonlyMap<number, JobFindingSummary>;
  readonly assets: readonly SubjectAsset[];
  /** Whether the scope of the event contains an asset; null without an event or a scope. */
  readonly isInScope: FindingContext['isInScope'];
  /** By the id of the asset. */
  readonly coverage: ReadonlyMap<number, CoverageSummary>;
  /** The checks that the job planned. */
  readonly checks: readonly string[];
}

/** An asset with its place in the scope of the event. Without an event every asset is in scope. */
export interface SubjectAsset {
  readonly asset: Asset;
  readonly entry: Pick<ScopeAsset['entry'], 'inScope' | 'description'>;
}

const MAX_ASSETS = 20_000;
const MAX_EVENTS = 1_000;

/** Reads what a report is about. */
@Injectable()
export class SubjectReader {
  constructor(
    private readonly events: EventsService,
    private readonly scopes: EventScopeService,
    private readonly assets: AssetsService,
    private readonly coverage: CoverageSummaryService,
    private readonly jobs: JobSummaryService,
    private readonly beacons: BeaconNames,
    private readonly observed: ObservedHosts,
  ) {}

  read(scope: Scope, subject: SubjectOfReport): Promise<SubjectData> {
    const { eventSlug, jobUuid } = subject;
    if (eventSlug !== null) return this.readEvent(scope, eventSlug, subject);
    return jobUuid === null ? this.readOrganization(scope, subject) : this.readJob(scope, jobUuid, subject);
  }

  private async readEvent(scope: Scope, slug: string, { startDate, endDate }: ReportPeriod): Promise<SubjectData> {
    const event = await this.events.get(scope, slug);
    const { id: eventId, organizationId } = event;
    const items = await readAll((page) => this.scopes.list(scope, slug, page), MAX_ASSETS + 1);
    requireAtMost(MAX_ASSETS, items.length, 'assets in the scope of the event');
    const membership = await ScopeMembership.of(items);
    return {
      parts: {
        subject: 'event',
        event: { ...snapshotOfEvent(event), rules: rulesOf(event) },
        job: null,
        events: [],
        changes: null,
      },
      findings: { eventId },
      jobFindings: new Map(),
      assets: items,
      isInScope: (asset) => membership.contains(asset),
      coverage: await this.coverage.coverageOf(scope, { organizationId, eventId }, { from: startDate, to: endDate }),
      checks: [],
    };
  }

  private async readJob(scope: Scope, uuid: string, { gateSeverity }: SubjectOfReport): Promise<SubjectData> {
    const summary = await this.jobs.summaryOf(scope, uuid, gateSeverity);
    const { job, assetCoverage, coverage, findings } = summary;
    const beacons = await this.beacons.namesOf(scope, job.organizationId, [job.beaconId]);
    const assets = job.assetId === null ? [] : await this.assets.listByIds(scope, [job.assetId]);
    return {
      parts: {
        subject: 'job',
        event: null,
        job: snapshotOfJob(summary, beacons.get(job.beaconId ?? 0) ?? null),
        events: [],
        changes: null,
      },
      findings: { ids: [...findings.keys()] },
      jobFindings: findings,
      assets: assets.map(inScope),
      isInScope: withoutScope,
      coverage: new Map(job.assetId === null || assetCoverage === null ? [] : [[job.assetId, assetCoverage]]),
      checks: coverage.map(({ check }) => check),
    };
  }

  private async readOrganization(
    scope: Scope,
    { organizationId, startDate, endDate }: SubjectOfReport,
  ): Promise<SubjectData> {
    const assets = await readAll((page) => this.assets.listFor(scope, organizationId, page), MAX_ASSETS + 1);
    requireAtMost(MAX_ASSETS, assets.length, 'assets');
    const { items: events } = await this.events.list(scope, organizationId, { page: 1, perPage: MAX_EVENTS });
    const period = { from: startDate, to: endDate };
    return {
      parts: {
        subject: 'organization',
        event: null,
        job: null,
        events: events.map(snapshotOfEvent),
        changes: snapshotOfChanges(await this.observed.summarizeChanges(scope, organizationId, period), assets),
      },
      findings: { organizationId },
      jobFindings: new Map(),
      assets: assets.map(inScope),
      isInScope: withoutScope,
      coverage: await this.coverage.coverageOf(scope, { organizationId, eventId: null }, period),
      checks: [],
    };
  }
}

const withoutScope = (): null => null;

const inScope = (asset: Asset): SubjectAsset => ({ asset, entry: { inScope: true, description: null } });

const nameOf = (vocabulary: readonly { number: number; name: string }[], wanted: number): string =>
  vocabulary.find(({ number }) => number === wanted)?.name ?? String(wanted);

const snapshotOfEvent = (event: Event): SnapshotEvent => ({
  id: event.id,
  name: event.name,
  slug: event.slug,
  type: nameOf(eventTypeVocabulary, event.eventType),
  category: nameOf(eventCategoryVocabulary, event.eventCategory),
  dimension: event.dimension,
  status: event.status,
  start_date: event.startDate.toISOString(),
  end_date: event.endDate.toISOString(),
});

/** As the event has them. Who may be called is on the title page. */
const rulesOf = (event: Event): string[] => [
  `The event lasts from ${minuteOf(event.startDate)} to ${minuteOf(event.endDate)}. Only assets in its scope may be tested.`,
  whatIsSent(event) ?? 'The event sends nothing by itself: people launch every test.',
];

/** Without queries, because reports are forwarded. */
const snapshotOfJob = ({ job, gate, coverage }: JobSummary, beacon: SnapshotBeacon | null): SnapshotJob => ({
  uuid: job.uuid,
  url: pageOfUrl(job.url),
  beacon,
  status: job.status,
  created: job.created.toISOString(),
  started: job.started?.toISOString() ?? null,
  finished: job.finished?.toISOString() ?? null,
  error: job.error,
  gate,
  tests: coverage,
});
