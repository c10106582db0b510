import type { ReportOptions } from '../../domain/report-options';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { type Markup, markup } from '../markup';
import { severityBadge } from './badges';
import { momentElement, capitalize, pluralize, withSpaces } from '../text-format';

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
  out_of_scope: 'Outside the scope of this event.',
};

const severities = ({ vocabulary, totals }: ReportSnapshot): Markup => markup`
<h3>Severities</h3>
<table class="plain"><tbody>${vocabulary.severities
  .filter(({ name }) => name !== 'cosmic' || totals.by_severity.cosmic > 0)
  .toReversed()
  .map(
    ({ name, from }) =>
      markup`<tr><th scope="row">${severityBadge(name)}</th><td>${from === null ? 'assigned by a person' : `a score of ${from} or more`}</td></tr>`,
  )}</tbody></table>`;

const statuses = ({ vocabulary }: ReportSnapshot): Markup => markup`
<h3>Statuses</h3>
<table class="plain"><tbody>${vocabulary.statuses.map(
  ({ name }) => markup`<tr><th scope="row">${capitalize(withSpaces(name))}</th><td>${STATUS_MEANINGS[name]}</td></tr>`,
)}</tbody></table>`;

function chosen(
  { min_severity, statuses, include_evidence, include_resolved }: ReportOptions,
  words: ReportSnapshot['vocabulary']['statuses'],
): string {
  const named = words.filter(({ number }) => statuses.includes(number)).map(({ name }) => withSpaces(name));
  return [
    min_severity === 'none' ? 'of every severity' : `with a severity of ${min_severity} or more`,
    named.length === 0 ? 'in every status' : `that are ${named.join(', ')}`,
    include_resolved ? 'resolved ones too' : 'without resolved ones',
    include_evidence ? 'with evidence' : 'without evidence',
  ].join(', ');
}

/** How to read the report, and what it includes. */
export const appendix = (snapshot: ReportSnapshot): Markup => markup`
<section id="appendix" class="chapter"><h2>Appendix</h2>
<h3>How to read this report</h3>
<p>It shows the state at ${momentElement(snapshot.taken)}, and does not change later. It includes findings ${chosen(snapshot.options, snapshot.vocabulary.statuses)} that were seen in its period. ${pluralize(snapshot.totals.left_out, 'finding')} of the event ${snapshot.totals.left_out === 1 ? 'is' : 'are'} not included.</p>
<p>A retest sends several probes, and a control that shows that the target is the same and responds as before. <b>Fixed</b>: every probe shows that the vulnerability is absent. <b>Still vulnerable</b>: at least one probe shows the vulnerability. <b>Inconclusive</b>: the probes show neither, and the status of the finding stays. Evidence is signed. Anyone with the public key can verify it without the service.</p>
${severities(snapshot)}
${statuses(snapshot)}
</section>`;
