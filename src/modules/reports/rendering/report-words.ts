import type { ReportSection } from '../domain/report-options';

/** The sections of PDF and HTML reports, in order. Evidence is part of the findings. */
export const SECTION_TITLES: Readonly<Record<Exclude<ReportSection, 'evidence'>, string>> = {
  summary: 'Executive summary',
  scope: 'Scope',
  changes: 'What changed',
  methodology: 'Methodology',
  findings: 'Findings',
  retests: 'Retests',
  appendix: 'How to read this report',
};

export const STATUS_MEANINGS: Readonly<Record<string, string>> = {
  open: 'Seen, and not assessed yet.',
  accepted: 'Confirmed. It will be fixed.',
  in_progress: 'The fix is in progress.',
  ready_for_retest: 'Reported as fixed. A retest will check it.',
  resolved: 'Fixed, or no longer present.',
  risk_accepted: 'Known, and not fixed by decision.',
  false_positive: 'Assessed as not a vulnerability.',
  duplicate: 'Described by another finding.',
  informative: 'Useful to know, without a risk.',
  out_of_scope: 'Outside the agreed scope.',
};

export const RESULT_MEANINGS: Readonly<Record<string, string>> = {
  fixed: 'Several probes repeated the test, and every probe showed that the vulnerability is absent.',
  still_vulnerable: 'At least one probe showed the vulnerability again.',
  inconclusive: 'The probes show neither. The finding is not resolved.',
};

export const PROBE_STATE_MEANINGS = {
  vulnerable: 'The response shows the vulnerability.',
  not_vulnerable: 'The response shows that the vulnerability is absent.',
  inconclusive: 'The response, or its absence, shows neither.',
} as const;

export const WORDS = {
  noFindings: 'This report has no findings.',
  noRetests: 'No finding of this report was retested.',
  noneOutOfScope: 'No asset is named as out of scope.',
  outsideScope: 'Outside the scope',
  untested: 'The service has not tested these assets in the period of this report.',
  incomplete: 'These checks could not be completed, so their results are unknown.',
  allTested: 'Every asset in scope was tested, and every check of it was completed.',
  confidential: 'Confidential',
} as const;
