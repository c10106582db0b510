import { SeededRandom } from '../testing/seeded-random';
import { type AccessFacts, decideAccess } from './access-decision';

/** An object of another account that is given to whoever knows its id. */
const FOUND: AccessFacts = {
  kind: 'object',
  asker: 'other',
  isTyped: true,
  isShared: false,
  isInRequest: false,
  isOnPageOfOther: false,
  isOnPageOfNobody: false,
  isRequestOfOther: false,
  showsToOwner: true,
  isOfAccount: true,
  isOneOfSeveral: true,
  hasTwin: true,
  isRouteShared: false,
  showsForNeighbour: false,
  showsFirst: true,
  showsAgain: true,
  showsPastCaches: true,
  isFromCache: false,
  showsToNobody: false,
};
const READ = { ...FOUND, isTyped: false };

it.each<[string, Partial<AccessFacts>]>([
  ['an object', {}],
  ['an object that nobody may have either', { asker: 'nobody', showsToNobody: true }],
  ['an object of an account whose other has none', { hasTwin: false }],
  ['an object of a route of which both know another object', { isRouteShared: true }],
  ['an object with a value of the account that its pages show', { isTyped: false }],
])('%s is a finding', (_name, facts) => {
  expect(decideAccess({ ...FOUND, ...facts })).toEqual({ found: 'object' });
});

it('a page of a higher account is a finding of another kind', () => {
  expect(decideAccess({ ...FOUND, kind: 'function' })).toEqual({ found: 'function' });
});

it.each<[string, Partial<AccessFacts>]>([
  ['past which the answer does not show it', { showsPastCaches: false }],
  ['that takes no notice of queries, and says so', { isFromCache: true }],
])('a cache %s is one of another name', (_name, facts) => {
  expect(decideAccess({ ...FOUND, ...facts })).toEqual({ found: 'cache' });
});

const NEVER: [string, Partial<AccessFacts>][] = [
  ['declared as shared', { isShared: true }],
  ['repeated from the request', { isInRequest: true }],
  ['on a page of the other account', { isOnPageOfOther: true }],
  ['on a page without a session', { isOnPageOfNobody: true }],
  ['random: its owner is shown another one', { showsToOwner: false }],
  ['given for an id that does not exist', { showsForNeighbour: true }],
  ['given once', { showsAgain: false }],
  ['given in the second session alone', { showsFirst: false }],
];
it.each([
  ...NEVER,
  ['asked for by the other itself', { kind: 'function', isRequestOfOther: true }] as (typeof NEVER)[number],
])('a typed value proves nothing if it is %s', (_name, facts) => {
  expect(decideAccess({ ...FOUND, ...facts }).found).toBeNull();
});

it.each<[string, Partial<AccessFacts>]>([
  ...NEVER,
  ['public', { showsToNobody: true }],
  ['asked for without a session', { asker: 'nobody' }],
  ['not one of the account', { isOfAccount: false }],
  ['on a route without an object of the other', { hasTwin: false }],
  ['on a route of which both know an object', { isRouteShared: true }],
  ['alone on a page of the account above', { kind: 'function', isOneOfSeveral: false }],
])('a value that was read proves nothing if it is %s', (_name, facts) => {
  expect(decideAccess({ ...READ, ...facts }).found).toBeNull();
});

it('none of 20,000 combinations is a finding unless all conditions hold', () => {
  const random = new SeededRandom(7);
  const names = Object.keys(FOUND).filter((name) => name !== 'kind' && name !== 'asker');
  let found = 0;
  for (let at = 0; at < 20_000; at += 1) {
    // Most are as in a finding, so that many combinations are one.
    const flipped = names.filter(() => random.below(8) === 0);
    const facts = {
      ...FOUND,
      asker: random.below(2) === 0 ? 'other' : 'nobody',
      kind: random.below(2) === 0 ? 'object' : 'function',
    } as Record<string, unknown>;
    for (const name of flipped) facts[name] = facts[name] !== true;
    const one = facts as unknown as AccessFacts;
    const decision = decideAccess(one);
    if (decision.found === null) continue;
    found += 1;
    expect(one.showsToOwner && one.showsFirst && one.showsAgain).toBe(true);
    expect(
      one.isShared || one.isInRequest || one.showsForNeighbour || one.isOnPageOfOther || one.isOnPageOfNobody,
    ).toBe(false);
    expect(one.isTyped || (one.asker === 'other' && !one.showsToNobody)).toBe(true);
    expect(
      one.isTyped ||
        (one.kind === 'object' ? one.isOfAccount && one.hasTwin && !one.isRouteShared : one.isOneOfSeveral),
    ).toBe(true);
    expect(decision.found === 'cache').toBe(!one.showsPastCaches || one.isFromCache);
  }
  expect(found).toBeGreaterThan(500);
});
