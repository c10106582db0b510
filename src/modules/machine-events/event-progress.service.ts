import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { dayOf } from '../../kernel/day';
import type { Scope } from '../../platform/api/scope';
import { Config } from '../../platform/config/load-config';
import { AssetsService } from '../assets';
import { type Event, EventsService, whatIsSent } from '../events';
import { EventDaysService, type FindingsOfDay } from '../findings';
import { kindOfEventJob, EventJobs, type JobsOfDay } from '../jobs';
import type { EventTarget } from './data/event-target.entity';
import { EventTargetsRepository } from './data/event-targets.repository';
import { type Capacity, capacityOf, EVENT_JOB_SLOTS } from './domain/capacity';
import { type TargetTotals, totalsOf } from './domain/target-totals';
import { termsOf } from './event-terms';
import { nextRunOf } from './next-run-of';
import { PlannedScope } from './planned-scope';

export interface NotTestable extends Pick<EventTarget, 'assetId' | 'origin' | 'dueAt'> {
  readonly asset: string;
  readonly reason: string;
}

/** What ran on a day, and what it found and saw fixed. */
export type EventDay = JobsOfDay & Omit<FindingsOfDay, 'day'>;

export interface EventProgress {
  readonly event: Event;
  /** What it sends; null if nothing. */
  readonly sends: string | null;
  readonly assets: TargetTotals;
  readonly origins: TargetTotals;
  readonly found: number;
  readonly fixed: number;
  /** When they were counted. Null until a task has counted very many findings for the first time. */
  readonly counted: Date | null;
  /** Null if nothing is planned. */
  readonly nextRun: Date | null;
  readonly capacity: Capacity | null;
  readonly notTestable: readonly NotTestable[];
  /** The assets beyond those that an event tests; null if it tests all. */
  readonly leftOut: string | null;
  /** The names of its accounts that sign in at none of its origins. */
  readonly unmatchedAccounts: readonly string[];
  /** Newest first. */
  readonly days: readonly EventDay[];
}

const MAX_NOT_TESTABLE = 100;
const MAX_DAYS = 400;

@Injectable()
export class EventProgressService {
  constructor(
    private readonly events: EventsService,
    private readonly planned: PlannedScope,
    private readonly targets: EventTargetsRepository,
    private readonly assets: AssetsService,
    private readonly jobs: EventJobs,
    private readonly findings: EventDaysService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async read(scope: Scope, slug: string): Promise<EventProgress> {
    return this.readOf(scope, await this.events.get(scope, slug));
  }

  /** Of an event that the caller has read in this scope. */
  async readOf(scope: Scope, event: Event): Promise<EventProgress> {
    const now = this.clock.now();
    const counts = await this.targets.count(event.id, now, startOfDay(now));
    const ofAssets = counts.filter(({ isAsset }) => isAsset);
    const ofOrigins = counts.filter(({ isAsset }) => !isAsset);
    const isPlanned = ofAssets.length > 0;
    const { assets, leftOut } = isPlanned
      ? { assets: totalsOf(ofAssets), leftOut: await this.planned.leftOutOf(event) }
      : await this.beforePlan(scope, event);
    const jobs = await this.jobs.listDaysOf(scope, event.id, MAX_DAYS);
    const { days: findings, computed: counted } = await this.findings.read(scope, event);
    return {
      event,
      sends: whatIsSent(event),
      assets,
      origins: totalsOf(ofOrigins),
      found: sumOf(findings, ({ found }) => found),
      fixed: sumOf(findings, ({ fixed }) => fixed),
      counted,
      nextRun: nextRunOf(event, counts, now),
      // Until the assets were observed, each counts as one origin.
      capacity: capacityOf({
        event,
        windows: termsOf(event, now).windows,
        origins: sumOf(ofOrigins.length > 0 ? ofOrigins : ofAssets, ({ count }) => count) || assets.waiting,
        seconds: secondsOfJob(jobs),
        slots:
          this.config.WORKER_SLOTS.get(kindOfEventJob(event.depth ?? 'standard')) ??
          Math.min(this.config.WORKER_CONCURRENCY, EVENT_JOB_SLOTS),
        now,
      }),
      notTestable: await this.notTestableOf(scope, event),
      leftOut: leftOut === 0 ? null : leftOutText(leftOut, this.planned.maxAssets),
      // Before the first observation it has no origins.
      unmatchedAccounts: ofOrigins.length === 0 ? [] : await this.unmatchedAccountsOf(scope, event),
      days: daysOf(jobs, findings),
    };
  }

  private async unmatchedAccountsOf(scope: Scope, { id, accounts }: Event): Promise<string[]> {
    const all = await this.jobs.signInPagesOf(scope, accounts ?? []);
    if (all.length === 0) return [];
    const tested = new Set(
      await this.targets.listOriginsAmong(
        id,
        all.flatMap(({ pages }) => pages),
      ),
    );
    return all.filter(({ pages }) => !pages.some((page) => tested.has(page))).map(({ name }) => name);
  }

  /** All assets of its scope wait, up to their limit. */
  private async beforePlan(scope: Scope, event: Event): Promise<{ assets: TargetTotals; leftOut: number }> {
    const { ids, leftOut } = await this.planned.assetsIn(scope, event);
    const [waiting, neverTested] = [ids.length, ids.length + leftOut];
    return { assets: { done: 0, running: 0, waiting, notTestable: leftOut, testedToday: 0, neverTested }, leftOut };
  }

  private async notTestableOf(scope: Scope, { id }: Event): Promise<NotTestable[]> {
    const targets = await this.targets.listNotTestable(id, MAX_NOT_TESTABLE);
    if (targets.length === 0) return [];
    const assets = await this.assets.listByIds(scope, [...new Set(targets.map(({ assetId }) => assetId))]);
    const values = new Map(assets.map((asset) => [asset.id, asset.value]));
    return targets.map(({ assetId, origin, dueAt, reason }) => ({
      assetId,
      origin,
      dueAt,
      asset: values.get(assetId) ?? '',
      reason: reason ?? '',
    }));
  }
}

const leftOutText = (leftOut: number, most: number): string =>
  `${counted(leftOut)} further ${leftOut === 1 ? 'asset' : 'assets'} of its scope ${leftOut === 1 ? 'is' : 'are'} not tested, because an event has at most ${counted(most)}: let several events share the scope.`;

const counted = (count: number): string => count.toLocaleString('en');

const startOfDay = (at: Date): Date => new Date(dayOf(at));

const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

function secondsOfJob(days: readonly JobsOfDay[]): number | null {
  const jobs = sumOf(days, (day) => day.jobs);
  return jobs === 0 ? null : sumOf(days, ({ seconds }) => seconds) / jobs;
}

const NO_JOBS = { jobs: 0, assets: 0, pages: 0, requests: 0, failed: 0, seconds: 0 };

function daysOf(jobs: readonly JobsOfDay[], findings: readonly FindingsOfDay[]): EventDay[] {
  const jobsOf = new Map(jobs.map((row) => [row.day, row]));
  const findingsOf = new Map(findings.map((row) => [row.day, row]));
  const days = [...new Set([...jobsOf.keys(), ...findingsOf.keys()])].sort().toReversed();
  return days.map((day) => {
    const { found, fixed } = findingsOf.get(day) ?? { found: 0, fixed: 0 };
    return { ...NO_JOBS, ...jobsOf.get(day), day, found, fixed };
  });
}
