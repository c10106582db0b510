import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { DomainError, PlacesTakenError } from '../../kernel/domain-error';
import type { Caller } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { asDomainError } from '../../platform/database/database-errors';
import { OrganizationsService } from '../organizations';
import type { RunPart } from './data/run-part.entity';
import { RunPartsRepository } from './data/run-parts.repository';
import type { ScheduleRun } from './data/schedule-run.entity';
import type { Schedule } from './data/schedule.entity';
import { isOpen, nextClosing, parseWindows } from '../../kernel/opening-windows';
import { Makers } from './makers';
import { LAUNCHES, PartLauncher, PLACES } from './part-launcher';

/** A part that three windows were too short for does not start again. */
const MAX_INTERRUPTIONS = 3;

/** So long after the end of a window, a job may store what it found. */
const CLOSING_MS = 30_000;

const PAUSED = 'The schedule was paused before it started.';
const WINDOW_TOO_SHORT = `It did not end within ${MAX_INTERRUPTIONS} windows: make them longer, or let it run fewer checks.`;
const INTERRUPTED = 'The window closed before it ended.';

/** The audit operation of each cancellation, as a person's request has it. */
const CANCELS = {
  job: 'job.cancel',
  observation: 'asset.observation_cancel',
  retest: 'retest.cancel',
  resolved_retest: 'retest.cancel',
} as const;

const scope = everything('a worker runs the schedules of all organizations');

/** One step of a run: what has ended is noted, and as much is started as there is room for. */
@Injectable()
export class RunProgress {
  constructor(
    private readonly parts: RunPartsRepository,
    private readonly launcher: PartLauncher,
    private readonly makers: Makers,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async step(schedule: Schedule, run: ScheduleRun, signal: AbortSignal): Promise<void> {
    const caller = await this.makers.callerFor(schedule);
    for (const part of await this.parts.listStartedOf(run.id)) {
      const end = await this.launcher.endOf(caller, schedule.what, part);
      if (end === null) continue;
      const left = end.result === 'finished' ? await this.launcher.checksLeft(caller, schedule.what, part) : [];
      if (left.length > 0) await this.parts.saveUnfinished(part, left);
      else await this.parts.saveOver(part.id, end.result, end.reason);
    }
    if (schedule.status === 'paused') return this.parts.refuseWaitingOf(run.id, PAUSED);
    if (isOpen(parseWindows(schedule.windows), this.clock.now())) return this.startParts(caller, schedule, run, signal);
    return this.interrupt(schedule, run);
  }

  private async startParts(caller: Caller, schedule: Schedule, run: ScheduleRun, signal: AbortSignal): Promise<void> {
    const windows = parseWindows(schedule.windows);
    for (const part of await this.parts.listWaitingOf(run.id, PLACES[schedule.what])) {
      signal.throwIfAborted();
      if (!isOpen(windows, this.clock.now())) return;
      if (!(await this.hasPlaceFor(caller, schedule, run, part))) return;
    }
  }

  /**
   * The launch and the note that it was done are one transaction: a part whose worker was lost was started and noted, or
   * neither. The organization is locked first, as every launch does. Returns false where there is no place for it now.
   */
  private async hasPlaceFor(caller: Caller, schedule: Schedule, run: ScheduleRun, part: RunPart): Promise<boolean> {
    const { id, organizationId, what } = schedule;
    if (part.interruptions >= MAX_INTERRUPTIONS) {
      await this.parts.saveRefused(part.id, WINDOW_TOO_SHORT);
      return true;
    }
    const metadata = { schedule: id, run: run.uuid };
    const description = { actor: caller.actor, ...LAUNCHES[what], organizationId, metadata };
    let hasPlace = true;
    try {
      await this.unitOfWork.runIfDue(description, caller.scope, async () => {
        await this.organizations.lockForCounting(scope, organizationId);
        hasPlace = (await this.parts.countStartedOf(organizationId, what)) < PLACES[what];
        const waiting = hasPlace ? await this.parts.lockWaiting(part.id) : undefined;
        if (waiting === undefined) return undefined;
        const until = nextClosing(parseWindows(schedule.windows), this.clock.now());
        const reference = await this.launcher.start(caller, schedule, waiting, until);
        await this.parts.saveStarted(part.id, reference);
        return reference;
      });
      return hasPlace;
    } catch (thrown) {
      const error = asDomainError(thrown);
      if (error instanceof PlacesTakenError) return false;
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw thrown;
      await this.parts.saveRefused(part.id, error.message);
      return true;
    }
  }

  /** Nothing is sent outside of the windows: what does not end by itself is stopped, and starts again in the next one. */
  private async interrupt(schedule: Schedule, run: ScheduleRun): Promise<void> {
    const { organizationId, what } = schedule;
    if (what === 'report') return;
    const caller = this.makers.callerToStop(schedule);
    const { resourceType } = LAUNCHES[what];
    const isClosing = isOpen(parseWindows(schedule.windows), new Date(this.clock.now().getTime() - CLOSING_MS));
    for (const part of await this.parts.listStartedOf(run.id)) {
      const metadata = { schedule: schedule.id, run: run.uuid, reason: INTERRUPTED };
      const description = { actor: caller.actor, operation: CANCELS[what], resourceType, organizationId, metadata };
      try {
        if (isClosing && (await this.launcher.endsByItself(caller, what, part))) continue;
        await this.unitOfWork.run(description, caller.scope, async () => {
          await this.launcher.cancel(caller, what, part);
          await this.parts.saveInterrupted(part.id);
        });
      } catch (error) {
        // It has ended meanwhile, which the next step notes.
        if (!(error instanceof DomainError)) throw error;
      }
    }
  }
}
