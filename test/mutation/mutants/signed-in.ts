import type { Mutant } from '../mutant';

const session = 'src/engine/signed-in/account-session.ts';
const sessionSpec = 'src/engine/signed-in/account-session.spec.ts';
const state = 'src/engine/signed-in/session-state.ts';
const signInSpec = 'src/engine/signed-in/sign-in.spec.ts';
const plans = 'test/e2e/planned-accounts.spec.ts';
const testsSpec = 'src/engine/signed-in/tests-in-session.spec.ts';

/** Sign-ins of accounts, and the time line of their sessions. */
export const signedIn: readonly Mutant[] = [
  {
    name: 'account: a form may send the password to any origin',
    file: 'src/engine/signed-in/account-origin.ts',
    search: 'const own = origins.find((one) => originOf(one) === url.origin);',
    replace: `const own = { scheme: url.protocol.slice(0, -1), host: url.hostname, port: Number(url.port) } as WebOrigin;`,
    spec: signInSpec,
    test: 'get the password alone',
  },
  {
    name: 'account: the session is sent to any origin',
    file: state,
    search:
      'async dressed(request: HttpRequest): Promise<HttpRequest> {\n    if (!isOwnOrigin(this.of.origins, request)) return request;',
    replace: 'async dressed(request: HttpRequest): Promise<HttpRequest> {',
    spec: signInSpec,
    test: 'get the session alone',
  },
  {
    name: 'session: work counts without a check after it',
    file: session,
    search: 'if (done === null || living.isOver || !(await living.checks.proved())) return null;',
    replace: 'if (done === null) return null;',
    spec: sessionSpec,
    test: 'ends with an error when the session dies twice',
  },
  {
    name: 'session: it is checked only at the end',
    file: session,
    search: 'if (living.sent >= (this.environment.checkedAfter ?? CHECKED_AFTER)) await living.checks.now();',
    replace: '',
    spec: sessionSpec,
    test: 'is checked after fifty requests',
  },
  {
    name: 'session: two failed sign-ins do not stop the account',
    file: session,
    search: 'if (failures >= MOST_FAILED_SIGN_INS)',
    replace: 'if (failures >= 2 * MOST_FAILED_SIGN_INS)',
    spec: sessionSpec,
    test: 'two failed sign-ins in a row stop the account',
  },
  {
    name: 'session: what ends it is sent',
    file: session,
    search: '|| isNeverSent(path))',
    replace: ')',
    spec: sessionSpec,
    test: 'is not sent to',
  },
  {
    name: 'session: secrets stay in what a scan hands on',
    file: 'src/engine/signed-in/in-session.ts',
    search: 'session === undefined ? value : session.secrets.redactAll(value);',
    replace: 'value;',
    spec: testsSpec,
    test: 'keeps no secret',
  },
  {
    name: 'retest: a finding of an account is tested as anybody',
    file: 'src/engine/signed-in/in-session.ts',
    search: 'baseline === null || accountOf(baseline) === session?.account\n    ? null',
    replace: 'baseline !== undefined\n    ? null',
    spec: testsSpec,
    test: 'is inconclusive as',
  },
  {
    name: 'turns: a long test never lets others go first',
    file: 'src/modules/retests/taking-turns.ts',
    search: 'this.sent >= MAX_REQUESTS && this.running === 0',
    replace: 'this.sent < 0',
    spec: 'src/modules/retests/taking-turns.spec.ts',
    test: 'lets others go first after 50 requests',
  },
  {
    name: 'turns: requests that end the session are not remembered',
    file: 'src/modules/retests/taking-turns.ts',
    search: 'leaveOut: (request) => session.leaveOut?.(request),',
    replace: '',
    spec: 'src/modules/retests/taking-turns.spec.ts',
    test: 'hands on what a test says to its session',
  },
  {
    name: 'plans: a schedule names accounts with which its maker may not launch',
    file: 'src/modules/schedules/schedule-targets.ts',
    search: 'return this.accounts.requirePlannable(caller, organizationId, accounts ?? []);',
    replace: 'return Promise.resolve();',
    spec: plans,
    test: 'is refused where its maker could not launch with them',
  },
  {
    name: 'plans: an event names accounts with which its admin may not launch',
    file: 'src/modules/events/events.service.ts',
    search: 'await this.accounts.requirePlannable(caller, organizationId, draft.accounts ?? []);',
    replace: '',
    spec: plans,
    test: 'is refused where the admin could not launch with them',
  },
  {
    name: 'plans: a change of an event names accounts with which its admin may not launch',
    file: 'src/modules/events/events.service.ts',
    search: 'if (isOther) await this.accounts.requirePlannable(caller, organizationId, change.accounts ?? []);',
    replace: '',
    spec: plans,
    test: 'is refused where the admin could not launch with them',
  },
  {
    name: 'plans: an account that was deleted is left out silently',
    file: 'src/modules/accounts/account-use.ts',
    search: 'if (account === null || account === undefined || account.assetId === assetId) used.push(id);',
    replace: 'if (account === null || account?.assetId === assetId) used.push(id);',
    spec: plans,
    test: 'checks the role of its maker and the account again at each run',
  },
  {
    name: 'plans: the jobs of an event do not look at the role again',
    file: 'src/modules/jobs/job-accounts.ts',
    search: 'const memberships = new Map([[organizationId, role]]);',
    replace: "const memberships = new Map([[organizationId, role === 'viewer' ? role : ('owner' as const)]]);",
    spec: plans,
    test: 'refuses a target whose account may not be used',
  },
  {
    name: 'plans: members get the notices of admins',
    file: 'src/modules/notifications/concerned-people.ts',
    search: "members.filter(({ role }) => isAtLeast(role, 'admin')).map(({ userId }) => userId);",
    replace: 'members.map(({ userId }) => userId);',
    spec: plans,
    test: 'is told to the admins seven days before, once',
  },
];
