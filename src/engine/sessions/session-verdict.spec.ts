import { decideSession, type SessionDecision, type SessionRound, sessionVerdict } from './session-verdict';

const answer = (state: 'in' | 'out' | 'refused' | 'unclear') => ({ state, reason: `it is ${state}` });
const OPEN: SessionRound = {
  genuine: [answer('in'), answer('in')],
  nobody: [answer('out')],
  controls: [answer('out')],
  suspect: answer('in'),
  isLikeGenuine: true,
  isLikeControl: false,
};
const REFUSED: SessionRound = { ...OPEN, suspect: answer('out'), isLikeGenuine: false, isLikeControl: true };

it('shows a weakness or its absence only between clear answers of all others', () => {
  expect(decideSession(OPEN).state).toBe('open');
  expect(decideSession(REFUSED).state).toBe('refused');
  expect(decideSession({ ...REFUSED, isLikeControl: false }).state).toBe('blocked');
});

it.each(['before', 'after'])('shows nothing where the genuine session is not served before and after: %s', (when) => {
  const genuine = when === 'before' ? [answer('out'), answer('in')] : [answer('in'), answer('out')];
  for (const round of [OPEN, REFUSED]) expect(decideSession({ ...round, genuine }).state).toBe('unclear');
});

it('shows nothing where the answer is not the page of the session', () => {
  expect(decideSession({ ...OPEN, isLikeGenuine: false }).state).toBe('unclear');
});

it.each<[string, Partial<SessionRound>]>([
  ['a visitor gets the same', { nobody: [answer('in')] }],
  ['a made-up value is taken', { controls: [answer('out'), answer('in')] }],
  ['a made-up value has no clear answer', { controls: [answer('unclear')] }],
  ['a visitor has no clear answer', { nobody: [answer('unclear')] }],
])('shows nothing where %s', (_what, change) => {
  for (const round of [OPEN, REFUSED]) expect(decideSession({ ...round, ...change }).state).toBe('unclear');
});

const turns = (...states: SessionDecision['state'][]): SessionDecision[] =>
  states.map((state) => ({ state, because: `it is ${state}` }));

it.each<[SessionDecision['state'][], string]>([
  [['refused', 'refused', 'refused', 'refused', 'refused', 'refused'], 'fixed'],
  [['refused', 'refused', 'refused', 'refused'], 'inconclusive'],
  [['refused', 'refused', 'refused', 'refused', 'refused', 'unclear'], 'inconclusive'],
  [['refused', 'refused', 'refused', 'refused', 'refused', 'blocked'], 'blocked'],
  [['refused', 'unclear', 'blocked', 'open'], 'still_vulnerable'],
  [[], 'inconclusive'],
])('the verdict of %j is %s', (states, result) => {
  expect(sessionVerdict(turns(...states), 'a forged token').result).toBe(result);
});
