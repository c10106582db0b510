import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { DomainError, PlacesTakenError } from '../../kernel/domain-error';
import { HOUR_MS } from '../../kernel/durations';
import { system, SystemCaller } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import type { AuditDescription } from '../../platform/audit/audit-entry';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { DEFAULT_PARALLEL_TARGETS, type Event } from '../events';
import { RetestSelection } from '../findings';
import { OrganizationsService } from '../organizations';
import { isRetestOver, RetestsService } from '../retests';
import type { EventPlan, PlannedRetest } from './data/event-plan.entity';
import { EventPlansRepository } from './data/event-plans.repository';

const scope = everything('the retests of the events of all organizations');

/** In one turn: those that wait for the verdict of a person take no place. */
const MAX_STARTS = 20;

const RETRY_MS = HOUR_MS;

type OfEvent = Pick<EventPlan, 'eventId' | 'organizationId'>;
type Cursor = OfEvent & Pick<EventPlan, 'retestedTo' | 'retests'>;

/** Retests the findings of an event that is `retesting`, as many at a time as targets may be tested. */
@Injectable()
export class EventRetests {
  constructor(
    private readonly plans: EventPlansRepository,
    private readonly findings: RetestSelection,
    private readonly retests: RetestsService,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Starts those that there is a place for, each in the transaction that notes it in the plan. */
  async startSome(plan: OfEvent, event: Event): Promise<void> {
    for (let starts = 0; starts < MAX_STARTS; starts += 1) if (!(await this.startNext(plan, event))) return;
  }

  /** Stops those that have not ended: they start again when the event goes on, unless it is over. */
  async stop({ eventId, organizationId, retests }: EventPlan, startAgain: boolean): Promise<void> {
    const caller = new SystemCaller(organizationId);
    const stopped: PlannedRetest[] = [];
    for (const one of retests) {
      const { findingId, uuid } = one;
      if (uuid !== null && !(await this.isUnfinished(findingId, uuid))) continue;
      stopped.push({ ...one, uuid: null });
      if (uuid === null) continue;
      const cancel = () => this.retests.cancel(caller, findingId);
      try {
        await this.unitOfWork.run(descriptionOf(organizationId, 'retest.cancel'), scope, cancel);
      } catch (error) {
        // It has ended meanwhile.
        if (!(error instanceof DomainError)) throw error;
      }
    }
    await this.plans.change({ eventId, organizationId }, { retests: startAgain ? stopped : [] });
  }

  /** Returns whether the next one may follow. */
  private async startNext(plan: OfEvent, event: Event): Promise<boolean> {
    const caller = new SystemCaller(plan.organizationId);
    const description = descriptionOf(plan.organizationId, 'retest.start');
    let next: number | undefined;
    try {
      const started = await this.unitOfWork.runIfDue(description, scope, async () => {
        const free = await this.lockFree(plan, event);
        next = free?.next;
        if (free === undefined || next === undefined) return undefined;
        const { retest } = await this.retests.start(caller, { findingId: next, eventSlug: event.slug });
        const { findingId, uuid, checkId } = retest;
        // Without a check it waits for the verdict of a person.
        const running = checkId === null ? [] : [{ findingId, uuid }];
        await this.save(free.plan, next, running);
        return true;
      });
      return started === true;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // The organization has no place for it now: the next turn tries again.
      if (error instanceof PlacesTakenError || next === undefined) return false;
      // It cannot be retested now: the audit log has the reason.
      await this.postpone(plan, event.id, next);
      return true;
    }
  }

  /** The plan, and the finding that is next; undefined if as many run as may. Locks as every launch does. */
  private async lockFree(key: OfEvent, event: Event): Promise<{ plan: Cursor; next: number | undefined } | undefined> {
    await this.organizations.lockForCounting(scope, key.organizationId);
    const locked = await this.plans.lock(key);
    if (locked === undefined) return undefined;
    const retests: PlannedRetest[] = [];
    for (const one of locked.retests)
      if (one.uuid === null || (await this.isUnfinished(one.findingId, one.uuid))) retests.push(one);
    if (retests.length < locked.retests.length) await this.plans.change(key, { retests });
    const plan = { ...key, retestedTo: locked.retestedTo, retests };
    const running = retests.filter(({ uuid }) => uuid !== null).length;
    if (running >= (event.parallelTargets ?? DEFAULT_PARALLEL_TARGETS)) return undefined;
    const now = this.clock.now();
    const stopped = retests.find(({ uuid, again }) => uuid === null && (again === undefined || new Date(again) <= now));
    if (stopped !== undefined) return { plan, next: stopped.findingId };
    const [next] = await this.findings.listOfEventAfter(scope, event.id, plan.retestedTo, 1);
    return { plan, next };
  }

  /** One that is still to be retested is tried again: a beacon comes back, or an admin changes the rules. */
  private postpone(key: OfEvent, eventId: number, findingId: number): Promise<unknown> {
    return this.unitOfWork.runIfDue(descriptionOf(key.organizationId, 'retest.start'), scope, async () => {
      const plan = await this.plans.lock(key);
      const [next] = await this.findings.listOfEventAfter(scope, eventId, findingId - 1, 1);
      const again = new Date(this.clock.now().getTime() + RETRY_MS).toISOString();
      if (plan !== undefined)
        await this.save(plan, findingId, next === findingId ? [{ findingId, uuid: null, again }] : []);
      return undefined;
    });
  }

  private save(plan: Cursor, findingId: number, running: readonly PlannedRetest[]): Promise<void> {
    const others = plan.retests.filter((one) => one.findingId !== findingId);
    const retestedTo = Math.max(plan.retestedTo, findingId);
    return this.plans.change(plan, { retestedTo, retests: [...others, ...running] });
  }

  /** Another one of the finding may have replaced it. */
  private async isUnfinished(findingId: number, uuid: string): Promise<boolean> {
    try {
      const last = await this.retests.get(scope, { findingId });
      return last.uuid === uuid && !isRetestOver(last.status);
    } catch (error) {
      // Its finding was deleted.
      if (error instanceof DomainError) return false;
      throw error;
    }
  }
}

const descriptionOf = (organizationId: number, operation: string): AuditDescription => ({
  actor: system,
  operation,
  resourceType: 'retest',
  organizationId,
});
