import type { Mutant } from '../mutant';

const requests = 'test/e2e/request-limits.spec.ts';
const connections = 'test/e2e/fair-connections.spec.ts';
const guard = 'src/platform/limits/request-limit.guard.ts';
const redis = 'src/platform/limits/redis-counters.ts';
const slots = 'src/platform/database/fair-slots.ts';

/** Limits of requests, and connections in turn. */
export const limits: readonly Mutant[] = [
  {
    name: 'a request is not refused when its limit is reached',
    file: guard,
    search: 'if (!isRefused) return true;',
    replace: "if (!isRefused || response.hasHeader('X-RateLimit-Limit')) return true;",
    spec: requests,
    test: 'refuses a key that has used its reads',
  },
  {
    name: 'only the limit of the key counts',
    file: guard,
    search: 'this.counters.count(budgets)',
    replace: 'this.counters.count(budgets.slice(0, 1))',
    spec: requests,
    test: 'allows all keys of an organization together four times as much',
  },
  {
    name: 'the status of a job is limited',
    file: 'src/platform/api/limit-class.ts',
    search: "if (operation?.limit === 'none' || ",
    replace: "if (operation?.limit === 'none') return 'read';\n  if (",
    spec: requests,
    test: 'never the status and the success of a job',
  },
  {
    name: 'a request counts for an organization of others that its path names',
    file: 'src/platform/limits/budget.ts',
    search: 'organizations.find((organization) => organization === inPath)',
    replace: 'inPath',
    spec: 'src/platform/limits/budget.spec.ts',
    test: 'never of an organization that the user is no member of',
  },
  {
    name: 'a refused request counts',
    file: 'src/platform/limits/local-counters.ts',
    search: 'if (!isRefused) for (const window of windows)',
    replace: 'for (const window of windows)',
    spec: 'src/platform/limits/local-counters.spec.ts',
    test: 'does not count a refused request in any budget',
  },
  {
    name: 'the service may set limits',
    file: 'src/platform/database/migrate.ts',
    search: 'REVOKE INSERT, UPDATE ON organization_limits',
    replace: 'REVOKE TRIGGER ON organization_limits',
    spec: requests,
    test: 'cannot be set by the service',
  },
  {
    name: 'processes with one Redis do not enforce a limit together',
    file: redis,
    search: 'then refused = 1 end',
    replace: 'then refused = 0 end',
    spec: requests,
    test: 'enforce each limit together',
  },
  {
    name: 'a request fails if Redis does not answer',
    file: redis,
    search: '      return this.countAlone(budgets);',
    replace: '      throw error;',
    spec: requests,
    test: 'answer while Redis hangs',
  },
  {
    name: 'the tenant that waited first gets every free connection',
    file: slots,
    search: '      this.queues.delete(tenant);\n      // At the end',
    replace: '      // At the end',
    spec: 'src/platform/database/fair-slots.spec.ts',
    test: 'gives free slots to tenants in turn',
  },
  {
    name: 'one tenant may have all connections',
    file: slots,
    search: 'size < MIN_SIZE_TO_KEEP_ONE ? size : size - 1',
    replace: 'size',
    spec: connections,
    test: 'answers a read while transactions of another organization',
  },
  {
    name: 'requests do not have the connections of their tenant',
    file: 'src/apps/api/create-app.ts',
    search: 'database.runRequest(next)',
    replace: 'next()',
    spec: connections,
    test: 'answers a read while transactions of another organization',
  },
  {
    name: 'every invented key has a turn of its own',
    file: 'src/platform/database/database-context.ts',
    search: 'this.recentlyValid.has(claimed) ? claimed : STRANGERS',
    replace: 'claimed',
    spec: connections,
    test: 'verifies a key that was valid recently before the backlog',
  },
  {
    name: 'a stranger with the name of a known key takes the turns of its tenant',
    file: 'src/platform/database/database-context.ts',
    search: '.update(`${name}\\0${secret}`)',
    replace: '.update(secret.slice(0, 0) + name)',
    spec: connections,
    test: 'ids of known beacons and wrong tokens',
  },
];
