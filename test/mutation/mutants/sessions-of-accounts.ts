import type { Mutant } from '../mutant';

const verdict = 'src/engine/sessions/session-verdict.ts';
const visit = 'src/engine/sessions/session-visit.ts';
const trials = 'src/engine/sessions/session-trials.ts';
const scan = 'src/engine/sessions/scan-session.ts';
const spec = 'src/engine/sessions/sessions.spec.ts';
const e2e = 'test/e2e/sessions-of-accounts.spec.ts';

/** How applications check the sessions of accounts. */
export const sessionsOfAccounts: readonly Mutant[] = [
  {
    name: 'sessions: what is made up may be taken as well',
    file: verdict,
    search: '({ controls }) => controls.some(isIn)',
    replace: '() => false',
    spec,
    test: 'is not misled',
  },
  {
    name: 'sessions: a visitor without a session may get the same',
    file: verdict,
    search: '({ nobody }) => nobody.some(isIn)',
    replace: '() => false',
    spec,
    test: 'takes the page that a cache gives to everyone for nothing',
  },
  {
    name: 'sessions: the refusal of a filter is a fix',
    file: verdict,
    search: 'return isLikeControl',
    replace: 'return isLikeControl || true',
    spec,
    test: 'of an application that',
  },
  {
    name: 'sessions: the genuine session need not be served',
    file: verdict,
    search: '({ genuine }) => !genuine.every(isIn)',
    replace: '() => false',
    spec: 'src/engine/sessions/session-verdict.spec.ts',
    test: 'shows nothing where the genuine session is not served before and after',
  },
  {
    name: 'sessions: an answer with the sign of a session need not be its page',
    file: verdict,
    search: 'isIn(suspect) && !isLikeGenuine',
    replace: 'false',
    spec: 'src/engine/sessions/session-verdict.spec.ts',
    test: 'shows nothing where the answer is not the page of the session',
  },
  {
    name: 'sessions: what opens once is a finding',
    file: scan,
    search: 'if (last !== undefined && tried.every(isOpen))',
    replace: 'if (last !== undefined && tried.some(isOpen))',
    spec,
    test: 'is incomplete for what opens once and not again',
  },
  {
    name: 'sessions: a sign-out needs no consent to full tests',
    file: scan,
    search: 'endsSessions(check) ? writeRefusal() : null',
    replace: 'null',
    spec,
    test: 'signs in once and never out without the consent to full tests',
  },
  {
    name: 'sessions: a retest that signs out needs no consent to full tests',
    file: 'src/modules/retests/retest-permission.ts',
    search: 'isWriting || endsSessions(check)',
    replace: 'isWriting',
    spec: e2e,
    test: 'without the consent to full tests nothing signs out, in a job and in a retest',
  },
  {
    name: 'sessions: a page that only looks like a sign-out counts as one',
    file: trials,
    search: "left.state !== 'out' && left.state !== 'refused'",
    replace: 'false',
    spec,
    test: 'is not misled',
  },
  {
    name: 'sessions: a sign-out is sent where an admin excluded it',
    file: trials,
    search: 'found !== null && isAllowed(found.path)',
    replace: 'found !== null',
    spec,
    test: 'signs out only where it may, and requests nothing that deletes',
  },
  {
    name: 'sessions: a JWT that opens nothing alone is the session',
    file: trials,
    search: "if (state === 'in') opening.push(one);",
    replace: 'opening.push(one);',
    spec,
    test: 'is not misled',
  },
  {
    name: 'sessions: a sign-in that ends the others hides a session after its sign-out',
    file: trials,
    search: "early.state === 'in' &&",
    replace: 'false &&',
    spec,
    test: 'is not misled',
  },
  {
    name: 'sessions: forged tokens and ids are no secrets',
    file: visit,
    search: 'const alone = new SessionState(of, secrets);',
    replace: 'const alone = new SessionState(of, new (secrets.constructor as never)());',
    spec: e2e,
    test: 'a job finds how sessions are not checked, and retests see each repair',
  },
  {
    name: 'sessions: a sign-out of all devices may be sent',
    file: 'src/engine/signed-in/ending-words.ts',
    search: ' && !EVERYWHERE.test(text)',
    replace: '',
    spec: 'src/engine/signed-in/ending-words.spec.ts',
    test: 'signs out this session alone',
  },
];
