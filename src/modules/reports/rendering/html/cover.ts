import { SEVERITIES } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { strip } from '../charts';
import { type Markup, markup } from '../markup';
import { SEVERITY_COLORS } from '../palette';
import { subjectTexts } from '../subject-texts';
import { dayElement, isolated, momentElement, severityLabel } from '../text-format';

const WORST_FIRST = SEVERITIES.toReversed();

/** The organization, the event, and the findings by severity. */
export function cover(snapshot: ReportSnapshot): Markup {
  const { organization, start_date, end_date, taken, report_id, totals } = snapshot;
  const { kind, name, facts } = subjectTexts(snapshot);
  return markup`
<header class="cover">
  <p class="maker"><svg aria-hidden="true" viewBox="0 0 24 24" width="22" height="22"><path d="M12 1.5 21 5v7c0 5.2-3.8 8.8-9 10.5C6.8 20.800 3 17.200 3 12V5z" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="m7.800 12 3 3 5.400-6.200" fill="none" stroke="currentColor" stroke-width="1.8"/></svg>Assay</p>
  <div class="title">
    <p class="kind">${kind}</p>
    <h1 dir="auto">${name}</h1>
    <p class="owner" dir="auto">${organization.name}</p>
  </div>
  <div class="glance">
    ${strip(
      WORST_FIRST.map((severity) => ({
        label: severityLabel(severity),
        value: totals.by_severity[severity],
        colour: SEVERITY_COLORS[severity],
      })),
      { title: 'Findings by severity', width: 720 },
    )}
    <ul>${WORST_FIRST.map((severity) => totals.by_severity[severity] > 0 && markup`<li><i class="severity-${severity}"></i>${totals.by_severity[severity]} ${severityLabel(severity)}</li>`)}</ul>
  </div>
  <dl class="facts">
    <div><dt>Period</dt><dd>${dayElement(start_date)} to ${dayElement(end_date)}</dd></div>
    <div><dt>As of</dt><dd>${momentElement(taken)}</dd></div>
    ${facts.map(([label, value]) => markup`<div><dt>${label}</dt><dd>${isolated(value)}</dd></div>`)}
    <div><dt>Report</dt><dd>No. ${report_id}</dd></div>
  </dl>
</header>`;
}
