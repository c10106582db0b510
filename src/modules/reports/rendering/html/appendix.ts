import type { ReportOptions } from '../../domain/report-options';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { type Markup, markup } from '../markup';
import { severityBadge } from './badges';
import { atMoment, capital, counted, spoken } from './words';

/** In the words of every format. */
export const statusMeanings: Readonly<Record<string, string>> = {
  open: 'Seen, and nobody has decided about it yet.',
  accepted: 'Confirmed, and to be mended.',
  in_progress: 'Being mended.',
  ready_for_retest: 'Said to be mended, and to be tested again.',
  resolved: 'Gone.',
  risk_accepted: 'Known, and left as it is by decision.',
  false_positive: 'Judged to be no weakness.',
  duplicate: 'Told by another finding.',
  informative: 'Worth knowing, and no risk.',
  out_of_scope: 'Not a matter of this event.',
};

const severities = ({ vocabulary }: ReportSnapshot): Markup => markup`
<h3>Severities</h3>
<table class="plain"><tbody>${vocabulary.severities
  .toReversed()
  .map(
    ({ name, from }) =>
      markup`<tr><th scope="row">${severityBadge(name)}</th><td>${from === null ? 'stated by a person, never scored' : `a score of ${from} or more`}</td></tr>`,
  )}</tbody></table>`;

const statuses = ({ vocabulary }: ReportSnapshot): Markup => markup`
<h3>Statuses</h3>
<table class="plain"><tbody>${vocabulary.statuses.map(
  ({ name }) => markup`<tr><th scope="row">${capital(spoken(name))}</th><td>${statusMeanings[name]}</td></tr>`,
)}</tbody></table>`;

function chosen(
  { min_severity, statuses, include_evidence, include_resolved }: ReportOptions,
  words: ReportSnapshot['vocabulary']['statuses'],
): string {
  const named = words.filter(({ number }) => statuses.includes(number)).map(({ name }) => spoken(name));
  return [
    min_severity === 'none' ? 'of every severity' : `with a severity of ${min_severity} or more`,
    named.length === 0 ? 'in every status' : `that are ${named.join(', ')}`,
    include_resolved ? 'resolved ones too' : 'without resolved ones',
    include_evidence ? 'with evidence' : 'without evidence',
  ].join(', ');
}

/** How to read it, and what it is made of. */
export const appendix = (snapshot: ReportSnapshot): Markup => markup`
<section id="appendix" class="chapter"><h2>Appendix</h2>
<h3>How to read this report</h3>
<p>It shows how things were at ${atMoment(snapshot.taken)}, and does not change when they do. It tells of findings ${chosen(snapshot.options, snapshot.vocabulary.statuses)}, that were seen in its period; ${counted(snapshot.totals.left_out, 'finding')} of the event ${snapshot.totals.left_out === 1 ? 'is' : 'are'} left out.</p>
<p>A retest looks several times, with a control that shows that the target is the one that was tested and answers as it did. <b>Fixed</b> is what every look shows to be gone. <b>Still vulnerable</b> is what one look shows to be there. All else is <b>inconclusive</b>, and changes nothing. Evidence is signed: whoever has the public key can check it without the service.</p>
${severities(snapshot)}
${statuses(snapshot)}
</section>`;
