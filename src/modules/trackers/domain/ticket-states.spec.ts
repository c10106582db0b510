import {
  disagreementsAfter,
  FOLLOWED_STATES,
  type Move,
  moveOf,
  SEEN_CATEGORIES,
  type TicketFacts,
} from './ticket-states';

const facts = (stated: Partial<TicketFacts>): TicketFacts => ({
  state: 'open',
  seen: 'open',
  truth: 'open',
  verdict: 'none',
  hasCheck: true,
  mayRetest: true,
  disagreements: 0,
  isOverdue: false,
  opensNew: false,
  ...stated,
});

const TRUTHS = ['open', 'fixed', 'accepted', 'merged'] as const;
const VERDICTS = ['none', 'running', 'fixed', 'still_vulnerable', 'blocked', 'inconclusive', 'unfinished'] as const;
const FLAGS = [true, false] as const;

/** Every combination of what both sides may hold. */
const all: TicketFacts[] = FOLLOWED_STATES.flatMap((state) =>
  SEEN_CATEGORIES.flatMap((seen) =>
    TRUTHS.flatMap((truth) =>
      VERDICTS.flatMap((verdict) =>
        FLAGS.flatMap((hasCheck) =>
          FLAGS.flatMap((mayRetest) =>
            FLAGS.flatMap((isOverdue) =>
              FLAGS.flatMap((opensNew) =>
                [0, 3].map((disagreements) => ({
                  state,
                  seen,
                  truth,
                  verdict,
                  hasCheck,
                  mayRetest,
                  isOverdue,
                  opensNew,
                  disagreements,
                })),
              ),
            ),
          ),
        ),
      ),
    ),
  ),
);

const isClosedAfter = ({ seen }: TicketFacts, write: 'open' | 'closed' | undefined): boolean =>
  write === undefined ? seen !== 'open' : write === 'closed';

it('closes no ticket of a finding that is open', () => {
  expect(all.filter((one) => one.truth === 'open' && moveOf(one)?.write === 'closed')).toEqual([]);
});

it('ends in closed only with a closed ticket, and with a fix or a decision of an admin', () => {
  const ended = all.flatMap((one) => {
    const move = one.state === 'closed' ? undefined : moveOf(one);
    return move?.to === 'closed' ? [{ one, isClosed: isClosedAfter(one, move.write) }] : [];
  });
  expect(ended.length).toBeGreaterThan(100);
  expect(ended.filter(({ one, isClosed }) => !isClosed || one.truth === 'open')).toEqual([]);
});

it('starts no retest within an hour of another one of a finding that has a check', () => {
  expect(all.filter((one) => one.hasCheck && !one.mayRetest && moveOf(one)?.retest === true)).toEqual([]);
});

it('writes nothing where a person decides', () => {
  expect(all.filter((one) => one.state === 'person' && moveOf(one)?.write !== undefined)).toEqual([]);
});

it('does not disagree more often than three times', () => {
  const further = all.filter((one) => {
    const move = moveOf(one);
    return one.state !== 'testing' && one.disagreements >= 3 && move?.retest === true;
  });
  expect(further).toEqual([]);
});

/** What both sides hold when a move is done, and nobody does anything more. */
const after = (before: TicketFacts, move: Move): TicketFacts =>
  facts({
    ...before,
    state: move.to === 'replaced' ? before.state : move.to,
    seen: move.write === undefined ? before.seen : move.write === 'open' ? 'open' : 'done',
    disagreements: disagreementsAfter(before.disagreements, move),
    ...(move.retest && { verdict: 'running', mayRetest: false }),
    isOverdue: false,
  });

function movesFrom(before: TicketFacts, made = 0): number {
  const move = moveOf(before);
  return move === undefined || move.to === 'replaced' || made > 20 ? made : movesFrom(after(before, move), made + 1);
}

it('comes to rest: what Assay has written itself asks for nothing more', () => {
  expect(all.filter((one) => movesFrom(one) > 5)).toEqual([]);
});

it.each([
  [{ seen: 'done' }, { to: 'testing', retest: true, say: 'retest_started' }],
  [
    { seen: 'done', mayRetest: false },
    { to: 'queued', say: 'retest_queued' },
  ],
  [
    { seen: 'done', hasCheck: false },
    { to: 'verdict', write: 'open', retest: true },
  ],
  [{ seen: 'wont_do' }, { to: 'acceptance', asksAdmins: true }],
  [
    { seen: 'done', disagreements: 3 },
    { to: 'person', say: 'person' },
  ],
  [
    { state: 'testing', seen: 'done', verdict: 'fixed', truth: 'fixed' },
    { to: 'closed', say: 'fixed' },
  ],
  // Something newer than the test is known.
  [
    { state: 'testing', seen: 'done', verdict: 'fixed' },
    { to: 'open', write: 'open', say: 'unfinished' },
  ],
  [
    { state: 'testing', verdict: 'still_vulnerable' },
    { to: 'open', write: 'open', counts: 'disagreement' },
  ],
  [
    { state: 'testing', verdict: 'blocked' },
    { to: 'open', write: 'open', say: 'undecided' },
  ],
  [
    { state: 'acceptance', seen: 'open' },
    { to: 'open', counts: 'disagreement' },
  ],
  [
    { state: 'acceptance', seen: 'done' },
    { to: 'open', counts: 'disagreement' },
  ],
  [
    { state: 'acceptance', seen: 'wont_do', isOverdue: true },
    { to: 'open', write: 'open', say: 'not_accepted' },
  ],
  [
    { state: 'closed', seen: 'done' },
    { to: 'open', write: 'open', say: 'regression', counts: 'agreement' },
  ],
  [
    { state: 'closed', seen: 'done', opensNew: true },
    { to: 'replaced', say: 'replaced' },
  ],
  [
    { state: 'closed', truth: 'accepted' },
    { to: 'person', say: 'still_accepted' },
  ],
] as const)('moves a ticket with %j', (stated, move) => {
  expect(moveOf(facts(stated))).toMatchObject(move);
});

it.each([
  {},
  { state: 'testing', seen: 'done', verdict: 'running' },
  { state: 'closed', seen: 'done', truth: 'fixed' },
  { state: 'acceptance', seen: 'wont_do' },
  { state: 'person', seen: 'done' },
  // Anybody may open a ticket.
  { state: 'person', disagreements: 3 },
] as const)('leaves a ticket with %j as it is', (stated) => {
  expect(moveOf(facts(stated))).toBeUndefined();
});
