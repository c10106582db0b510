/** Where a finding's ticket is between Assay and the tracker. */
export const TICKET_STATES = [
  'wanted',
  'open',
  'queued',
  'testing',
  'verdict',
  'acceptance',
  'closed',
  'person',
  'gone',
  'unlinked',
  'replaced',
] as const;
export type TicketState = (typeof TICKET_STATES)[number];

/** What each state means for a reader of the finding. */
export const TICKET_STATE_TEXTS: Readonly<Record<TicketState, string>> = {
  wanted: 'It is not opened yet.',
  open: 'Open.',
  queued: 'It was closed. A retest starts within the hour.',
  testing: 'It was closed. A retest runs.',
  verdict: "It waits for an admin's verdict: the finding has no check that can run.",
  acceptance: 'It was closed as not to be fixed. An admin must accept the risk, with an end date.',
  closed: 'Closed.',
  person: 'The tracker and the tests have disagreed three times. A person decides, then looks again.',
  gone: 'It was deleted in the tracker. Unlink it to open another one.',
  unlinked: 'It was unlinked.',
  replaced: 'Another ticket has replaced it.',
};

/** Those that are read in the tracker. */
export const FOLLOWED_STATES = [
  'open',
  'queued',
  'testing',
  'verdict',
  'acceptance',
  'closed',
  'person',
] as const satisfies readonly TicketState[];
export type FollowedState = (typeof FOLLOWED_STATES)[number];

export const isFollowed = (state: TicketState): state is FollowedState => FOLLOWED_STATES.some((one) => one === state);

/** What a tracker shows of a ticket: by the category of its status. */
export const SEEN_CATEGORIES = ['open', 'done', 'wont_do'] as const;
export type SeenCategory = (typeof SEEN_CATEGORIES)[number];

/** What Assay holds of the finding. accepted: an admin has accepted or dismissed it. */
export type Truth = 'open' | 'fixed' | 'accepted' | 'merged';

/** Of the retest that the ticket has asked for. unfinished: it failed or was canceled, or something newer is known. */
export type AskedVerdict =
  'none' | 'running' | 'fixed' | 'still_vulnerable' | 'blocked' | 'inconclusive' | 'unfinished';

export interface TicketFacts {
  readonly state: FollowedState;
  readonly seen: SeenCategory;
  readonly truth: Truth;
  readonly verdict: AskedVerdict;
  readonly hasCheck: boolean;
  /** No retest of the finding has started within the hour. */
  readonly mayRetest: boolean;
  readonly disagreements: number;
  /** Nobody has accepted the risk in time. */
  readonly isOverdue: boolean;
  readonly opensNew: boolean;
}

/** What is written below the ticket. */
export type Saying =
  | 'fixed'
  | 'accepted'
  | 'merged'
  | 'retest_queued'
  | 'retest_started'
  | 'retest_refused'
  | 'still_vulnerable'
  | 'undecided'
  | 'unfinished'
  | 'verdict'
  | 'acceptance'
  | 'not_accepted'
  | 'regression'
  | 'replaced'
  | 'still_fixed'
  | 'still_accepted'
  | 'person'
  | 'linked';

export interface Move {
  readonly to: FollowedState | 'replaced';
  /** Which state the ticket gets, if it has another one. */
  readonly write?: 'open' | 'closed';
  readonly say?: Saying;
  /** Starts a retest; without a check it waits for a verdict by hand. */
  readonly retest?: true;
  /** Asks the admins to accept the risk. */
  readonly asksAdmins?: true;
  /** `true`: one more; `agree`: they are forgotten. */
  readonly counts?: 'disagreement' | 'agreement';
}

interface Rule extends Move {
  readonly when: (facts: TicketFacts) => boolean;
}

const MAX_DISAGREEMENTS = 3;

const isOut = ({ disagreements }: TicketFacts): boolean => disagreements >= MAX_DISAGREEMENTS;
const isClosed = ({ seen }: TicketFacts): boolean => seen !== 'open';
const isOpen = ({ seen }: TicketFacts): boolean => seen === 'open';
const truthIs = (truth: Truth) => (facts: TicketFacts) => facts.truth === truth;
const verdictIs =
  (...verdicts: AskedVerdict[]) =>
  (facts: TicketFacts) =>
    verdicts.includes(facts.verdict);

/** An admin's decision ends everything else. */
const DECIDED: readonly Rule[] = [
  { when: truthIs('accepted'), to: 'closed', write: 'closed', say: 'accepted' },
  { when: truthIs('merged'), to: 'closed', write: 'closed', say: 'merged' },
];
const FIXED: Rule = { when: truthIs('fixed'), to: 'closed', write: 'closed', say: 'fixed' };
const disagreement = { to: 'open', write: 'open', counts: 'disagreement' } as const;

const VERDICTS: readonly Rule[] = [
  {
    when: (facts) => facts.verdict === 'fixed' && facts.truth === 'fixed',
    to: 'closed',
    write: 'closed',
    say: 'fixed',
  },
  { when: verdictIs('still_vulnerable'), ...disagreement, say: 'still_vulnerable' },
  { when: verdictIs('blocked', 'inconclusive'), ...disagreement, say: 'undecided' },
  { when: verdictIs('unfinished', 'fixed', 'none'), ...disagreement, say: 'unfinished' },
];

/** A person has closed the ticket, and Assay does not know that the weakness is gone. */
const CLOSED_BY_A_PERSON: readonly Rule[] = [
  { when: (facts) => isClosed(facts) && isOut(facts), to: 'person', say: 'person' },
  { when: ({ seen }) => seen === 'wont_do', to: 'acceptance', say: 'acceptance', asksAdmins: true },
  { when: (facts) => isClosed(facts) && !facts.hasCheck, to: 'verdict', write: 'open', say: 'verdict', retest: true },
  { when: (facts) => isClosed(facts) && facts.mayRetest, to: 'testing', say: 'retest_started', retest: true },
];

/** In each state the first rule that applies. Without one nothing happens. */
const RULES: Readonly<Record<FollowedState, readonly Rule[]>> = {
  open: [...DECIDED, FIXED, ...CLOSED_BY_A_PERSON, { when: isClosed, to: 'queued', say: 'retest_queued' }],
  queued: [...DECIDED, FIXED, { when: isOpen, to: 'open' }, ...CLOSED_BY_A_PERSON],
  testing: [...DECIDED, ...VERDICTS],
  verdict: [
    ...DECIDED,
    ...VERDICTS,
    { when: (facts) => isClosed(facts) && isOut(facts), to: 'person', say: 'person' },
    { when: isClosed, to: 'verdict', write: 'open', say: 'verdict', counts: 'disagreement' },
  ],
  acceptance: [
    ...DECIDED,
    FIXED,
    { when: ({ seen }) => seen !== 'wont_do', to: 'open', counts: 'disagreement' },
    { when: ({ isOverdue }) => isOverdue, ...disagreement, say: 'not_accepted' },
  ],
  closed: [
    { when: ({ truth, opensNew }) => truth === 'open' && opensNew, to: 'replaced', say: 'replaced' },
    { when: truthIs('open'), to: 'open', write: 'open', say: 'regression', counts: 'agreement' },
    {
      when: (facts) => isOpen(facts) && (isOut(facts) || facts.truth !== 'fixed'),
      to: 'person',
      say: 'still_accepted',
    },
    {
      when: (facts) => isOpen(facts) && !facts.hasCheck,
      to: 'verdict',
      say: 'verdict',
      retest: true,
      counts: 'disagreement',
    },
    {
      when: (facts) => isOpen(facts) && facts.mayRetest,
      to: 'testing',
      say: 'still_fixed',
      retest: true,
      counts: 'disagreement',
    },
  ],
  // Towards open only a person leads, who looks again.
  person: [{ when: (facts) => isClosed(facts) && facts.truth !== 'open', to: 'closed', counts: 'agreement' }],
};

/** What follows from what both sides hold; undefined if nothing does. */
export function moveOf(facts: TicketFacts): Move | undefined {
  const rule = RULES[facts.state].find(({ when }) => when(facts));
  if (rule === undefined) return undefined;
  const { when: _, ...move } = rule;
  return move;
}

/** Where the retest that a move asks for may not start. */
export const refusedMove: Move = { ...disagreement, say: 'retest_refused' };

/** Of a person who looks again. */
export const disagreementsAfter = (before: number, { counts }: Move): number =>
  counts === 'agreement' ? 0 : counts === 'disagreement' ? before + 1 : before;
