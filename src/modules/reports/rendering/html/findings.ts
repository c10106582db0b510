import { capitalized } from '../../../../kernel/capitalized';
import { annexNotice } from '../../domain/report-annex';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { wordOfStatus } from '../../domain/snapshot-totals';
import type { SnapshotProbe, SnapshotRetest, SnapshotTransition } from '../../domain/snapshot-parts';
import { type FindingFact, factText } from '../finding-fact';
import { FINDING_FACTS } from '../finding-facts';
import { Markup, markup } from '../markup';
import { decisiveProbe, type ExcerptPart, excerptOfProbe, type ProbeExcerpt } from '../evidence-excerpt';
import { placeText } from '../finding-location';
import { historyText } from '../history-text';
import { SECTION_TITLES, WORDS } from '../report-words';
import { momentElement, pluralize, PROBE_STATE_LABELS, resultLabelOf } from '../text-format';
import { anchorOf, severityBadge, statusBadge, verdictMark } from './badges';

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

const lines = (parts: readonly ExcerptPart[]): Markup[] =>
  parts.map(({ kind, text }, index) => {
    const start = index > 0 ? '\n' : '';
    if (kind === 'plain') return markup`${start}${text}`;
    return kind === 'decisive' ? markup`${start}<mark>${text}</mark>` : markup`${start}<i>${text}</i>`;
  });

const messages = ({ decisive, others }: ProbeExcerpt): Markup =>
  markup`${
    decisive !== null &&
    markup`<figure class="exchange"><figcaption>${decisive.address === null ? 'No connection was made' : markup`To <code dir="ltr">${decisive.address}</code>`}</figcaption>
<pre dir="ltr">${lines(decisive.request)}</pre><pre dir="ltr" class="answer">${lines(decisive.response)}</pre></figure>`
  }${
    others.length > 0 &&
    markup`<p class="note">Other requests of this probe</p><ul class="others">${others.map((line) => markup`<li><code dir="ltr">${line}</code></li>`)}</ul>`
  }`;

/** The detail is omitted if the reason of the retest or the probe before it says the same. */
const probe = (
  one: SnapshotProbe,
  isDecisive: boolean,
  location: string | null,
  before: string | null,
): Markup => markup`
<li class="probe ${one.state}"><p>${verdictMark(one.state, PROBE_STATE_LABELS[one.state])} ${momentElement(one.at)}</p>${one.detail !== before && markup`<p dir="auto">${capitalized(one.detail)}</p>`}${isDecisive && messages(excerptOfProbe(one, location))}</li>`;

function retest(tested: SnapshotRetest, location: string | null): Markup {
  const { created, finished, status, result, reason, judged_by, requests, signed_by, probes } = tested;
  const decisive = decisiveProbe(probes);
  const kind = result ?? status;
  return markup`
<li class="retest"><p>${verdictMark(kind, resultLabelOf(tested))} ${momentElement(finished ?? created)}${judged_by !== null && markup`, <bdi>${judged_by}</bdi>`}${requests !== null && `, ${pluralize(requests, 'request')}`}</p>
${reason !== null && markup`<p dir="auto">${capitalized(reason)}</p>`}
${probes.length > 0 && markup`<ol class="probes">${probes.map((one, index) => probe(one, one === decisive, location, probes[index - 1]?.detail ?? reason))}</ol>`}
${signed_by !== null && markup`<p class="note">Evidence signed with key <code>${signed_by}</code></p>`}</li>`;
}

const move = (
  { at, from, to, actor, comment }: SnapshotTransition,
  listed: readonly SnapshotRetest[],
): Markup => markup`
<li><p>${momentElement(at)}: ${from === null ? 'recorded' : markup`from ${wordOfStatus(from)} to <b>${wordOfStatus(to)}</b>`}, by <bdi>${actor}</bdi></p>${
  comment !== null && comment !== '' && markup`<p class="said" dir="auto">${historyText(comment, listed)}</p>`
}</li>`;

const retests = (finding: SnapshotFinding): Markup => markup`
<section class="tests"><h4>Retests</h4><ol>${finding.retests.map((one) => retest(one, finding.location))}</ol></section>`;

const history = (finding: SnapshotFinding, isListed: boolean): Markup => markup`
<section class="history"><h4>History</h4><ol>${finding.history.map((one) => move(one, isListed ? finding.retests : []))}</ol></section>`;

/** The sanitizer of the findings made this HTML safe when the Markdown was written. It is the only markup that is not ours. */
const text = ({ html }: SnapshotFinding): Markup | false =>
  html !== null && html !== '' && markup`<div class="prose">${Markup.trusted(html)}</div>`;

const outside = markup`<span class="outside">${WORDS.outsideScope}</span>`;

const articleOf = (finding: SnapshotFinding, { sections }: ReportSnapshot['options']): Markup => {
  const hasRetests = finding.retests.length > 0 && sections.includes('evidence');
  return markup`
<article id="${anchorOf(finding)}" class="finding edge-${finding.severity}">
<header><p class="badges">${severityBadge(finding.severity)}${statusBadge(finding)}<span class="faint">Finding ${finding.id}</span>${finding.in_scope === false && outside}</p><h3 dir="auto">${finding.title}</h3></header>
${facts(finding)}
${text(finding)}
${hasRetests && retests(finding)}
${finding.history.length > 0 && history(finding, hasRetests)}
</article>`;
};

const row = (finding: SnapshotFinding): Markup => markup`
<tr><td>${finding.id}</td><td>${severityBadge(finding.severity)}</td><th scope="row"><a href="#${anchorOf(finding)}"><bdi>${finding.title}</bdi></a></th><td><bdi class="place">${placeText(finding.asset_value, finding.beacon)}</bdi>${finding.in_scope === false && markup`<br>${outside}`}</td><td>${statusBadge(finding)}</td></tr>`;

const register = (findings: readonly SnapshotFinding[]): Markup => markup`
<table class="plain register"><thead><tr><th scope="col">No.</th><th scope="col">Severity</th><th scope="col">Finding</th><th scope="col">Asset</th><th scope="col">Status</th></tr></thead>
<tbody>${findings.map(row)}</tbody></table>`;

/** A table of all findings, then each finding, most urgent first. */
export function findings(snapshot: ReportSnapshot): Markup {
  const { findings: all, options } = snapshot;
  const notice = annexNotice(snapshot);
  return markup`
<section id="findings" class="chapter"><h2>${SECTION_TITLES.findings}</h2>
${notice !== null && markup`<p class="lead">${notice}</p>`}
${all.length === 0 ? markup`<p>${WORDS.noFindings}</p>` : register(all)}
${all.map((finding) => articleOf(finding, options))}
</section>`;
}
