import type { Mutant } from '../mutant';

const repository = 'src/platform/work/work.repository.ts';
const worker = 'src/platform/work/worker.ts';
const share = 'src/platform/work/fair-share.ts';
const leases = 'test/e2e/work-leases.spec.ts';
const fairness = 'test/e2e/work-fairness.spec.ts';
const queues = 'test/e2e/work-queues.spec.ts';
const walks = 'src/platform/work/queue-walks.ts';
const shares = 'src/platform/work/fair-share.spec.ts';
const limits = 'test/e2e/unfinished-limits.spec.ts';
const turns = 'src/platform/work/tenant-turns.ts';
const turnsSpec = 'src/platform/work/tenant-turns.spec.ts';
const fencingTest = 'drops the result of a worker that resumes while the second attempt is running';

/** Leases, fencing, retries, fairness, limits and cancellation. */
export const work: readonly Mutant[] = [
  {
    name: 'fence: any attempt may finish',
    file: repository,
    search: `error = \${error ?? null}, progress = NULL
      WHERE id = \${id} AND attempt = \${attempt} AND state = 'running'`,
    replace: `error = \${error ?? null}, progress = NULL
      WHERE id = \${id} AND \${attempt} > 0 AND state = 'running'`,
    spec: leases,
    test: fencingTest,
  },
  {
    name: 'fence: work that is not running may be finished',
    file: repository,
    search: `error = \${error ?? null}, progress = NULL
      WHERE id = \${id} AND attempt = \${attempt} AND state = 'running'`,
    replace: `error = \${error ?? null}, progress = NULL
      WHERE id = \${id} AND attempt = \${attempt}`,
    spec: leases,
    test: fencingTest,
  },
  {
    name: 'fence: any attempt may reschedule work',
    file: repository,
    search: `run_at = now() + make_interval(secs => \${pauseSeconds})
      WHERE id = \${id} AND attempt = \${attempt} AND state = 'running'`,
    replace: `run_at = now() + make_interval(secs => \${pauseSeconds})
      WHERE id = \${id} AND \${attempt} > 0 AND state = 'running'`,
    spec: leases,
    test: fencingTest,
  },
  {
    name: 'fence: any attempt may release work',
    file: repository,
    search: `WHERE work.id = mine.id AND work.attempt = mine.attempt AND state = 'running'\`);
  }

  /** Counts a failure`,
    replace: `WHERE work.id = mine.id AND state = 'running'\`);
  }

  /** Counts a failure`,
    spec: leases,
    test: fencingTest,
  },
  {
    name: 'fence: any attempt may renew a lease',
    file: repository,
    search: 'SELECT work.id FROM work JOIN ${mine} ON work.id = mine.id AND work.attempt = mine.attempt',
    replace: 'SELECT work.id FROM work JOIN ${mine} ON work.id = mine.id',
    spec: leases,
    test: fencingTest,
  },
  {
    name: 'fence: a result is applied although its claim is no longer the current one',
    file: worker,
    search: 'if (!(await this.rows.finish(claim, state, error))) throw new LeaseLostError();',
    replace: 'await this.rows.finish(claim, state, error);',
    spec: leases,
    test: 'drops the result of a worker that lost its lease, without an audit entry',
  },
  {
    name: 'lease: work is reclaimed while its worker renews it',
    file: repository,
    search: 'sql`(${reclaimExpired}::boolean AND lease_until < now() AND failures + 1 < ${maxAttempts})`;',
    replace: 'sql`(${reclaimExpired}::boolean AND failures + 1 < ${maxAttempts})`;',
    spec: leases,
    test: 'is renewed although another row is locked for a long time',
  },
  {
    name: 'lease: work of a lost worker is never reclaimed',
    file: repository,
    search: 'sql`(${reclaimExpired}::boolean AND lease_until < now()',
    replace: 'sql`(NOT ${reclaimExpired}::boolean AND lease_until < now()',
    spec: leases,
    test: 'expires although its worker is paused inside a transaction',
  },
  {
    name: 'lease: it is never renewed',
    file: repository,
    search: 'UPDATE work SET lease_until = now() + make_interval(secs => ${leaseSeconds})',
    replace: 'UPDATE work SET lease_until = lease_until + make_interval(secs => 0 * ${leaseSeconds}::float8)',
    spec: leases,
    test: 'is renewed although another row is locked for a long time',
  },
  {
    name: 'lease: a worker that lost the database reclaims the leases of others at once',
    file: 'src/platform/work/leases.ts',
    search: 'return performance.now() >= this.reclaimAfter;',
    replace: 'return true;',
    spec: leases,
    test: 'expires for all workers, and the first one that is back takes no work',
  },
  {
    name: 'retries: releasing work counts as a failure',
    file: repository,
    search: `UPDATE work SET state = 'waiting', lease_until = NULL, run_at = now()`,
    replace: `UPDATE work SET state = 'waiting', failures = failures + 1, lease_until = NULL, run_at = now()`,
    spec: leases,
    test: 'do not include work released at shutdown, so that restarts never exhaust the attempts',
  },
  {
    name: 'retries: work is abandoned after its first failure',
    file: worker,
    search: 'if (limit === undefined && claim.failures + 1 < this.config.WORK_ATTEMPTS) {',
    replace: 'if (claim.failures + 1 < 1) {',
    spec: leases,
    test: 'do not include work released at shutdown, so that restarts never exhaust the attempts',
  },
  {
    name: 'retries: work that lost its worker in its last attempt is never abandoned',
    file: repository,
    search: 'AND failures + 1 >= ${maxAttempts} AND kind',
    replace: 'AND failures > ${maxAttempts} AND kind',
    spec: leases,
    test: 'do not block other work when one of them cannot be abandoned',
  },
  {
    name: 'claims: locked rows are waited for',
    file: repository,
    search: 'LIMIT picked.count FOR UPDATE SKIP LOCKED',
    replace: 'LIMIT picked.count FOR UPDATE',
    spec: fairness,
    test: 'skip work whose rows are locked',
  },
  {
    name: 'claims: a queue without claimable work is tried without end',
    file: share,
    search: 'dueSince: claimed < picked ? null : queue.dueSince',
    replace: 'dueSince: queue.dueSince',
    spec: fairness,
    test: 'skip work whose rows are locked',
  },
  {
    name: 'claims: organizations that are held hide those behind them',
    file: walks,
    search: 'missed ||= next !== undefined && isHeld(queues);',
    replace: '',
    spec: queues,
    test: 'finds work behind many organizations that are suspended',
  },
  {
    name: 'claims: a walk passes those that it has not served',
    file: walks,
    search: 'if ((round?.waits ?? 0) > size) passed.add(first);',
    replace: 'passed.add(first);',
    spec: queues,
    test: 'reads a few queues of many, and comes round to each before any has its second turn',
  },
  {
    name: 'fairness: the oldest work comes first',
    file: share,
    search: `  one.integrator.running - other.integrator.running ||
  one.integrator.lastServed - other.integrator.lastServed ||
  one.organization.running - other.organization.running ||
  one.organization.lastServed - other.organization.lastServed ||
`,
    replace: '',
    spec: fairness,
    test: 'alternate between organizations, however much work one of them has queued',
  },
  {
    name: 'fairness: what an integrator has running does not count',
    file: share,
    search: `  one.integrator.running - other.integrator.running ||
  one.integrator.lastServed - other.integrator.lastServed ||
`,
    replace: '',
    spec: fairness,
    test: 'alternate between integrators first, however many organizations one of them has',
  },
  {
    name: 'fairness: what an organization has running does not count',
    file: share,
    search: '  one.organization.running - other.organization.running ||\n',
    replace: '',
    spec: shares,
    test: 'shares its slots among its organizations',
  },
  {
    name: 'fairness: integrators do not take turns',
    file: share,
    search: '  one.integrator.lastServed - other.integrator.lastServed ||\n',
    replace: '',
    spec: fairness,
    test: 'alternate between integrators first, however many organizations one of them has',
  },
  {
    name: 'fairness: the organizations of an integrator do not take turns',
    file: share,
    search: '  one.organization.lastServed - other.organization.lastServed ||\n',
    replace: '',
    spec: fairness,
    test: 'alternate between the organizations of one integrator',
  },
  {
    name: 'fairness: an integrator may use the last slot',
    file: share,
    search: 'allExcept(owner.organizationId === null ? 0 : 1, slots)',
    replace: 'slots',
    spec: fairness,
    test: 'keep one free for other integrators, and one for other organizations of the same integrator',
  },
  {
    name: 'fairness: an organization may use the slot for other organizations of its integrator',
    file: share,
    search: 'allExcept(owner.integratorId === null ? 1 : 2, slots)',
    replace: 'allExcept(1, slots)',
    spec: fairness,
    test: 'keep one free for other integrators, and one for other organizations of the same integrator',
  },
  {
    name: 'fairness: what other workers have running does not count',
    file: walks,
    search: 'coalesce(pieces, 0) AS running,',
    replace: '0 AS running,',
    spec: fairness,
    test: 'go to the organization with the fewest running pieces on all workers',
  },
  {
    name: 'fairness: a kind has more slots than the configuration says',
    file: 'src/platform/work/worker-slots.ts',
    search: 'return WORKER_SLOTS.get(kind) ?? Math.min(WORKER_CONCURRENCY, maxConcurrent);',
    replace: 'return WORKER_SLOTS.get(kind) ?? Math.max(WORKER_CONCURRENCY, 20);',
    spec: fairness,
    test: 'keep one free from an organization that uses all others',
  },
  {
    name: 'limits: unfinished jobs are not limited',
    file: 'src/modules/jobs/job-room.ts',
    search: 'if (unfinished >= MAX_UNFINISHED) throw tooManyUnfinishedJobs(MAX_UNFINISHED);',
    replace: '',
    spec: limits,
    test: 'are counted for each organization, until they end',
  },
  {
    name: 'limits: simultaneous launches count the same jobs',
    file: 'src/modules/jobs/job-room.ts',
    search: 'await this.organizations.lockForCounting(scope, organizationId);',
    replace: 'await this.organizations.lockForShare(scope, organizationId);',
    spec: limits,
    test: 'also for twenty simultaneous requests',
  },
  {
    name: 'limits: unfinished retests are not limited',
    file: 'src/modules/retests/retests.service.ts',
    search: 'if (unfinished >= MAX_UNFINISHED) throw tooManyUnfinishedRetests(MAX_UNFINISHED);',
    replace: '',
    spec: limits,
    test: 'are counted for each organization, until they end',
  },
  {
    name: 'limits: simultaneous starts count the same retests',
    file: 'src/modules/retests/retests.service.ts',
    search: 'await this.organizations.lockForCounting(caller.scope, organizationId);',
    replace: 'await this.organizations.lockForShare(caller.scope, organizationId);',
    spec: limits,
    test: 'also for twenty simultaneous requests',
  },
  {
    name: 'limits: simultaneous orders count the same reports',
    file: 'src/modules/reports/reports.service.ts',
    search: 'await this.organizations.lockForCounting(caller.scope, organizationId);',
    replace: 'await this.organizations.lockForShare(caller.scope, organizationId);',
    spec: limits,
    test: 'also for twenty simultaneous requests',
  },
  {
    name: 'deletion: the pending lookup of a domain is not canceled',
    file: 'src/modules/assets/domains.service.ts',
    search: 'await this.work.cancel(LOOKUP_KIND, String(id));',
    replace: '',
    spec: 'test/e2e/domains.spec.ts',
    test: 'deletes the domain, cancels its pending lookup, and keeps its asset',
  },
  {
    name: 'npm start stops the demo target before the worker, so that a running job ends in an error',
    file: 'src/apps/local/service.ts',
    search: "['helper', 'worker', 'API', 'listener', 'demo target']",
    replace: "['helper', 'demo target', 'API', 'listener', 'worker']",
    spec: 'src/apps/local/supervisor.spec.ts',
    test: 'announces each step of the start',
  },
  {
    name: 'npm start -- --reset deletes the data whatever the answer is',
    file: 'src/apps/local/confirm-reset.ts',
    search: 'if (!/^y(es)?$/i.test(text.trim())) throw',
    replace: 'if (text === undefined) throw',
    spec: 'src/apps/local/confirm-reset.spec.ts',
    test: 'deletes nothing after',
  },
  {
    name: 'work: two workers claim two pieces of an organization that may run one',
    file: 'src/platform/work/work.repository.ts',
    search: 'OR (${isFirstOfPicked}))',
    replace: 'OR TRUE)',
    spec: 'test/e2e/work-fairness.spec.ts',
    test: 'has one piece claimed by twenty claims at once',
  },
  {
    name: 'work: a slot that becomes free during a claim goes to a queue that was read before',
    file: 'src/platform/work/fair-claims.ts',
    search: 'this.fairShare.pick(queues, active)',
    replace: 'this.fairShare.pick(queues, this.leases.claims)',
    spec: fairness,
    test: 'leave a slot that becomes free during a claim to a round that knows the latest work',
  },
  {
    name: 'work: a slot waits for an organization that may run one piece',
    file: 'src/platform/work/fair-share.ts',
    search: 'one.organization.running >= one.maxRunning',
    replace: 'one.organization.running >= Infinity',
    spec: 'src/platform/work/fair-share.spec.ts',
    test: 'gives an organization one slot of a kind of which it runs one piece',
  },
  {
    name: 'work: a second handler replaces the first of its kind',
    file: 'src/platform/work/work-registry.ts',
    search: 'if (this.handlers.has(kind)) throw',
    replace: 'if (kind === undefined) throw',
    spec: 'src/platform/work/work-registry.spec.ts',
    test: 'does not start with two handlers of one kind',
  },
  {
    name: 'work: a second scheduled task has the name of another',
    file: 'src/platform/work/work-registry.ts',
    search: 'if (this.scheduledTasks.some(({ name }) => name === task.name))',
    replace: 'if (this.scheduledTasks.some(({ name }) => name === undefined))',
    spec: 'src/platform/work/work-registry.spec.ts',
    test: 'does not start with two tasks of one name',
  },
  {
    name: 'audit: a second method finds the owner of a record',
    file: 'src/platform/audit/resource-owners.ts',
    search: 'if (this.finders.has(type)) throw',
    replace: 'if (type === undefined) throw',
    spec: 'src/platform/audit/resource-owners.spec.ts',
    test: 'is not found by two methods',
  },
  {
    name: 'turns: the failure of one organization ends the task',
    file: turns,
    search: '      return undefined;\n    } finally {',
    replace: '      throw error;\n    } finally {',
    spec: turnsSpec,
    test: 'and runs all others',
  },
  {
    name: 'turns: an unavailable database counts',
    file: turns,
    search: '|| !isUnreachable(error);',
    replace: '|| true;',
    spec: turnsSpec,
    test: 'never counts an unavailable database',
  },
  {
    name: 'turns: a turn may take any time',
    file: turns,
    search: 'Promise.race([running, limit])',
    replace: 'Promise.race([running])',
    spec: turnsSpec,
    test: 'ends a turn that hangs at the limit',
  },
  {
    name: 'turns: a lost connection never counts',
    file: turns,
    search: 'standstill() >= STANDSTILL_MS || ',
    replace: '',
    spec: turnsSpec,
    test: 'kept the event loop busy',
  },
  {
    name: 'turns: those set aside have turns',
    file: 'src/platform/work/task-run.ts',
    search: '(isLeftOut ? [organizationId] : [])',
    replace: '(isLeftOut ? [] : [])',
    spec: turnsSpec,
    test: 'leaves out those set aside',
  },
  {
    name: 'turns: an organization is to blame for what fails for all',
    file: 'src/platform/work/task-run.ts',
    search: 'isWhole && [...this.answered].some((id) => id !== organizationId)',
    replace: 'isWhole',
    spec: turnsSpec,
    test: 'because then it is not about one of them',
  },
  {
    name: 'turns: pauses do not grow',
    file: 'src/platform/work/set-aside.repository.ts',
    search: 'power(5,',
    replace: 'power(1,',
    spec: 'test/e2e/poisoned-tasks.spec.ts',
    test: 'the pauses of an organization grow',
  },
];
