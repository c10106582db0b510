import type { VNode } from 'preact';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { VerdictBadge } from '../frame/badges';
import { Panel } from '../frame/panel';
import { Time } from '../frame/time';
import { labelOf } from '../frame/words';
import { FollowedPart } from '../live/followed-part';
import { eventUrl, reportsUrl, reportUrl, scanUrl } from '../urls';
import type { ReportView } from './report-reader';
import { FORMAT_LABELS, stateOf } from './reports-page';

export const isGenerating = ({ report }: ReportView): boolean => stateOf(report) === 'being_generated';

export const ReportPage = ({ view }: { view: ReportView }): VNode => (
  <div class="columns">
    <div>
      <LiveReport view={view} />
    </div>
    <aside>
      <Options view={view} />
      {view.mayDelete && (
        <Panel
          label="Delete the report"

          action={`${reportUrl(view.organizationId, view.report.id)}/delete`}
        >
          <p>The file can then not be downloaded any more. The findings stay.</p>
          <button class="danger">Delete the report</button>
        </Panel>
      )}
    </aside>
  </div>
);

export const GeneratingPart = (): VNode => <p>A worker generates it. This page shows the file when it is there.</p>;

/** Follows the report until it is there. */
export function LiveReport({ view }: { view: ReportView }): VNode {
  const { organizationId, report } = view;
  const base = reportUrl(organizationId, report.id);
  return (
    <section id="live" class="card" aria-labelledby="state-title">
      <h2 id="state-title">File</h2>
      <p role="status">
        <VerdictBadge verdict={stateOf(report)} />
        {report.generationDate !== null && (
          <>
            {' '}
            <Time at={report.generationDate} />
          </>
        )}
      </p>
      {report.error !== null && <p dir="auto">{report.error}</p>}
      {report.notice !== null && <p dir="auto">{report.notice}</p>}
      {isGenerating(view) && (
        <FollowedPart stream={`${base}/progress`} page={`${base}/live`}>
          <GeneratingPart />
        </FollowedPart>
      )}
      {stateOf(report) === 'ready' && (
        <p class="actions">
          <a class="button primary" href={`${base}/download`} download>
            Download the {FORMAT_LABELS[report.options.format]} file
          </a>
          {report.options.format === 'html' && (
            <a href={`${base}/preview`} target="_blank" rel="noopener noreferrer">
              Preview in a new tab
            </a>
          )}
        </p>
      )}
    </section>
  );
}

function Options({ view: { organizationId, report, event } }: { view: ReportView }): VNode {
  const { options, startDate, endDate, created, jobUuid } = report;
  return (
    <Card id="options" title="Details">
      <dl class="facts">
        <Fact label="About">
          {event !== undefined && <a href={eventUrl(organizationId, event.slug)}>{event.name}</a>}
          {jobUuid !== null && <a href={scanUrl(organizationId, jobUuid)}>Scan</a>}
          {event === undefined && jobUuid === null && 'The organization'}
        </Fact>
        <Fact label="Period">
          <Time at={startDate} to="day" /> to <Time at={endDate} to="day" />
        </Fact>
        <Fact label="Severity">
          {options.min_severity === 'none' ? 'all' : `${labelOf(options.min_severity)} and above`}
        </Fact>
        <Fact label="Sections">{options.sections.map(labelOf).join(', ')}</Fact>
        <Fact label="Ordered">
          <Time at={created} />
        </Fact>
      </dl>
      <p>
        <a href={reportsUrl(organizationId)}>All reports</a>
      </p>
    </Card>
  );
}
