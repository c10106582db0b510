import { Injectable } from '@nestjs/common';
import { MINUTE_MS } from '../../../kernel/durations';
import { Clock } from '../../../kernel/clock';
import type { Scope } from '../../../platform/api/scope';
import type { StoredEventDays } from '../data/event-days.entity';
import type { FindingsOfDay } from '../domain/finding-overview';
import { EventDaysRepository } from './data/event-days.repository';

const OUTDATED_AFTER_MS = 10 * MINUTE_MS;
const MAX_DAYS = 400;
const NEVER = new Date(0);

export interface EventRange {
  readonly id: number;
  readonly organizationId: number;
  readonly startDate: Date;
}

export interface EventDaysAt {
  /** Newest first. */
  readonly days: readonly FindingsOfDay[];
  /** Null until a task has counted them for the first time. */
  readonly computed: Date | null;
}

/** What was found and fixed on each day of an event: computed at once for most, and kept by a task for very many findings. */
@Injectable()
export class EventDaysService {
  /** The days of an event with more findings are stored. Tests lower both limits. */
  maxComputedAtOnce = 5_000;
  /** Those of one with more findings are computed by a task alone: a request may end before that. */
  maxComputedFirst = 50_000;

  constructor(
    private readonly days: EventDaysRepository,
    private readonly clock: Clock,
  ) {}

  async read(scope: Scope, event: EventRange): Promise<EventDaysAt> {
    const { id, organizationId, startDate: since } = event;
    const count = await this.days.count(scope, id, this.maxComputedFirst + 1);
    if (count <= this.maxComputedAtOnce)
      return { days: await this.days.list(scope, id, since, MAX_DAYS), computed: this.clock.now() };
    const stored = await this.days.findStored(scope, id);
    if (stored?.since.getTime() === since.getTime())
      return { days: stored.days, computed: stored.computed > NEVER ? stored.computed : null };
    if (count <= this.maxComputedFirst) return this.computeAndStore(scope, { eventId: id, organizationId, since });
    await this.days.save({ eventId: id, organizationId, since, computed: NEVER, days: [] });
    return { days: [], computed: null };
  }

  listOutdated(scope: Scope, limit: number): Promise<StoredEventDays[]> {
    return this.days.listOutdated(scope, new Date(this.clock.now().getTime() - OUTDATED_AFTER_MS), limit);
  }

  async computeAndStore(
    scope: Scope,
    event: Pick<StoredEventDays, 'eventId' | 'organizationId' | 'since'>,
  ): Promise<EventDaysAt> {
    const { eventId, organizationId, since } = event;
    const computed = this.clock.now();
    const days = await this.days.list(scope, eventId, since, MAX_DAYS);
    await this.days.save({ eventId, organizationId, since, computed, days });
    return { days, computed };
  }
}
