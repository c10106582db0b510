import type { Mutant } from '../mutant';

const session = 'src/engine/signed-in/account-session.ts';
const sessionSpec = 'src/engine/signed-in/account-session.spec.ts';
const state = 'src/engine/signed-in/session-state.ts';
const signInSpec = 'src/engine/signed-in/sign-in.spec.ts';
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
    name: 'session: a test goes on after its consent was withdrawn',
    file: 'src/modules/retests/account-sessions.ts',
    search: 'if (refusal !== null) throw',
    replace: "if (refusal === '') throw",
    spec: 'test/e2e/signed-in-jobs.spec.ts',
    test: 'after the consent was withdrawn',
  },
  {
    name: 'session: nobody asks whether the account changed meanwhile',
    file: 'src/modules/retests/account-sessions.ts',
    search: "if ('reason' in launches) throw",
    replace: "if ('reason' in launches && launches.reason === '') throw",
    spec: 'test/e2e/signed-in-jobs.spec.ts',
    test: 'the launch rule is asked about the new origins',
  },
  {
    name: 'accounts: consent outlives another sign-in',
    file: 'src/modules/accounts/accounts.service.ts',
    search: '...(isOther && NO_CONSENT),',
    replace: '',
    spec: 'test/e2e/accounts.spec.ts',
    test: 'until it is withdrawn or the sign-in is another',
  },
  {
    name: 'session: probes are reported with secrets',
    file: 'src/engine/verdict.ts',
    search: 'onProbe?.(redacted(this.via, probe))',
    replace: 'onProbe?.(probe)',
    spec: testsSpec,
    test: 'shows no secret in the probes',
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
];
