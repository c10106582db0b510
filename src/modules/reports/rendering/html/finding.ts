import type {
  ReportSnapshot,
  SnapshotFinding,
  SnapshotMove,
  SnapshotProbe,
  SnapshotRetest,
} from '../../domain/report-snapshot';
import { Markup, markup } from '../markup';
import { anchorOf, severityBadge, statusBadge } from './badges';
import { atMoment, capital, counted, onDay, spoken } from './words';

const fact = (name: string, value: Markup | string | number | null): Markup | null =>
  value === null ? null : markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;

const code = (text: string | null): Markup | null => (text === null ? null : markup`<code dir="ltr">${text}</code>`);

const place = (text: string | null): Markup | null => (text === null ? null : markup`<bdi class="place">${text}</bdi>`);

const facts = (finding: SnapshotFinding): Markup => markup`
<dl class="facts">
${fact('Asset', place(finding.asset_value))}
${fact('Location', place(finding.location))}
${fact('Score', finding.score === null ? null : finding.score.toFixed(1))}
${fact('Priority', finding.priority)}
${fact('CVSS', code(finding.cvss_vector))}
${fact('CVE', finding.cve)}
${fact('Check', code(finding.check))}
${fact('First seen', onDay(finding.created))}
${fact('Last seen', markup`${onDay(finding.last_seen)}${finding.times_seen > 1 && `, ${finding.times_seen} times in all`}`)}
${finding.resolved !== null && fact('Resolved', onDay(finding.resolved))}
</dl>`;

const exchange = ({ request, response, address }: SnapshotProbe['exchanges'][number]): Markup => markup`
<figure class="exchange"><figcaption>${address === null ? 'No address was dialled' : markup`To <code dir="ltr">${address}</code>`}</figcaption>
<pre dir="ltr">${request}</pre><pre dir="ltr" class="answer">${response === '' ? '(no answer)' : response}</pre></figure>`;

const probe = ({ at, state, detail, exchanges }: SnapshotProbe): Markup => markup`
<li class="probe ${state}"><p><b>${capital(state.replace('_', ' '))}</b> ${atMoment(at)}</p><p dir="auto">${detail}</p>${exchanges.map(exchange)}</li>`;

const retest = ({ created, status, result, reason, signed_by, probes, uuid }: SnapshotRetest): Markup => markup`
<li class="retest"><p><b>${capital(spoken(result ?? status))}</b> ${atMoment(created)}${signed_by !== null && markup` <span class="faint">signed with key <code>${signed_by}</code>, retest <code>${uuid}</code></span>`}</p>
${reason !== null && markup`<p dir="auto">${reason}</p>`}
${probes.length > 0 && markup`<ol class="probes">${probes.map(probe)}</ol>`}</li>`;

const move = ({ at, from, to, actor, comment }: SnapshotMove): Markup => markup`
<li><p>${atMoment(at)}: ${from === null ? 'recorded' : markup`from ${spoken(from)} to <b>${spoken(to)}</b>`}, by <bdi>${actor}</bdi></p>${
  comment !== null && comment !== '' && markup`<p class="said" dir="auto">${comment}</p>`
}</li>`;

const retests = (finding: SnapshotFinding): Markup => markup`
<section class="tests"><h4>${counted(finding.retests.length, 'retest')}</h4><ol>${finding.retests.map(retest)}</ol></section>`;

const history = (finding: SnapshotFinding): Markup => markup`
<section class="history"><h4>History</h4><ol>${finding.history.map(move)}</ol></section>`;

/** Its Markdown became safe HTML when it was written, by the sanitizer of the findings: the only markup that is not ours. */
const text = ({ html }: SnapshotFinding): Markup | false =>
  html !== null && html !== '' && markup`<div class="prose">${Markup.trusted(html)}</div>`;

export const articleOf = (finding: SnapshotFinding, { sections }: ReportSnapshot['options']): Markup => markup`
<article id="${anchorOf(finding)}" class="finding edge-${finding.severity}">
<header><p class="badges">${severityBadge(finding.severity)}${statusBadge(finding)}<span class="faint">Finding ${finding.id}</span></p><h3 dir="auto">${finding.title}</h3></header>
${facts(finding)}
${text(finding)}
${finding.retests.length > 0 && sections.includes('evidence') && retests(finding)}
${finding.history.length > 0 && history(finding)}
</article>`;
