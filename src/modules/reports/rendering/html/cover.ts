import { SEVERITIES } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { strip } from '../charts';
import { type Markup, markup } from '../markup';
import { SEVERITY_COLORS } from '../palette';
import { capitalize, dayElement, isolated, momentElement, severityLabel, withSpaces } from '../text-format';

const WORST_FIRST = SEVERITIES.toReversed();

/** The organization, the event, and the findings by severity. */
export const cover = ({
  event,
  organization,
  start_date,
  end_date,
  taken,
  report_id,
  totals,
}: ReportSnapshot): Markup => markup`
<header class="cover">
  <p class="maker"><svg aria-hidden="true" viewBox="0 0 24 24" width="22" height="22"><path d="M12 1.5 21 5v7c0 5.2-3.8 8.8-9 10.5C6.8 20.800 3 17.200 3 12V5z" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="m7.800 12 3 3 5.400-6.200" fill="none" stroke="currentColor" stroke-width="1.8"/></svg>Assay</p>
  <div class="title">
    <p class="kind">${capitalize(withSpaces(event.category))} report</p>
    <h1 dir="auto">${event.name}</h1>
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
    <div><dt>Engagement</dt><dd>${capitalize(event.type)}${event.dimension !== null && `, ${event.dimension}`}, ${event.status}</dd></div>
    <div><dt>Reference</dt><dd>${isolated(event.slug)}, report ${report_id}</dd></div>
  </dl>
</header>`;
