import { everything } from '../../src/platform/api/scope';
import { Clock } from '../../src/kernel/clock';
import { DueSchedules } from '../../src/modules/schedules/work/due-schedules';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import type { Claim } from '../../src/platform/work/claim';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { WorkRepository } from '../../src/platform/work/work.repository';
import type { RunningApi } from './api';
import { query } from './database';

export interface RunRow {
  readonly uuid: string;
  readonly due: Date;
  readonly status: string;
  readonly parts: number;
  readonly results: Record<string, number>;
  readonly obstacles: readonly { readonly reason: string; readonly parts: number }[];
  readonly reason: string | null;
}

/** Runs the scheduled task and the work of schedules in this process, at a time that the test sets. */
export class ScheduleTime {
  private now = Date.now();

  constructor(private readonly api: RunningApi) {}

  start(): void {
    this.now = Date.now();
    jest.spyOn(this.api.app.get(Clock), 'now').mockImplementation(() => new Date(this.now));
  }

  set(at: Date | number | string): void {
    this.now = new Date(at).getTime();
  }

  advance(ms: number): void {
    this.now += ms;
  }

  get date(): Date {
    return new Date(this.now);
  }

  /** The scheduled task alone. */
  tick(): Promise<void> {
    return this.api.app.get(DueSchedules, { strict: false }).run();
  }

  async tickAndWork(): Promise<void> {
    await this.tick();
    await this.work();
  }

  /** As workers do with all that waits. */
  async work(): Promise<void> {
    for (const claim of await this.claim()) await this.complete(claim);
  }

  /** As a worker does, whose earlier attempt may have been lost. */
  claim(): Promise<Claim[]> {
    return query<Claim>(
      `UPDATE work SET state = 'running', attempt = attempt + 1, lease_until = now() + interval '1 hour'
       WHERE kind = 'schedule.run' AND state IN ('waiting', 'running')
       RETURNING id, kind, reference, organization_id AS "organizationId", attempt, failures`,
    );
  }

  async perform(claim: Claim): Promise<() => Promise<boolean>> {
    const handler = this.api.app.get(WorkRegistry).handlerOf(claim.kind);
    const { audit, apply } = await handler.perform(claim, new AbortController().signal);
    return () =>
      this.api.app.get(UnitOfWork).run(audit, everything('a test'), async () => {
        const isCurrent = await this.api.app.get(WorkRepository, { strict: false }).finish(claim, 'done');
        if (isCurrent) await apply();
        return isCurrent;
      });
  }

  private async complete(claim: Claim): Promise<void> {
    await (
      await this.perform(claim)
    )();
  }
}

/** Oldest first. */
export const runsOf = (scheduleId: number): Promise<RunRow[]> =>
  query<RunRow>(
    'SELECT uuid, due, status, parts, results, obstacles, reason FROM schedule_runs WHERE schedule_id = $1 ORDER BY id',
    [scheduleId],
  );
