import type { Mutant } from '../mutant';

const decision = 'src/engine/access/access-decision.ts';
const decisionSpec = 'src/engine/access/access-decision.spec.ts';
const verdict = 'src/engine/access/access-verdict.ts';
const retest = 'src/engine/access/access-retest.ts';
const retestSpec = 'src/engine/access/access-retest.spec.ts';
const direction = 'src/engine/access/access-direction.ts';
const pages = 'src/engine/access/access-pages.ts';
const scanSpec = 'src/engine/access/access-scan.spec.ts';
const e2e = 'test/e2e/access-of-accounts.spec.ts';

/** What one account is given that belongs to another. */
export const accessBetweenAccounts: readonly Mutant[] = [
  {
    name: 'access: a value that an id which does not exist gets is proof',
    file: decision,
    search: '({ showsForNeighbour }) => showsForNeighbour',
    replace: '() => false',
    spec: decisionSpec,
    test: 'a typed value proves nothing if it is',
  },
  {
    name: 'access: a value of a page of the other account is proof',
    file: decision,
    search: '({ isOnPageOfOther }) => isOnPageOfOther',
    replace: '() => false',
    spec: decisionSpec,
    test: 'a typed value proves nothing if it is',
  },
  {
    name: 'access: a code in a list is one of the account',
    file: pages,
    search: 'return !namesObject && !mentions(',
    replace: 'return !mentions(',
    spec: scanSpec,
    test: 'gives no false finding in 2,880 pairs of users, in both directions, and finds what is planted',
  },
  {
    name: 'access: answers of a session that ended count',
    file: direction,
    search: '    this.seen = [];\n',
    replace: '',
    spec: scanSpec,
    test: 'are requested again where a session has ended meanwhile, because its answers do not count',
  },
  {
    name: 'access: links that change something are followed',
    file: pages,
    search: '!mayChange(path, label) &&',
    replace: '!mayChange(path) &&',
    spec: scanSpec,
    test: 'are not requested where the text of a link says that it changes something',
  },
  {
    name: 'access: a refusal is a fix although the other account is served nothing',
    file: verdict,
    search: '!rounds.every(({ servesTwin }) => servesTwin === true)',
    replace: 'false',
    spec: retestSpec,
    test: 'a weakness that ',
  },
  {
    name: 'access: a refusal is a fix although the owner is shown nothing',
    file: verdict,
    search: '!rounds.every(({ ownerShows }) => ownerShows)',
    replace: 'false',
    spec: retestSpec,
    test: 'a weakness that ',
  },
  {
    name: 'access: what hides the weakness from the tester alone is a fix',
    file: verdict,
    search: 'shown((round) => round.reverse) > 0',
    replace: 'false',
    spec: retestSpec,
    test: 'a weakness that ',
  },
  {
    name: 'access: a page to sign in is a refusal of a signed-in account',
    file: retest,
    search: "return as === 'nobody'\n      ? refused",
    replace: 'return true\n      ? refused',
    spec: retestSpec,
    test: 'a weakness that ',
  },
  {
    name: 'access: a selected check without a declaration says nothing',
    file: 'src/modules/jobs/work/access-part.ts',
    search: 'if (pairs.length === 0) {',
    replace: 'if (pairs.length < 0) {',
    spec: e2e,
    test: 'requests nothing of one account with the other unless an admin declared both, and says so for a selected check',
  },
];
