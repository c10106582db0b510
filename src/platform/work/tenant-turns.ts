import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import type { Scope } from '../api/scope';
import { tenantOf } from '../api/tenant';
import { Config } from '../config/load-config';
import { DatabaseContext } from '../database/database-context';
import { isAway } from '../database/database-errors';
import { SetAsideRepository } from './set-aside.repository';
import { TaskRun } from './task-run';

/** Null for what belongs to no organization. */
export interface OfOrganization {
  readonly organizationId: number | null;
}

/** What a turn returns if there is more to do, after the others had their turns. */
export class Again<T> {
  constructor(readonly item: T) {}
}

/** The limit of one turn of an organization, and of all its turns in one run of a task. At least two statements fit in. */
const LIMIT_MS = 10_000;

/** An event loop that was blocked this long loses its own connections. */
const STANDSTILL_MS = 1_000;

class OverLimitError extends Error {}

/**
 * Runs scheduled tasks and feeders for one organization at a time, so that none is stopped by the data of another. Turns go
 * round; each is short, and has transactions of its own. An organization that fails in two runs while another succeeds is set
 * aside: the task leaves it out, for longer each time. An unavailable database is never its failure.
 */
@Injectable()
export class TenantTurns {
  private readonly logger = new Logger('tasks');
  private readonly limitMs: number;

  constructor(
    private readonly rows: SetAsideRepository,
    private readonly context: DatabaseContext,
    config: Config,
  ) {
    this.limitMs = Math.max(LIMIT_MS, config.DATABASE_TIMEOUT_MS * 2);
  }

  /** Works on all that is listed, and returns how many turns succeeded. The scope of the list leaves out those set aside. */
  async each<T extends OfOrganization>(
    task: string,
    scope: Scope,
    list: (scope: Scope) => Promise<readonly T[]>,
    work: (item: T) => Promise<unknown>,
  ): Promise<number> {
    let turns = 0;
    await this.run(task, async (run) => {
      const lists = await this.forAll(run, scope, list);
      turns += await this.goRound(run, lists.flat(), work);
    });
    return turns;
  }

  /** Changes rows of all organizations in batches until none is left: all at once, and each by itself only if that fails. */
  async sweep(task: string, scope: Scope, batch: (scope: Scope) => Promise<number>): Promise<void> {
    await this.run(task, async (run) => {
      await this.forAll(run, scope, async (part) => {
        const end = part.organizationIds === undefined ? Infinity : performance.now() + this.limitMs / 2;
        while ((await batch(part)) > 0 && performance.now() < end);
        if (part.organizationIds === undefined) run.succeedTogether();
        else for (const id of part.organizationIds) run.succeed(id);
      });
    });
  }

  /** Again when organizations have failed: they may have left no room for what others have, or for what has none. */
  private async run(task: string, pass: (run: TaskRun) => Promise<void>): Promise<void> {
    const run = new TaskRun(task, await this.rows.listOf(task), this.limitMs);
    for (let left = -1; left < run.left.size;) {
      left = run.left.size;
      await pass(run);
    }
    for (const [organizationId, error] of run.failures) {
      const until = run.isToBlame(organizationId)
        ? await this.rows.add(task, organizationId, String(error))
        : undefined;
      const pause = until === undefined ? 'It is tried again.' : `It is set aside until ${until.toISOString()}.`;
      this.logger.warn(`${task}: organization ${organizationId} failed: ${String(error)} ${pause}`);
    }
    await this.rows.remove(task, run.recovered);
    if (run.problem !== undefined) throw run.problem;
  }

  private async forAll<T>(run: TaskRun, scope: Scope, work: (scope: Scope) => Promise<T>): Promise<T[]> {
    let whole: unknown;
    const failed = run.failures.size;
    try {
      return [await work(scope.without([...run.left]))];
    } catch (error) {
      if (isAway(error)) throw error;
      whole = error;
      this.logger.warn(`${run.task}: one organization after the other: ${String(error)}`);
    }
    const results: T[] = [];
    for (const organizationId of await this.rows.listOrganizations(scope.without([...run.left]))) {
      const result = await this.turn(run, organizationId, () => work(scope.within(organizationId)));
      if (result !== undefined) results.push(result);
    }
    // Rows that belong to no organization have failed.
    if (run.failures.size === failed) run.problem ??= whole;
    return results;
  }

  private async goRound<T extends OfOrganization>(
    run: TaskRun,
    items: readonly T[],
    work: (item: T) => Promise<unknown>,
  ): Promise<number> {
    let turns = 0;
    const queues = new Map<number | null, T[]>();
    for (const item of items) {
      const queue = queues.get(item.organizationId);
      if (queue === undefined) queues.set(item.organizationId, [item]);
      else queue.push(item);
    }
    while (queues.size > 0)
      for (const [organizationId, queue] of queues) {
        const item = run.isOver(organizationId) ? undefined : queue.shift();
        if (item === undefined) {
          queues.delete(organizationId);
          continue;
        }
        const ended = await this.turn(run, organizationId, async () => ({ result: await work(item) }));
        if (ended === undefined) continue;
        turns += 1;
        run.succeed(organizationId);
        if (ended.result instanceof Again) queue.push((ended.result as Again<T>).item);
      }
    return turns;
  }

  /** Undefined if it failed. */
  private async turn<T>(run: TaskRun, organizationId: number | null, work: () => Promise<T>): Promise<T | undefined> {
    const began = performance.now();
    const standstill = watchStandstill();
    try {
      const tenant = tenantOf({ organizationId, integratorId: null });
      const result = await this.inTime(() => this.context.runFor(tenant, work));
      run.answer(organizationId);
      return result;
    } catch (error) {
      const isOurs = standstill() >= STANDSTILL_MS || !isUnreachable(error);
      run.fail(organizationId, error, { isCounted: isOurs, isLast: !isOurs || error instanceof OverLimitError });
      return undefined;
    } finally {
      standstill();
      run.spend(organizationId, performance.now() - began);
    }
  }

  /** What hangs is left to the limits of the database. Tasks may run twice at once, so its late end does no harm. */
  private async inTime<T>(work: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_resolve, reject) => {
      const late = () => reject(new OverLimitError(`It took longer than ${this.limitMs} ms.`));
      timer = setTimeout(late, this.limitMs);
    });
    const running = (async () => work())();
    return Promise.race([running, limit]).finally(() => clearTimeout(timer));
  }
}

const isUnreachable = (error: unknown): boolean =>
  isAway(error) || (error instanceof DomainError && error.kind === 'unavailable');

/** The longest time in which the event loop did not turn, so that no answer of the database was read; ends with the first call. */
function watchStandstill(): () => number {
  let last = performance.now();
  let longest = 0;
  const look = (): number => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    return longest;
  };
  const timer = setInterval(look, STANDSTILL_MS / 10).unref();
  return () => {
    clearInterval(timer);
    return look();
  };
}
