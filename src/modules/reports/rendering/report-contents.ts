import type { ReportSnapshot } from '../domain/report-snapshot';
import { labelOf } from './text-format';
import type { LabeledText } from './title-page';

/** What a report includes, by its options. */
export function reportContentsOf(snapshot: ReportSnapshot): readonly LabeledText[] {
  const { min_severity, include_evidence, sections } = snapshot.options;
  const { owner_name: owner } = snapshot;
  return [
    [
      'Findings',
      `${min_severity === 'none' ? 'All severities' : `Severity ${min_severity} and above`}, ${statusesOf(snapshot)}`,
    ],
    ...(owner === undefined ? [] : [['Owner', `Only assets of ${owner}`] as const]),
    [
      'Evidence',
      include_evidence && sections.includes('evidence')
        ? 'Reduced to the lines that matter. The JSON format has the whole requests and responses.'
        : 'Not included',
    ],
  ];
}

function statusesOf({ options, vocabulary }: ReportSnapshot): string {
  const names = vocabulary.statuses
    .filter(({ number }) => options.statuses.includes(number))
    .map(({ name }) => labelOf(name));
  const chosen = names.length === 0 ? 'all statuses' : `only with the status ${names.join(', ')}`;
  return options.include_resolved ? chosen : `${chosen}, without resolved findings`;
}
