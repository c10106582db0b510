import { SEVERITIES, type Severity } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { statusMeanings } from '../html/appendix';
import { counted } from '../html/words';
import type { Lettering, Shown } from './lettering';
import type { Pieces } from './line-breaks';
import { momentOf, periodOf, wordsOf } from './phrases';
import { standingOf } from './standing';

export interface AppendixPart {
  readonly severities: readonly { readonly severity: Severity; readonly label: string; readonly from: string }[];
  readonly statuses: readonly { readonly label: Pieces; readonly standing: string; readonly means: string }[];
  readonly results: readonly { readonly label: Pieces; readonly means: string }[];
  readonly looks: readonly { readonly state: string; readonly means: string }[];
  readonly made: readonly (readonly [label: string, value: Shown])[];
}

const RESULTS: Readonly<Record<string, string>> = {
  fixed: 'The weakness was looked for again, several times, and every look showed its absence.',
  still_vulnerable: 'At least one look showed the weakness again.',
  inconclusive: 'The looks show neither. It is never taken for fixed.',
};

const LOOKS = [
  { state: 'vulnerable', means: 'The weakness was seen.' },
  { state: 'not vulnerable', means: 'The answer shows that the weakness is not there.' },
  { state: 'inconclusive', means: 'The answer, or the lack of one, shows neither.' },
] as const;

export function appendixOf(snapshot: ReportSnapshot, lettering: Lettering): AppendixPart {
  const { vocabulary, options } = snapshot;
  const missing = lettering.charactersMissing;
  return {
    severities: vocabulary.severities
      .toSorted((one, other) => SEVERITIES.indexOf(other.name) - SEVERITIES.indexOf(one.name))
      .map(({ name, from }) => ({ severity: name, label: wordsOf(name), from: from ?? 'stated by a person' })),
    statuses: vocabulary.statuses.map(({ number, name }) => ({
      label: lettering.pieces(wordsOf(name)),
      standing: standingOf(number),
      means: statusMeanings[name] ?? '',
    })),
    results: vocabulary.retest_results.map((name) => ({
      label: lettering.pieces(wordsOf(name)),
      means: RESULTS[name] ?? '',
    })),
    looks: LOOKS,
    made: [
      ['Report', `${snapshot.report_id}, in the state of ${momentOf(snapshot.taken)}`],
      ['Period', periodOf(snapshot.start_date, snapshot.end_date)],
      ['Severity', options.min_severity === 'none' ? 'all' : `${options.min_severity} and above`],
      ['Statuses', lettering.words(statusesOf(snapshot))],
      [
        'Evidence',
        options.include_evidence && options.sections.includes('evidence')
          ? 'included, long messages shortened'
          : 'left out',
      ],
      ...(missing === 0
        ? []
        : [
            [
              'Characters',
              `${counted(missing, 'character')} of scripts that the fonts of this report lack ${missing === 1 ? 'is' : 'are'} shown as \ufffd. The report as JSON has every one.`,
            ] as const,
          ]),
    ],
  };
}

function statusesOf({ options, vocabulary }: ReportSnapshot): string {
  const names = vocabulary.statuses
    .filter(({ number }) => options.statuses.includes(number))
    .map(({ name }) => wordsOf(name));
  const chosen = names.length === 0 ? 'all' : names.join(', ');
  return options.include_resolved ? chosen : `${chosen}, without what is resolved`;
}
