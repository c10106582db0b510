import type { ReportSnapshot } from '../domain/report-snapshot';
import { formatMoment, formatPeriod, labelOf } from './text-format';
import type { LabeledText } from './title-page';

/** What a report includes, by its options. */
export function reportContentsOf(snapshot: ReportSnapshot): readonly LabeledText[] {
  const { min_severity, include_evidence, sections } = snapshot.options;
  return [
    ['Report', `${snapshot.report_id}, as of ${formatMoment(snapshot.taken)}`],
    ['Period', formatPeriod(snapshot.start_date, snapshot.end_date)],
    ['Severity', min_severity === 'none' ? 'all' : `${min_severity} and above`],
    ['Statuses', statusesOf(snapshot)],
    [
      'Evidence',
      include_evidence && sections.includes('evidence')
        ? 'included, reduced to the lines that matter; the JSON format has the whole requests and responses'
        : 'not included',
    ],
  ];
}

function statusesOf({ options, vocabulary }: ReportSnapshot): string {
  const names = vocabulary.statuses
    .filter(({ number }) => options.statuses.includes(number))
    .map(({ name }) => labelOf(name));
  const chosen = names.length === 0 ? 'all' : names.join(', ');
  return options.include_resolved ? chosen : `${chosen}, without resolved findings`;
}
