import type { ReportSnapshot } from '../../domain/report-snapshot';
import { type Markup, markup } from '../markup';
import { PROBE_STATE_MEANINGS, RESULT_MEANINGS, SECTION_TITLES, STATUS_MEANINGS } from '../report-words';
import { labelOf, PROBE_STATE_LABELS, statusLabel } from '../text-format';
import { severityBadge, verdictMark } from './badges';

const table = (title: string, rows: readonly (readonly [Markup | string, string])[]): Markup => markup`
<h3>${title}</h3>
<table class="plain terms"><tbody>${rows.map(
  ([term, means]) => markup`<tr><th scope="row">${term}</th><td>${means}</td></tr>`,
)}</tbody></table>`;

/** How to read the report, and what it includes. */
export function appendix(snapshot: ReportSnapshot): Markup {
  const { severities, statuses, retest_results } = snapshot.vocabulary;
  const shown = severities.filter(({ name }) => name !== 'cosmic' || snapshot.totals.by_severity.cosmic > 0);
  return markup`
<section id="appendix" class="chapter"><h2>${SECTION_TITLES.appendix}</h2>
${table(
  'Severities',
  shown
    .toReversed()
    .map(({ name, from }) => [
      severityBadge(name),
      from === null ? 'assigned by a person' : `a score of ${from} or more`,
    ]),
)}
${table(
  'Statuses',
  statuses.map(({ name }) => [statusLabel(name), STATUS_MEANINGS[name] ?? '']),
)}
${table(
  'Results of retests',
  retest_results.map((name) => [verdictMark(name, labelOf(name)), RESULT_MEANINGS[name] ?? '']),
)}
${table(
  'Probes',
  (['vulnerable', 'not_vulnerable', 'inconclusive', 'blocked'] as const).map((state) => [
    verdictMark(state, PROBE_STATE_LABELS[state]),
    PROBE_STATE_MEANINGS[state],
  ]),
)}
</section>`;
}
