import type { ReportSection } from '../domain/report-options';
import type { ReportSnapshot, SnapshotAssessment } from '../domain/report-snapshot';
import { formatDay } from './text-format';

/** Besides the sections, those that a report has only if they have content. */
type Chapter = Exclude<ReportSection, 'evidence'> | 'assessment' | 'comparison' | 'left_out';

/** The summary of PDF and HTML reports, and the chapters of their annex, in order. Evidence is part of the findings. */
export const SECTION_TITLES: Readonly<Record<Chapter, string>> = {
  summary: 'Executive summary',
  assessment: 'Assessment',
  plan: 'Remediation plan',
  comparison: 'Comparison',
  scope: 'Scope',
  changes: 'What changed',
  methodology: 'Methodology',
  findings: 'Findings',
  left_out: 'Not in this report',
  retests: 'Retests',
  appendix: 'How to read this report',
};

/** The chapters of this report. */
export const chaptersOf = (snapshot: ReportSnapshot): (readonly [Chapter, string])[] => {
  const { options, changes, assessment, comparison, totals } = snapshot;
  const hasChapter: Partial<Record<string, boolean>> = {
    changes: changes !== null && options.sections.includes('changes'),
    assessment: assessment !== null,
    comparison: comparison !== null,
    left_out: totals.left_out > 0,
  };
  return (Object.entries(SECTION_TITLES) as (readonly [Chapter, string])[]).filter(
    ([name]) => hasChapter[name] ?? options.sections.includes(name as ReportSection),
  );
};

export const writtenBy = ({ author, written }: SnapshotAssessment): string =>
  `Written by ${author} on ${formatDay(written)}. Everything else in this document is what Assay recorded.`;

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
  blocked:
    'The tested request alone was refused, which does not show that the vulnerability is absent. The finding is not resolved.',
};

export const PROBE_STATE_MEANINGS = {
  vulnerable: 'The response shows the vulnerability.',
  not_vulnerable: 'The response shows that the vulnerability is absent.',
  inconclusive: 'The response, or its absence, shows neither.',
  blocked: 'The request was refused, and a request that cannot show the vulnerability was not.',
} as const;

export const WORDS = {
  annex: 'Annex',
  noFindings: 'This report has no findings.',
  noRetests: 'No finding of this report was retested.',
  noneOutOfScope: 'No asset is named as out of scope.',
  outsideScope: 'Outside the scope',
  untested: 'The service has not tested these assets in the period of this report.',
  incomplete: 'These checks could not be completed, so their results are unknown.',
  allTested: 'Every asset in scope was tested, and every check of it was completed.',
  confidential: 'Confidential',
} as const;
