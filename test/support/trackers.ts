import { Clock } from '../../src/kernel/clock';
import { FindingsService } from '../../src/modules/findings';
import type { RetestResult } from '../../src/modules/retests/domain/retest-status';
import { RetestsRepository } from '../../src/modules/retests/data/retests.repository';
import { RetestEnding } from '../../src/modules/retests/retest-ending';
import { TrackerWork } from '../../src/modules/trackers/work/tracker-work';
import { system } from '../../src/platform/api/caller';
import { everything } from '../../src/platform/api/scope';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import type { Claim } from '../../src/platform/work/claim';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { WorkRepository } from '../../src/platform/work/work.repository';
import type { RunningApi } from './api';
import { query } from './database';

const scope = everything('a test');

/** Runs the scheduled task and the turns of trackers in this process, at a time that the test sets. */
export class TrackerTime {
  private time = Date.now();

  constructor(private readonly api: RunningApi) {}

  start(): void {
    this.time = Date.now();
    jest.spyOn(this.api.app.get(Clock), 'now').mockImplementation(() => this.now());
  }

  now = (): Date => new Date(this.time);

  advance(minutes: number): void {
    this.time += minutes * 60_000;
  }

  /** As the scheduled task and the workers do, once. */
  async turn(): Promise<void> {
    await this.api.app.get(TrackerWork, { strict: false }).run();
    const claims = await query<Claim>(
      `UPDATE work SET state = 'running', attempt = attempt + 1, lease_until = now() + interval '1 hour'
       WHERE kind = 'tracker.turn' AND state = 'waiting'
       RETURNING id, kind, reference, organization_id AS "organizationId", attempt, failures`,
    );
    for (const claim of claims) await this.complete(claim);
  }

  /** Some turns, a minute after each other. */
  async run(turns = 3): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      await this.turn();
      this.advance(1);
    }
  }

  private async complete(claim: Claim): Promise<void> {
    const handler = this.api.app.get(WorkRegistry).handlerOf(claim.kind);
    const { audit, apply } = await handler.perform(claim, new AbortController().signal);
    await this.api.app.get(UnitOfWork).runIfDue(audit, scope, async () => {
      await this.api.app.get(WorkRepository, { strict: false }).finish(claim, 'done');
      await apply();
      return undefined;
    });
  }
}

/** Ends the retest of a finding as the worker does that has run its check. Returns false if none is unfinished. */
export async function endRetest(
  { app }: RunningApi,
  findingId: number,
  result: RetestResult,
  reason = 'All responses agree.',
): Promise<boolean> {
  const description = { actor: system, operation: 'retest.finish', resourceType: 'retest' } as const;
  const ended = await app.get(UnitOfWork).runIfDue(description, scope, async () => {
    const finding = await app.get(FindingsService).lock(scope, findingId);
    const retest = await app.get(RetestsRepository, { strict: false }).findLastOfVisible(findingId);
    if (retest?.status !== 'pending') return undefined;
    const verdict = { result, reason, evidence: null, decided: new Date() };
    await app.get(RetestEnding, { strict: false }).end(system, finding, retest, verdict);
    return true;
  });
  await query("UPDATE work SET state = 'done', finished = now() WHERE kind = 'retest.run' AND state = 'waiting'");
  return ended === true;
}
