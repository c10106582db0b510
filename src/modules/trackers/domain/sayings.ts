import type { Saying } from './ticket-states';
import type { TicketText } from './ticket-text';

/** What a note says beside its link. */
export interface SayingFacts {
  readonly reason: string | null;
  readonly nextStep: string | null;
  /** The last day of an acceptance. */
  readonly until: string | null;
}

const because = (reason: string | null): string => (reason === null || reason === '' ? '' : ` ${reason}`);

const TEXTS: Readonly<Record<Saying, (facts: SayingFacts) => readonly string[]>> = {
  fixed: ({ reason }) => [
    `Fixed: a test has shown that the weakness is gone, so this ticket is closed.${because(reason)}`,
  ],
  accepted: ({ until }) => [
    `An admin has decided that the finding is not to be fixed${until === null ? '' : ` until ${until}`}, so this ticket is closed. If the finding opens again, this ticket does too.`,
  ],
  merged: () => ['The finding was merged into another one, which has its own ticket. This ticket is closed.'],
  retest_queued: () => [
    'This ticket was closed, so the weakness is tested again within the hour: a finding is tested at most once an hour for its ticket. The result decides whether the ticket stays closed.',
  ],
  retest_started: () => [
    'This ticket was closed, so the weakness is being tested again. The result decides whether the ticket stays closed.',
  ],
  // The reason may name the asset, which tickets do not show unless an admin wants it.
  retest_refused: () => [
    'This ticket was closed, but the weakness cannot be tested now, so it is open again. The finding in Assay says why.',
  ],
  still_vulnerable: ({ reason }) => [
    `Still vulnerable: the test has seen the weakness, so this ticket is open again.${because(reason)}`,
  ],
  undecided: ({ reason, nextStep }) => [
    `The test could not tell whether the weakness is gone, so this ticket is open again.${because(reason)}`,
    ...(nextStep === null ? [] : [`Next: ${nextStep}`]),
  ],
  unfinished: ({ reason }) => [
    `The test has not ended with a result, so this ticket is open again.${because(reason)}`,
    'Next: close the ticket again, or start a retest of the finding.',
  ],
  verdict: () => [
    "This finding has no check that can run, so it waits for an admin's verdict, and this ticket is open until then.",
  ],
  acceptance: () => [
    'This ticket was closed as not to be fixed. An admin was asked to accept the risk, with an end date. Without that within 7 days the ticket opens again.',
  ],
  not_accepted: () => ['No admin has accepted the risk, so this ticket is open again.'],
  regression: () => ['The finding is open again, so this ticket is too.'],
  replaced: () => ['The finding is open again. A new ticket is opened for it.'],
  still_fixed: () => [
    'This ticket was opened again, but the last test has shown that the weakness is gone. It is being tested again.',
  ],
  still_accepted: () => [
    'This ticket was opened again, but the finding is not open in Assay. Change its status there if it must be worked on.',
  ],
  person: () => [
    'People and tests have disagreed about this ticket three times, so Assay changes it no more. Decide on the page of the finding, and choose there that Assay looks again.',
  ],
  linked: () => ['This ticket belongs to a finding in Assay now. If it is closed, the weakness is tested again.'],
};

export const noteOf = (saying: Saying, facts: SayingFacts, url: string): TicketText => ({
  paragraphs: TEXTS[saying](facts),
  link: { text: 'The finding in Assay', url },
});

const PROVED = {
  confirmed: 'Confirmed: a test has seen the weakness.',
  refuted: 'A test has not seen the weakness.',
  inconclusive: 'A test could not tell whether the weakness is there.',
  untested: 'Reported, and not tested yet.',
} as const;

export interface DescribedFinding {
  readonly severity: string;
  readonly verification: keyof typeof PROVED;
  readonly dueDate: string | null;
  readonly hasCheck: boolean;
  readonly earlier: string | null;
  /** Null unless an admin has turned it on. */
  readonly asset: string | null;
  readonly description: string | null;
}

/** Evidence, requests and responses stay in Assay, where the link leads. */
export function bodyOf(finding: DescribedFinding, url: string): TicketText {
  const { severity, verification, dueDate, hasCheck, earlier, asset, description } = finding;
  const due = dueDate === null ? '' : ` Due on ${dueDate}.`;
  return {
    paragraphs: [
      `Severity: ${severity}.${due} ${PROVED[verification]}`,
      ...(earlier === null ? [] : [`The weakness was fixed once, and is there again. The ticket before: ${earlier}`]),
      ...(asset === null ? [] : [`Asset: ${asset}`]),
      hasCheck
        ? 'Close this ticket when the weakness is fixed: Assay then tests it again, and reopens the ticket if the weakness is still there.'
        : "Close this ticket when the weakness is fixed: it then waits for an admin's verdict, because the finding has no check that can run.",
      'How to repeat it, the evidence and all tests are on the page of the finding.',
      // Last, because the end of a long text is cut.
      ...(description === null ? [] : description.split(/\n{2,}/)),
    ],
    link: { text: 'The finding in Assay', url },
  };
}

/** For a preview of what tickets say. */
export const exampleTicket = (details: readonly string[]) => ({
  title: 'SQL injection in the parameter q',
  ...bodyOf(
    {
      severity: 'critical',
      verification: 'confirmed',
      dueDate: null,
      hasCheck: true,
      earlier: null,
      asset: details.includes('asset') ? 'shop.example.com' : null,
      description: details.includes('description') ? 'The description of the finding.' : null,
    },
    '',
  ),
});
