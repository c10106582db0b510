import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { everything } from '../../../platform/api/scope';
import { runEach } from '../../../platform/work/run-each';
import { Scheduled } from '../../../platform/work/work-handler';
import { EventsService } from '../../events';
import type { EventPlan } from '../data/event-plan.entity';
import { EventPlansRepository } from '../data/event-plans.repository';
import { EventEnding } from '../event-ending';
import { EventRetests } from '../event-retests';
import { isReported, PlanTurn } from '../plan-turn';

const scope = everything('the events of all organizations');

const MAX_TURNS = 200;
const DAY_MS = 86_400_000;

/** Takes the turns of the plans that are due. Any number of workers may do so at the same time. */
@Injectable()
export class EventPlans {
  constructor(
    private readonly plans: EventPlansRepository,
    private readonly events: EventsService,
    private readonly turns: PlanTurn,
    private readonly retests: EventRetests,
    private readonly ending: EventEnding,
    private readonly clock: Clock,
  ) {}

  @Scheduled({ name: 'event.plans', everySeconds: 2 })
  async run(): Promise<void> {
    const now = this.clock.now();
    await this.plans.addMissing(await this.events.listToPlan(scope, new Date(now.getTime() - DAY_MS)), now);
    await runEach(await this.plans.listDue(scope, now, MAX_TURNS), (key) => this.advance(key));
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
