import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import { FINDING_STATUS } from '../../modules/findings';
import { completeOptions, type ReportContents } from '../../modules/reports';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { VerdictBadge } from '../frame/badges';
import { Panel } from '../frame/panel';
import { Time } from '../frame/time';
import { formatted, labelOf, pluralize } from '../frame/words';
import { FollowedPart } from '../live/followed-part';
import { eventUrl, findingUrl, reportsUrl, reportUrl, scanUrl } from '../urls';
import type { ReportView } from './report-reader';
import { FORMAT_LABELS, stateOf } from './reports-page';

export const isGenerating = ({ report }: ReportView): boolean => stateOf(report) === 'being_generated';

export const ReportPage = ({ view }: { view: ReportView }): VNode => (
  <div class="columns">
    <div>
      <LiveReport view={view} />
      {view.contents !== undefined && <Contents view={view} contents={view.contents} />}
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

const countOf = (of: readonly unknown[], word: string): string => pluralize(of.length, word);

/** What the file has, and what it leaves out. */
function Contents({ view: { organizationId }, contents }: { view: ReportView; contents: ReportContents }): VNode {
  const { findings, left_out: leftOut, left_out_findings: named } = contents;
  const bySeverity = SEVERITIES.toReversed().flatMap((severity) => {
    const of = findings.filter(([, , number]) => SEVERITIES[number] === severity);
    return of.length === 0 ? [] : [`${formatted(of.length)} ${severity}`];
  });
  const open = findings.filter(([, status]) => status <= 4);
  const resolved = findings.filter(([, status]) => status === FINDING_STATUS.resolved);
  return (
    <Card id="contents" title="What is in it">
      <p>
        {countOf(findings, 'finding')}
        {bySeverity.length > 0 && `: ${bySeverity.join(', ')}`}. {formatted(open.length)} open,{' '}
        {formatted(resolved.length)} resolved.
      </p>
      {leftOut === 0 ? (
        <p>No finding was left out by choice or by a filter.</p>
      ) : (
        <>
          <h3>Not in it: {leftOut}</h3>
          <ul class="plain">
            {named.map(({ id, title, reasons }) => (
              <li key={id}>
                <a href={findingUrl(organizationId, id)} dir="auto">
                  #{id} {title}
                </a>
                <span class="muted"> {reasons.join(' ')}</span>
              </li>
            ))}
          </ul>
          {leftOut > named.length && <p class="hint">The {named.length} most urgent. The file names more.</p>}
        </>
      )}
    </Card>
  );
}

function Options({ view: { organizationId, report, event } }: { view: ReportView }): VNode {
  const options = completeOptions(report.options);
  const { startDate, endDate, created, jobUuid } = report;
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
        <Fact label="Kind">{options.kind === 'letter' ? 'Attestation letter' : 'Report'}</Fact>
        {options.kind === 'report' && <Fact label="Sections">{options.sections.map(labelOf).join(', ')}</Fact>}
        {options.compare_with !== null && (
          <Fact label="Compared with">
            <a href={reportUrl(organizationId, options.compare_with)}>Report {options.compare_with}</a>
          </Fact>
        )}
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
