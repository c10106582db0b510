import { SEVERITIES, type Severity } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { STATUS_MEANINGS } from '../html/appendix';
import { formatMoment, formatPeriod, labelOf, pluralize, PROBE_STATE_LABELS, severityLabel } from '../text-format';
import type { FontFallback, DirectedText } from './font-fallback';
import type { BreakableText } from './line-breaks';
import { dispositionOf } from '../disposition';

export interface AppendixPart {
  readonly severities: readonly { readonly severity: Severity; readonly label: string; readonly from: string }[];
  readonly statuses: readonly { readonly label: BreakableText; readonly disposition: string; readonly means: string }[];
  readonly results: readonly { readonly label: BreakableText; readonly means: string }[];
  readonly probeStates: readonly { readonly state: string; readonly means: string }[];
  readonly contents: readonly (readonly [label: string, value: DirectedText])[];
}

const RESULTS: Readonly<Record<string, string>> = {
  fixed: 'Several probes repeated the test, and every probe showed that the vulnerability is absent.',
  still_vulnerable: 'At least one probe showed the vulnerability again.',
  inconclusive: 'The probes show neither. The finding is not resolved.',
};

const PROBE_STATES = [
  { state: PROBE_STATE_LABELS.vulnerable, means: 'The response shows the vulnerability.' },
  { state: PROBE_STATE_LABELS.not_vulnerable, means: 'The response shows that the vulnerability is absent.' },
  { state: PROBE_STATE_LABELS.inconclusive, means: 'The response, or its absence, shows neither.' },
] as const;

export function appendixOf(snapshot: ReportSnapshot, fonts: FontFallback): AppendixPart {
  const { vocabulary, options } = snapshot;
  const missing = fonts.missingCharacters;
  return {
    severities: vocabulary.severities

      .filter(({ name }) => name !== 'cosmic' || snapshot.totals.by_severity.cosmic > 0)
      .toSorted((one, other) => SEVERITIES.indexOf(other.name) - SEVERITIES.indexOf(one.name))
      .map(({ name, from }) => ({ severity: name, label: severityLabel(name), from: from ?? 'assigned by a person' })),
    statuses: vocabulary.statuses.map(({ number, name }) => ({
      label: fonts.inline(labelOf(name)),
      disposition: dispositionOf(number),
      means: STATUS_MEANINGS[name] ?? '',
    })),
    results: vocabulary.retest_results.map((name) => ({
      label: fonts.inline(labelOf(name)),
      means: RESULTS[name] ?? '',
    })),
    probeStates: PROBE_STATES,
    contents: [
      ['Report', `${snapshot.report_id}, as of ${formatMoment(snapshot.taken)}`],
      ['Period', formatPeriod(snapshot.start_date, snapshot.end_date)],
      ['Severity', options.min_severity === 'none' ? 'all' : `${options.min_severity} and above`],
      ['Statuses', fonts.paragraph(statusesOf(snapshot))],
      [
        'Evidence',
        options.include_evidence && options.sections.includes('evidence')
          ? 'included, long messages shortened'
          : 'not included',
      ],
      ...(missing === 0
        ? []
        : [
            [
              'Characters',
              `${pluralize(missing, 'character')} ${missing === 1 ? 'is' : 'are'} not in the fonts of this report and shown as \ufffd. The JSON format contains every character.`,
            ] as const,
          ]),
    ],
  };
}

function statusesOf({ options, vocabulary }: ReportSnapshot): string {
  const names = vocabulary.statuses
    .filter(({ number }) => options.statuses.includes(number))
    .map(({ name }) => labelOf(name));
  const chosen = names.length === 0 ? 'all' : names.join(', ');
  return options.include_resolved ? chosen : `${chosen}, without resolved findings`;
}
