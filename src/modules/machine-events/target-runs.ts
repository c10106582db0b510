import { Injectable } from '@nestjs/common';
import { everything } from '../../platform/api/scope';
import { TEST_DEPTHS } from '../../kernel/test-depth';
import { Work } from '../../platform/work/work';
import { type Asset, AssetsService } from '../assets';
import { type Event, EVENT_CATEGORY } from '../events';
import { EventJobs, isJobOver, type JobState, kindOfEventJob } from '../jobs';
import { isObservationOver, OBSERVATION_KIND, ObservationsService, ObservedHosts } from '../observations';
import type { EventTarget } from './data/event-target.entity';
import { EventTargetsRepository } from './data/event-targets.repository';
import { dueAfterChange, lastRoundOf, nextDue, nextTry } from './domain/due-times';
import { checksToContinue } from './domain/checks-to-continue';
import { isTestedByHosts, MAX_ORIGINS, originsOf } from './domain/origins';
import type { EventTerms } from './event-terms';

const scope = everything('the plans of the events of all organizations');

const NOT_OBSERVED = 'Observation is turned off for this asset: an admin can turn it on.';
const MAX_HOSTS = 100;
const MAX_NAMED = 5;
/** An event may have hundreds of thousands. */
const DONE_AT_A_TIME = 2_000;

function namesOf(all: readonly string[]): string {
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '';
  return `${all.slice(0, MAX_NAMED).join(', ')}${more}`;
}

const tooSlowFor = (checks: readonly string[]): string =>
  `It responds so slowly that jobs have no time for ${namesOf(checks)}: raise requests_per_second of the asset, or let it respond faster.`;

const leftOutReason = (origins: readonly string[]): string =>
  `An event tests ${MAX_ORIGINS} web origins of an asset, and left out ${namesOf(origins)}: add them to its scope as assets of their own, or close them.`;

const furtherHostsReason = (further: number): string =>
  `${further} further ${further === 1 ? 'host was' : 'hosts were'} not tested, because an asset has at most ${MAX_HOSTS}: add them to the scope as assets of their own.`;

/** An event with what it may do now. */
export interface Turn {
  readonly event: Event;
  readonly terms: EventTerms;
  readonly now: Date;
}

/** Starts what is due in a plan, reads how it ended, and stops it. Each change is in the transaction of the plan. */
@Injectable()
export class TargetRuns {
  constructor(
    private readonly targets: EventTargetsRepository,
    private readonly observations: ObservationsService,
    private readonly hosts: ObservedHosts,
    private readonly jobs: EventJobs,
    private readonly assets: AssetsService,
    private readonly work: Work,
  ) {}

  /** Returns those that still run. */
  async settle(turn: Turn): Promise<EventTarget[]> {
    const running = await this.targets.listRunning(turn.event.id);
    const ofKind = (isAsset: boolean): string[] =>
      running.filter(({ origin }) => (origin === null) === isAsset).flatMap(({ work }) => work ?? []);
    const jobs = await this.jobs.listStatesOf(scope, ofKind(false));
    const observations = await this.observations.listOfVisible(ofKind(true));
    const left: EventTarget[] = [];
    for (const target of running) {
      const ended =
        target.origin === null
          ? await this.settleObservation(turn, target, observations)
          : await this.settleJob(turn, target, jobs);
      if (!ended) left.push(target);
    }
    return left;
  }

  /** Of what has been tested, after the event has changed. */
  async moveDueTimes({ event, terms: { windows }, now }: Turn): Promise<void> {
    const lastRound = lastRoundOf(event, windows, now);
    for (let asset = 0; ;) {
      const done = await this.targets.listDone(event.id, asset, DONE_AT_A_TIME);
      const dues = done.map((target) => ({ id: target.id, dueAt: dueAfterChange({ event, lastRound, target, now }) }));
      await this.targets.saveDueTimes(event.id, dues);
      if (done.length < DONE_AT_A_TIME) return;
      asset = done.at(-1)?.assetId ?? asset;
    }
  }

  /** Returns false if the organization has no place for it now. The caller has locked the organization for counting. */
  async start(turn: Turn, target: EventTarget): Promise<boolean> {
    const asset = await this.assets.find(scope, target.assetId);
    // It is deleted, and with it the target.
    if (asset === undefined) return true;
    return target.origin === null
      ? this.startObservation(turn, target, asset)
      : this.startJob(turn, target, target.origin, asset);
  }

  /** Whether a worker has it. */
  async hasBegun({ origin, work }: EventTarget): Promise<boolean> {
    if (work === null) return false;
    // The depth of its event may have changed since.
    const kinds = origin === null ? [OBSERVATION_KIND] : TEST_DEPTHS.map(kindOfEventJob);
    const unfinished = await Promise.all(kinds.map((kind) => this.work.findUnfinished(kind, work)));
    return unfinished.some((one) => one?.state === 'running');
  }

  /** It is due again when the event goes on. */
  async stop(target: EventTarget, now: Date): Promise<void> {
    if (target.work !== null) {
      if (target.origin === null) await this.observations.cancelPlanned(scope, target.work);
      else await this.jobs.cancel(scope, target.work);
    }
    await this.targets.move(target, 'waiting', { work: null, dueAt: now });
  }

  private async startObservation({ event, terms, now }: Turn, target: EventTarget, asset: Asset): Promise<boolean> {
    const obstacle = asset.observe ? await this.observations.obstacleTo(scope, asset, 'schedule') : NOT_OBSERVED;
    if (obstacle !== null) return this.refuse(event, target, obstacle, now);
    const { id: eventId, requestsPerSecond } = event;
    const planned = { eventId, requestsPerSecond, until: terms.until };
    const uuid = await this.observations.startPlannedInLocked(scope, asset, planned);
    if (uuid !== undefined) await this.targets.move(target, 'running', { work: uuid });
    return uuid !== undefined;
  }

  private async startJob({ event, now }: Turn, target: EventTarget, url: string, asset: Asset): Promise<boolean> {
    const { id: eventId, organizationId, depth } = event;
    const accounts = { ids: event.accounts ?? [], role: event.accountsRole ?? 'viewer' } as const;
    const place = { eventId, organizationId, url, beaconId: asset.beaconId };
    const job = { ...place, checks: target.checksLeft, depth: depth ?? 'standard', accounts };
    const launched = await this.jobs.launchInLocked(scope, job);
    if ('launchable' in launched) return this.refuse(event, target, launched.reason, now);
    await this.targets.move(target, 'running', { work: launched.uuid });
    return true;
  }

  private async refuse(event: Event, target: EventTarget, reason: string, now: Date): Promise<true> {
    const attempts = target.attempts + 1;
    await this.targets.move(target, 'not_testable', { reason, attempts, dueAt: nextTry(event, target.attempts, now) });
    return true;
  }

  private async settleObservation(
    turn: Turn,
    target: EventTarget,
    observations: Awaited<ReturnType<ObservationsService['listOfVisible']>>,
  ): Promise<boolean> {
    const { event, now } = turn;
    const observation = observations.find(({ uuid }) => uuid === target.work);
    if (observation === undefined || observation.status === 'CANCELED') return this.again(target, now);
    const { status, error, until } = observation;
    if (!isObservationOver(status)) return this.againIfLost(target, OBSERVATION_KIND, now);
    if (status === 'ERROR' && until !== null && until <= now) return this.again(target, now);
    if (status === 'ERROR') return this.failed(event, target, error ?? '', now);
    const untested = await this.planOrigins(turn, target, observation.changes > 0);
    return untested.length === 0 ? this.done(turn, target) : this.failed(event, target, untested.join(' '), now);
  }

  /**
   * The web origins that the observation found. A pentest tests them again only if something changed. Returns what the event
   * does not test.
   */
  private async planOrigins({ event, now }: Turn, target: EventTarget, isChanged: boolean): Promise<string[]> {
    const asset = await this.assets.find(scope, target.assetId);
    if (asset === undefined) return [];
    const { hosts, further } = await this.hosts.listPresentFor(scope, asset.id, MAX_HOSTS);
    const { origins, leftOut } = originsOf(asset, hosts);
    await this.targets.removeOtherOrigins(target, origins);
    await this.targets.addOrigins(target, origins, now);
    if (isChanged && event.eventCategory === EVENT_CATEGORY.pentest) await this.targets.makeOriginsDue(target, now);
    const planned = leftOut.length === 0 ? [] : await this.targets.listPlannedElsewhere(target, leftOut);
    const others = leftOut.filter((origin) => !planned.includes(origin));
    // Of a block no host is tested, unless it is an asset.
    const isCut = further > 0 && isTestedByHosts(asset);
    return [...(others.length > 0 ? [leftOutReason(others)] : []), ...(isCut ? [furtherHostsReason(further)] : [])];
  }

  private async settleJob(turn: Turn, target: EventTarget, jobs: readonly JobState[]): Promise<boolean> {
    const { event, now } = turn;
    const job = jobs.find(({ uuid }) => uuid === target.work);
    if (job === undefined || job.status === 'CANCELED') return this.again(target, now);
    if (!isJobOver(job.status)) return this.againIfLost(target, job.kind, now);
    if (job.status === 'ERROR') return this.failed(event, target, job.error ?? '', now);
    const untested = await this.jobs.untestedPoints(scope, job.uuid);
    const { checks, isStuck } = checksToContinue(job.coverage ?? [], target.checksLeft, untested?.checks);
    if (checks.length === 0 && untested === null) return this.done(turn, target);
    if (checks.length === 0) return this.failed(event, target, untested?.reason ?? '', now, null);
    // The next try runs all of them again.
    if (isStuck) return this.failed(event, target, tooSlowFor(checks), now, null);
    await this.targets.move(target, 'waiting', { work: null, dueAt: now, checksLeft: checks });
    return true;
  }

  private async done({ event, terms: { windows }, now }: Turn, target: EventTarget): Promise<true> {
    const dueAt = nextDue({ event, lastRound: lastRoundOf(event, windows, now), target, now });
    const runs = target.runs + 1;
    await this.targets.move(target, 'done', { work: null, dueAt, lastRun: now, runs, attempts: 0, checksLeft: null });
    return true;
  }

  private async failed(
    event: Event,
    target: EventTarget,
    reason: string,
    now: Date,
    checksLeft = target.checksLeft,
  ): Promise<true> {
    const { attempts } = target;
    const dueAt = nextTry(event, attempts, now);
    await this.targets.move(target, 'not_testable', { reason, work: null, dueAt, attempts: attempts + 1, checksLeft });
    return true;
  }

  private async again(target: EventTarget, now: Date): Promise<true> {
    await this.targets.move(target, 'waiting', { work: null, dueAt: now });
    return true;
  }

  /** Its work may have been stopped with the event, which runs again since. */
  private async againIfLost(target: EventTarget, kind: string, now: Date): Promise<boolean> {
    if (target.work === null || (await this.work.findUnfinished(kind, target.work)) !== undefined) return false;
    await this.stop(target, now);
    return true;
  }
}
