import type { ReportSnapshot, SnapshotScopeAsset } from '../../domain/report-snapshot';
import { type Markup, markup } from '../markup';
import { subjectTexts } from '../subject-texts';
import { pluralize, dayElement } from '../text-format';

const noted = ({ description }: SnapshotScopeAsset): Markup | null =>
  description === null || description === '' ? null : markup`<p class="note" dir="auto">${description}</p>`;

const row = (asset: SnapshotScopeAsset): Markup => markup`
<tr><th scope="row"><bdi class="place">${asset.value}</bdi>${noted(asset)}</th><td>${asset.type}</td><td class="count">${asset.tier ?? '–'}</td><td class="count">${asset.findings}</td><td>${
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

export function scope(snapshot: ReportSnapshot): Markup {
  const { in_scope, out_of_scope } = snapshot.scope;
  const gaps = in_scope.map(gapsOf).filter((gap) => gap !== false);
  return markup`
<section id="scope" class="chapter"><h2>Scope</h2>
<h3>In scope</h3>
${in_scope.length === 0 ? markup`<p>No asset is in the scope of this ${subjectTexts(snapshot).noun}.</p>` : table(in_scope)}
${out_of_scope.length > 0 && markup`<h3>Out of scope</h3><p>These must not be tested.</p><ul class="places">${out_of_scope.map((asset) => markup`<li><bdi class="place">${asset.value}</bdi>${noted(asset)}</li>`)}</ul>`}
<h3>What was not tested</h3>
${
  gaps.length === 0
    ? markup`<p>Every check that the service started was completed. The service has not tested assets that no job has run on.</p>`
    : markup`<p>These checks could not be completed. Their results are unknown.</p>${gaps}`
}
</section>`;
}
