/** What a test of a finding ends with. */
export type Result = 'fixed' | 'still_vulnerable' | 'inconclusive' | 'blocked';

/** What each consumer makes of a result. */
export interface ResultEffects {
  /** Of the finding. */
  readonly status: 'resolved' | 'reopened' | 'unchanged';
  /** Of a finding that was untested. */
  readonly verification: 'confirmed' | 'inconclusive' | 'unchanged';
  /** Of a job, where the check never showed the weakness on this origin. */
  readonly gate: 'passes' | 'fails' | 'incomplete' | 'passes_while_few';
  /** At an insertion point, where a payload was sent. */
  readonly gateAtPoint: 'passes' | 'fails' | 'incomplete';
  /** Where a finding of the check is open on this origin. */
  readonly gateOfOpenFinding: 'passes' | 'fails';
  /** Whether `incomplete=allow`, or an accepted incompleteness, lets an incomplete check pass. */
  readonly incompleteAllow: 'passes' | 'no_effect';
  readonly sarif: 'no_result' | 'result' | 'warning' | 'note';
  readonly junit: 'passed' | 'failure' | 'error' | 'skipped';
  readonly gitlab: 'nothing' | 'vulnerability' | 'warn' | 'info';
  /** Of a resolved finding whose last retest it is. */
  readonly vex: 'fixed' | 'under_investigation';
  /** In entries of the feed, which no filter leaves out. */
  readonly feed: Result;
  /** Whether the due date of an open finding still runs. */
  readonly sla: 'ends' | 'runs';
  /** After a retest, and as what the second look itself leaves behind. */
  readonly secondLook: 'planned' | 'none';
  readonly afterSecondLook: 'confirmed' | 'reopened' | 'once_more';
  /** Of a run of a schedule or an event that has this part alone. */
  readonly run: 'finished';
  /** In a comparison of two jobs, of a finding that the later one did not see. */
  readonly comparison: 'fixed' | 'still_there' | 'unknown';
  readonly report: 'Fixed' | 'Still vulnerable' | 'Inconclusive' | 'Blocked';
  readonly portal: 'fixed' | 'still vulnerable' | 'undecided' | 'refused';
  /** Whether a person may give it. */
  readonly byHand: boolean;
}

/** The one table of what results mean. A spec goes through every cell. */
export const RESULT_EFFECTS = {
  fixed: {
    status: 'resolved',
    verification: 'unchanged',
    gate: 'passes',
    gateAtPoint: 'passes',
    gateOfOpenFinding: 'passes',
    incompleteAllow: 'no_effect',
    sarif: 'no_result',
    junit: 'passed',
    gitlab: 'nothing',
    vex: 'fixed',
    feed: 'fixed',
    sla: 'ends',
    secondLook: 'planned',
    afterSecondLook: 'confirmed',
    run: 'finished',
    comparison: 'fixed',
    report: 'Fixed',
    portal: 'fixed',
    byHand: true,
  },
  still_vulnerable: {
    status: 'reopened',
    verification: 'confirmed',
    gate: 'fails',
    gateAtPoint: 'fails',
    gateOfOpenFinding: 'fails',
    incompleteAllow: 'no_effect',
    sarif: 'result',
    junit: 'failure',
    gitlab: 'vulnerability',
    vex: 'under_investigation',
    feed: 'still_vulnerable',
    sla: 'runs',
    secondLook: 'none',
    afterSecondLook: 'reopened',
    run: 'finished',
    comparison: 'still_there',
    report: 'Still vulnerable',
    portal: 'still vulnerable',
    byHand: true,
  },
  inconclusive: {
    status: 'unchanged',
    verification: 'inconclusive',
    gate: 'incomplete',
    gateAtPoint: 'incomplete',
    gateOfOpenFinding: 'fails',
    incompleteAllow: 'passes',
    sarif: 'warning',
    junit: 'error',
    gitlab: 'warn',
    vex: 'under_investigation',
    feed: 'inconclusive',
    sla: 'runs',
    secondLook: 'none',
    afterSecondLook: 'once_more',
    run: 'finished',
    comparison: 'unknown',
    report: 'Inconclusive',
    portal: 'undecided',
    byHand: true,
  },
  blocked: {
    status: 'unchanged',
    verification: 'inconclusive',
    gate: 'passes_while_few',
    gateAtPoint: 'incomplete',
    gateOfOpenFinding: 'fails',
    incompleteAllow: 'passes',
    sarif: 'note',
    junit: 'skipped',
    gitlab: 'info',
    vex: 'under_investigation',
    feed: 'blocked',
    sla: 'runs',
    secondLook: 'none',
    afterSecondLook: 'once_more',
    run: 'finished',
    comparison: 'unknown',
    report: 'Blocked',
    portal: 'refused',
    byHand: false,
  },
} as const satisfies Readonly<Record<Result, ResultEffects>>;
