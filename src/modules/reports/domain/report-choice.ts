import { severityNumber } from '../../../kernel/severity';
import { FINDING_STATUS, type FindingSelection, findingStatusVocabulary } from '../../findings';
import type { ReportOptions } from './report-options';
import type { ReportPeriod } from './report-period';

const all = findingStatusVocabulary.map(({ number }) => number);

/** Which findings a report tells of: a finding must satisfy every option, and have been seen in the period. */
export const findingChoiceOf = (options: ReportOptions, { startDate, endDate }: ReportPeriod): FindingSelection => ({
  minSeverity: severityNumber(options.min_severity),
  statuses: (options.statuses.length > 0 ? options.statuses : all).filter(
    (status) => options.include_resolved || status !== FINDING_STATUS.resolved,
  ),
  seenFrom: startDate,
  seenTo: endDate,
});

/** Evidence is the one section that is not only shown or not: where it is not wanted it is not even read. */
export const includesEvidence = ({ include_evidence, sections }: ReportOptions): boolean =>
  include_evidence && sections.includes('evidence');
