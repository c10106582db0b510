import { SEVERITIES, type Severity } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { PROBE_STATE_MEANINGS, RESULT_MEANINGS, STATUS_MEANINGS } from '../report-words';
import { labelOf, PROBE_STATE_LABELS, severityLabel, statusLabel } from '../text-format';
import type { FontFallback } from './font-fallback';
import type { BreakableText } from './line-breaks';
import { dispositionOf } from '../disposition';

export interface AppendixPart {
  readonly severities: readonly { readonly severity: Severity; readonly label: string; readonly from: string }[];
  readonly statuses: readonly { readonly label: BreakableText; readonly disposition: string; readonly means: string }[];
  readonly results: readonly { readonly kind: string; readonly label: BreakableText; readonly means: string }[];
  readonly probeStates: readonly { readonly kind: string; readonly state: string; readonly means: string }[];
}

const PROBE_STATES = (['vulnerable', 'not_vulnerable', 'inconclusive', 'blocked'] as const).map((state) => ({
  kind: state,
  state: PROBE_STATE_LABELS[state],
  means: PROBE_STATE_MEANINGS[state],
}));

export function appendixOf(snapshot: ReportSnapshot, fonts: FontFallback): AppendixPart {
  const { vocabulary } = snapshot;
  return {
    severities: vocabulary.severities
      .filter(({ name }) => name !== 'cosmic' || snapshot.totals.by_severity.cosmic > 0)
      .toSorted((one, other) => SEVERITIES.indexOf(other.name) - SEVERITIES.indexOf(one.name))
      .map(({ name, from }) => ({ severity: name, label: severityLabel(name), from: from ?? 'assigned by a person' })),
    statuses: vocabulary.statuses.map(({ number, name }) => ({
      label: fonts.inline(statusLabel(name)),
      disposition: dispositionOf(number),
      means: STATUS_MEANINGS[name] ?? '',
    })),
    results: vocabulary.retest_results.map((name) => ({
      kind: name,
      label: fonts.inline(labelOf(name)),
      means: RESULT_MEANINGS[name] ?? '',
    })),
    probeStates: PROBE_STATES,
  };
}
