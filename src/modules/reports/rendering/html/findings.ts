import type { ReportSnapshot } from '../../domain/report-snapshot';
import type { SnapshotFinding, SnapshotProbe, SnapshotRetest, SnapshotTransition } from '../../domain/snapshot-finding';
import { type FindingFact, factText, FINDING_FACTS } from '../finding-facts';
import { Markup, markup } from '../markup';
import { capitalize, momentElement, pluralize, PROBE_STATE_LABELS, withSpaces } from '../text-format';
import { anchorOf, severityBadge, statusBadge } from './badges';

function factValue(fact: FindingFact, finding: SnapshotFinding): Markup {
  const value = String(fact.value(finding));
  const text = factText(fact, finding);
  const address = fact.link?.(value);
  if (address !== undefined) return markup`<a href="${address}" rel="noreferrer">${text}</a>`;
  if (fact.style === 'code') return markup`<code dir="ltr">${text}</code>`;
  if (fact.style === 'place') return markup`<bdi class="place">${text}</bdi>`;
  if (fact.style === 'date') return markup`<time datetime="${value}">${text}</time>`;
  return markup`${text}`;
}

const facts = (finding: SnapshotFinding): Markup => markup`
<dl class="facts">${FINDING_FACTS.filter(({ html, value }) => html && value(finding) !== null).map(
  (fact) => markup`<div><dt>${fact.label}</dt><dd>${factValue(fact, finding)}</dd></div>`,
)}</dl>`;

const exchange = ({ request, response, address }: SnapshotProbe['exchanges'][number]): Markup => markup`
<figure class="exchange"><figcaption>${address === null ? 'No connection was made' : markup`To <code dir="ltr">${address}</code>`}</figcaption>
<pre dir="ltr">${request}</pre><pre dir="ltr" class="answer">${response === '' ? '(no response)' : response}</pre></figure>`;

const probe = ({ at, state, detail, exchanges }: SnapshotProbe): Markup => markup`
<li class="probe ${state}"><p><b>${PROBE_STATE_LABELS[state]}</b> ${momentElement(at)}</p><p dir="auto">${detail}</p>${exchanges.map(exchange)}</li>`;

const retest = ({ created, status, result, reason, signed_by, probes, uuid }: SnapshotRetest): Markup => markup`
<li class="retest"><p><b>${capitalize(withSpaces(result ?? status))}</b> ${momentElement(created)}${signed_by !== null && markup` <span class="faint">signed with key <code>${signed_by}</code>, retest <code>${uuid}</code></span>`}</p>
${reason !== null && markup`<p dir="auto">${reason}</p>`}
${probes.length > 0 && markup`<ol class="probes">${probes.map(probe)}</ol>`}</li>`;

const move = ({ at, from, to, actor, comment }: SnapshotTransition): Markup => markup`
<li><p>${momentElement(at)}: ${from === null ? 'recorded' : markup`from ${withSpaces(from)} to <b>${withSpaces(to)}</b>`}, by <bdi>${actor}</bdi></p>${
  comment !== null && comment !== '' && markup`<p class="said" dir="auto">${comment}</p>`
}</li>`;

const retests = (finding: SnapshotFinding): Markup => markup`
<section class="tests"><h4>${pluralize(finding.retests.length, 'retest')}</h4><ol>${finding.retests.map(retest)}</ol></section>`;

const history = (finding: SnapshotFinding): Markup => markup`
<section class="history"><h4>History</h4><ol>${finding.history.map(move)}</ol></section>`;

/** The sanitizer of the findings made this HTML safe when the Markdown was written. It is the only markup that is not ours. */
const text = ({ html }: SnapshotFinding): Markup | false =>
  html !== null && html !== '' && markup`<div class="prose">${Markup.trusted(html)}</div>`;

const articleOf = (finding: SnapshotFinding, { sections }: ReportSnapshot['options']): Markup => markup`
<article id="${anchorOf(finding)}" class="finding edge-${finding.severity}">
<header><p class="badges">${severityBadge(finding.severity)}${statusBadge(finding)}<span class="faint">Finding ${finding.id}</span></p><h3 dir="auto">${finding.title}</h3></header>
${facts(finding)}
${text(finding)}
${finding.retests.length > 0 && sections.includes('evidence') && retests(finding)}
${finding.history.length > 0 && history(finding)}
</article>`;

const row = (finding: SnapshotFinding): Markup => markup`
<tr><td>${severityBadge(finding.severity)}</td><th scope="row"><a href="#${anchorOf(finding)}"><bdi>${finding.title}</bdi></a></th><td><bdi class="place">${finding.asset_value}</bdi></td><td>${statusBadge(finding)}</td></tr>`;

const register = (findings: readonly SnapshotFinding[]): Markup => markup`
<table class="plain register"><thead><tr><th scope="col">Severity</th><th scope="col">Finding</th><th scope="col">Asset</th><th scope="col">Status</th></tr></thead>
<tbody>${findings.map(row)}</tbody></table>`;

/** A table of all findings, then each finding, most urgent first. */
export const findings = ({ findings: told, options }: ReportSnapshot): Markup => markup`
<section id="findings" class="chapter"><h2>Findings</h2>
${told.length === 0 ? markup`<p>This report has no findings.</p>` : register(told)}
${told.map((finding) => articleOf(finding, options))}
</section>`;
