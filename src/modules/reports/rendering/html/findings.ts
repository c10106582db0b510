import type { ReportSnapshot } from '../../domain/report-snapshot';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { type Markup, markup } from '../markup';
import { anchorOf, severityBadge, statusBadge } from './badges';
import { articleOf } from './finding';

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
