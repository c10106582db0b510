import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../../kernel/durations';
import { Clock } from '../../../kernel/clock';
import { everything, type Scope } from '../../../platform/api/scope';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Scheduled } from '../../../platform/work/work-handler';
import { EventsService } from '../../events';
import type { EventPlan } from '../data/event-plan.entity';
import { EventPlansRepository } from '../data/event-plans.repository';
import { EventEnding } from '../event-ending';
import { EventRetests } from '../event-retests';
import { isReported, PlanTurn } from '../plan-turn';

const scope = everything('the events of all organizations');

const MAX_TURNS = 200;

/** Takes the turns of the plans that are due. Any number of workers may do so at the same time. */
@Injectable()
export class EventPlans {
  constructor(
    private readonly plans: EventPlansRepository,
    private readonly events: EventsService,
    private readonly turns: PlanTurn,
    private readonly retests: EventRetests,
    private readonly ending: EventEnding,
    private readonly tenants: TenantTurns,
    private readonly clock: Clock,
  ) {}

  @Scheduled({ name: 'event.plans', everySeconds: 2 })
  async run(): Promise<void> {
    const now = this.clock.now();
    await this.tenants.sweep('event.plans:add', scope, async (part) => {
      await this.plans.addMissing(await this.events.listToPlan(part, new Date(now.getTime() - DAY_MS)), now);
      return 0;
    });
    const due = (part: Scope) => this.plans.listDue(part, now, MAX_TURNS);
    await this.tenants.each('event.plans', scope, due, (key) => this.advance(key));
  }

  private async advance(key: Pick<EventPlan, 'eventId' | 'organizationId'>): Promise<void> {
    const turn = await this.turns.take(key);
    if (turn === undefined) return;
    const { plan, event, mode, terms, isSettled } = turn;
    const isRetesting = mode === 'retest';
    if (isRetesting && terms.mayStart) await this.retests.startSome(plan, event);
    // Unlike a job, a retest that is interrupted has no result.
    else if (plan.retests.length > 0 && !(isRetesting && terms.mayGoOn))
      await this.retests.stop(plan, isRetesting || mode === 'rest');
    if (mode === 'over' && isSettled && isReported(event)) await this.ending.report(plan, event);
  }
}
