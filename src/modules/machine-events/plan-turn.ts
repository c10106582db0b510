import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { DEFAULT_PARALLEL_TARGETS, type Event, EventsService } from '../events';
import { OrganizationsService } from '../organizations';
import type { EventPlan } from './data/event-plan.entity';
import type { EventTarget } from './data/event-target.entity';
import { EventPlansRepository } from './data/event-plans.repository';
import { EventTargetsRepository } from './data/event-targets.repository';
import { type PlanMode, planModeOf } from './domain/plan-mode';
import { type EventTerms, termsOf } from './event-terms';
import { PlannedScope } from './planned-scope';
import { TargetRuns, type Turn } from './target-runs';

const scope = everything('the plans of the events of all organizations');

/** How soon a plan is looked at again: while something runs or is due, and otherwise. */
const BUSY_MS = 2_000;
const REST_MS = 10_000;
const IDLE_MS = 60_000;

/** How soon new assets are found that the scope covers. A change of the scope itself is seen in the next turn. */
const SCOPE_MS = 60_000;

/** Refusals cost no slot, so a turn looks at more targets than it can start. */
const MAX_TRIES = 50;

export interface TurnResult {
  readonly plan: EventPlan;
  readonly event: Event;
  readonly mode: PlanMode;
  readonly terms: EventTerms;
  /** Whether nothing runs any more. */
  readonly isSettled: boolean;
}

/** Retesting goes on after the end date, until a person ends it. */
const ENDLESS = new Date(8.64e15);

/**
 * One turn of a plan: reads what has ended, compares the targets with the scope, and starts what is due. All of it is one
 * transaction, so a lost worker leaves nothing half done. It locks the organization, the plan and the event, in this order.
 */
@Injectable()
export class PlanTurn {
  constructor(
    private readonly plans: EventPlansRepository,
    private readonly targets: EventTargetsRepository,
    private readonly runs: TargetRuns,
    private readonly planned: PlannedScope,
    private readonly events: EventsService,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Undefined if another worker had the turn. */
  async take(key: Pick<EventPlan, 'eventId' | 'organizationId'>): Promise<TurnResult | undefined> {
    const { organizationId, eventId } = key;
    const operation = 'event.plan';
    const description = { actor: system, operation, resourceType: 'event', organizationId } as const;
    let result: TurnResult | undefined;
    // Without an audit entry: the ends of jobs and observations have theirs.
    await this.unitOfWork.runIfDue(description, scope, async () => {
      result = undefined;
      const now = this.clock.now();
      await this.organizations.lockForCounting(scope, organizationId);
      const plan = await this.plans.lockDue(key, now);
      const event = plan && (await this.events.lockForShare(scope, eventId));
      if (plan === undefined || event === undefined) return undefined;
      const mode = planModeOf(event);
      const { windows, endDate } = event;
      const terms = termsOf({ windows, endDate: mode === 'retest' ? ENDLESS : endDate }, now);
      const { nextTurn, isSettled } = await this.advance(plan, { event, terms, now }, mode);
      const retestedTo = mode === 'retest' ? plan.retestedTo : 0;
      await this.plans.change(key, { nextTurn, retestedTo });
      result = { plan, event, mode, terms, isSettled };
      return undefined;
    });
    return result;
  }

  /** Says when the plan is looked at again. */
  private async advance(plan: EventPlan, turn: Turn, mode: PlanMode): Promise<Advance> {
    const { event, terms, now } = turn;
    const running = await this.runs.settle(turn);
    if (mode !== 'test' || !terms.isOpen) {
      const left = await this.stop(turn, running, mode);
      const isSettled = left === 0 && plan.retests.length === 0;
      const isDone = isSettled && mode === 'over' && (plan.reported !== null || !isReported(event));
      const isBusy = left > 0 || plan.retests.some(({ uuid }) => uuid !== null);
      const pause = isBusy ? BUSY_MS : isSettled && mode === 'test' ? IDLE_MS : REST_MS;
      return { isSettled, nextTurn: isDone ? null : later(now, pause) };
    }
    await this.keepTerms(plan, turn);
    const inScope = await this.inScope(plan, turn, running);
    const isWaiting = terms.mayStart && (await this.startDue(turn, inScope.length));
    if (isWaiting || inScope.length > 0) return { isSettled: false, nextTurn: later(now, BUSY_MS) };
    const due = await this.targets.nextDue(event.id);
    const next = Math.min(now.getTime() + IDLE_MS, Math.max(now.getTime() + BUSY_MS, due?.getTime() ?? Infinity));
    return { isSettled: true, nextTurn: new Date(next) };
  }

  /** Due times move with what they depend on. */
  private async keepTerms(plan: EventPlan, turn: Turn): Promise<void> {
    const { everyHours, windows, endDate } = turn.event;
    const terms = JSON.stringify([everyHours, windows, endDate]);
    if (plan.terms === terms) return;
    if (plan.terms !== null) await this.runs.moveDueTimes(turn);
    await this.plans.change(plan, { terms });
  }

  /** At the end of a window what runs ends by itself and keeps its results. Returns how many still run. */
  private async stop({ terms, now }: Turn, running: readonly EventTarget[], mode: PlanMode): Promise<number> {
    const mayEnd = terms.isClosing && (mode === 'test' || mode === 'over');
    let left = 0;
    for (const target of running) {
      if (mayEnd && (await this.runs.hasBegun(target))) left += 1;
      else await this.runs.stop(target, now);
    }
    return left;
  }

  private async inScope(plan: EventPlan, { event, now }: Turn, running: EventTarget[]): Promise<EventTarget[]> {
    const scopeVersion = await this.planned.versionOf(event);
    const isRead = plan.scopeRead !== null && now.getTime() - plan.scopeRead.getTime() < SCOPE_MS;
    if (isRead && plan.scopeVersion === scopeVersion) return running;
    await this.plans.change(plan, { scopeRead: now, scopeVersion });
    return this.planned.read(plan, event, running, now);
  }

  /** Returns whether something was started or is still due. */
  private async startDue(turn: Turn, running: number): Promise<boolean> {
    const { event, now } = turn;
    const most = event.parallelTargets ?? DEFAULT_PARALLEL_TARGETS;
    const due = running < most ? await this.targets.listDue(event.id, now, MAX_TRIES) : [];
    let free = most - running;
    for (const target of due) {
      if (free === 0) break;
      if (!(await this.runs.start(turn, target))) break;
      free -= 1;
    }
    return due.length > 0;
  }
}

interface Advance {
  /** Null for never. */
  readonly nextTurn: Date | null;
  readonly isSettled: boolean;
}

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

export const isReported = ({ status, reportAtEnd }: Pick<Event, 'status' | 'reportAtEnd'>): boolean =>
  status === 'finished' && reportAtEnd === true;
