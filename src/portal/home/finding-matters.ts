import type { FindingsPreview } from '../../modules/findings';
import type { FindingsParameters } from '../urls';

/** A list of findings that a person may have to look at. The page shows its first findings, and links to it. */
interface FindingMatter {
  readonly id: string;
  readonly title: string;
  readonly parameters: FindingsParameters;
}

export type FindingMatterView = FindingMatter & FindingsPreview;

const sort = 'priority';

/** The most urgent first. */
export const findingMatters = (visitedBefore: Date | null): readonly FindingMatter[] => [
  { id: 'overdue', title: 'Overdue', parameters: { overdue: true, sort: 'due_date' } },
  {
    id: 'unassigned',
    title: 'Critical and high, assigned to no one',
    parameters: { severity: 'high', assignee: 'none', open: true, sort },
  },
  { id: 'mine', title: 'Assigned to you', parameters: { assignee: 'me', open: true, sort: 'due_date' } },
  { id: 'due', title: 'Due in 7 days', parameters: { due_in: 7, sort: 'due_date' } },
  {
    id: 'regressed',
    title: 'Found again after a fix this week',
    parameters: { change: 'regressed', open: true, sort },
  },
  { id: 'verdict', title: 'Retests that wait for a verdict', parameters: { retest: 'verdict', sort } },
  { id: 'undecided', title: 'Retests without a result', parameters: { retest: 'undecided', sort } },
  { id: 'waiting', title: 'Waiting for a retest', parameters: { status: 4, sort: 'due_date' } },
  { id: 'acceptances', title: 'Acceptances that end in 14 days', parameters: { ends_in: 14, sort } },
  ...(visitedBefore === null
    ? []
    : [
        {
          id: 'new',
          title: 'New since your last visit',
          parameters: { change: 'found', since: visitedBefore, sort } as const,
        },
      ]),
];

/** The numbers of the week and of the first sentence. */
export const FINDING_COUNTS = {
  critical: { severity: 'critical', open: true, sort },
  high: { severity: 'high', max_severity: 'high', open: true, sort },
  severe: { severity: 'high', open: true, sort },
  found: { change: 'found', sort },
  fixed: { change: 'fixed', status: 5, sort },
  proved: { severity: 'critical', belief: 'proved', open: true, sort },
  provedHigh: { severity: 'high', max_severity: 'high', belief: 'proved', open: true, sort },
  claimed: { severity: 'critical', belief: 'claimed', open: true, sort },
  untestable: { severity: 'critical', belief: 'untestable', open: true, sort },
} as const satisfies Record<string, FindingsParameters>;

export type FindingCounts = Readonly<Record<keyof typeof FINDING_COUNTS, number>>;
