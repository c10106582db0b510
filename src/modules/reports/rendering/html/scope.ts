import type { ReportSnapshot, SnapshotScopeAsset } from '../../domain/report-snapshot';
import { type Markup, markup } from '../markup';
import { SECTION_TITLES, WORDS } from '../report-words';
import { jobTestsOf, type JobTests, type TestRow } from '../job-result';
import { scopeSentence } from '../sentences';
import { placeText } from '../finding-location';
import { dayElement, pluralize } from '../text-format';
import { verdictMark } from './badges';

const noted = ({ description }: SnapshotScopeAsset): Markup | null =>
  description === null || description === '' ? null : markup`<p class="note" dir="auto">${description}</p>`;

const row = (asset: SnapshotScopeAsset): Markup => markup`
<tr><th scope="row"><bdi class="place">${placeText(asset.value, asset.beacon)}</bdi>${noted(asset)}</th><td>${asset.type}</td><td class="count">${asset.tier ?? '–'}</td><td class="count">${asset.findings}</td><td>${
  asset.last_tested === null ? markup`<span class="faint">not tested</span>` : dayElement(asset.last_tested)
}</td><td class="count">${asset.checks_completed}</td></tr>`;

const table = (assets: readonly SnapshotScopeAsset[]): Markup => markup`
<table class="plain scope"><thead><tr><th scope="col">Asset</th><th scope="col">Type</th><th scope="col" class="count">Tier</th><th scope="col" class="count">Findings</th><th scope="col">Last tested</th><th scope="col" class="count">Checks</th></tr></thead>
<tbody>${assets.map(row)}</tbody></table>`;

/** At most this many checks are listed for each asset; the others are counted. */
const MAX_GAPS = 25;

function gapsOf({ value, not_tested }: SnapshotScopeAsset): Markup | false {
  if (not_tested.length === 0) return false;
  const rest = not_tested.length - MAX_GAPS;
  return markup`<section class="gaps"><h4><bdi class="place">${value}</bdi>: ${pluralize(not_tested.length, 'check')} not completed</h4><ul>${not_tested
    .slice(0, MAX_GAPS)
    .map(
      ({ check, location, reason }) =>
        markup`<li><code>${check}</code> at <bdi class="place">${location}</bdi>: <bdi>${reason}</bdi></li>`,
    )}${rest > 0 && markup`<li>and ${rest} more</li>`}</ul></section>`;
}

const testRow = ({ title, check, location, outcome, label, reason }: TestRow): Markup => markup`
<tr><th scope="row"><bdi>${title}</bdi><p class="note"><code>${check}</code></p></th><td><bdi class="place">${location}</bdi></td><td>${verdictMark(outcome, label)}${
  reason !== null && markup`<p class="note" dir="auto">${reason}</p>`
}</td></tr>`;

const testTable = ({ lead, rows, notes }: JobTests): Markup => markup`
<h3>Tests</h3><p>${lead}</p>
${
  rows.length > 0 &&
  markup`<div class="wide"><table class="plain tested"><thead><tr><th scope="col">Check</th><th scope="col">Location</th><th scope="col">Result</th></tr></thead>
<tbody>${rows.map(testRow)}</tbody></table></div>`
}
${notes.map((note) => markup`<p class="note" dir="auto">${note}</p>`)}`;

export function scope(snapshot: ReportSnapshot): Markup {
  const { in_scope, out_of_scope } = snapshot.scope;
  const tests = jobTestsOf(snapshot);
  const rules = snapshot.event?.rules ?? [];
  const isEvent = snapshot.subject === 'event';
  const gaps = tests === null ? in_scope.map(gapsOf).filter((gap) => gap !== false) : [];
  const untested = in_scope.filter(({ last_tested }) => last_tested === null);
  const places = (assets: readonly SnapshotScopeAsset[]): Markup =>
    markup`<ul class="places">${assets.map((asset) => markup`<li><bdi class="place">${placeText(asset.value, asset.beacon)}</bdi>${noted(asset)}</li>`)}</ul>`;
  return markup`
<section id="scope" class="chapter"><h2>${SECTION_TITLES.scope}</h2>
<p class="lead">${scopeSentence(snapshot)}</p>
${rules.length > 0 && markup`<h3>Rules of engagement</h3><ul class="points">${rules.map((rule) => markup`<li dir="auto">${rule}</li>`)}</ul>`}
${in_scope.length > 0 && markup`<h3>${isEvent ? 'In scope' : 'Assets'}</h3>${table(in_scope)}`}
${tests !== null && testTable(tests)}
${untested.length > 0 && markup`<h3>Assets not tested</h3><p>${WORDS.untested}</p>${places(untested)}`}
${gaps.length > 0 && markup`<h3>Checks not completed</h3><p>${WORDS.incomplete}</p>${gaps}`}
${tests === null && in_scope.length > 0 && untested.length === 0 && gaps.length === 0 && markup`<h3>Not tested</h3><p>${WORDS.allTested}</p>`}
${
  isEvent &&
  markup`<h3>Out of scope</h3>
${out_of_scope.length === 0 ? markup`<p>${WORDS.noneOutOfScope}</p>` : places(out_of_scope)}`
}
</section>`;
}
