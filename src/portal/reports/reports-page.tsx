import type { VNode } from 'preact';
import type { Page } from '../../kernel/page';
import type { Event } from '../../modules/events';
import { type Report, type ReportFormat, subjectKindOf } from '../../modules/reports';
import { VerdictBadge } from '../frame/badges';
import { Pager } from '../frame/pager';
import { Time } from '../frame/time';
import { Table } from '../frame/table';
import { newReportUrl, reportUrl } from '../urls';
import type { ReportsView } from './report-reader';

interface ReportsPageProps {
  readonly view: ReportsView;
  readonly page: Page;
  readonly url: string;
}

export const ReportsPage = (props: ReportsPageProps): VNode => (
  <>
    {props.view.slice.items.length === 0 ? <NoReports view={props.view} /> : <ReportsTable view={props.view} />}
    <Pager page={props.page} slice={props.view.slice} url={props.url} />
  </>
);

export const NewReport = ({ organizationId }: Pick<ReportsView, 'organizationId'>): VNode => (
  <a class="button primary" href={newReportUrl(organizationId)}>
    New report
  </a>
);

const NoReports = ({ view: { mayOrder } }: { view: ReportsView }): VNode => (
  <section class="empty">
    <h2>No reports yet</h2>
    <p>
      A report is a file with the findings of an event, a scan or the organization.{' '}
      {!mayOrder && 'Members of the organization can generate one.'}
    </p>
  </section>
);

/** Whether a report can be downloaded. */
export function stateOf({ error, generationDate }: Report): string {
  if (error !== null) return 'failed';
  return generationDate === null ? 'being_generated' : 'ready';
}

export function subjectText(report: Report, events: readonly Event[]): string {
  const kind = subjectKindOf(report);
  if (kind === 'event') return `Report of ${events.find(({ id }) => id === report.eventId)?.name ?? 'an event'}`;
  return kind === 'job' ? 'Report of a scan' : 'Report of the organization';
}

const ReportsTable = ({ view: { organizationId, slice, events } }: { view: ReportsView }): VNode => (
  <Table
    rows={slice.items}
    columns={[
      {
        label: 'Report',
        class: 'main wide',
        dir: 'auto',
        cell: (report) => (
          <a href={reportUrl(organizationId, report.id)}>
            {report.options.title_page.title ?? subjectText(report, events)}
          </a>
        ),
      },
      { label: 'Format', class: 'nowrap', cell: ({ options }) => FORMAT_LABELS[options.format] },
      { label: 'State', class: 'nowrap', cell: (report) => <VerdictBadge verdict={stateOf(report)} /> },
      { label: 'Ordered', class: 'nowrap muted', cell: ({ created }) => <Time at={created} /> },
    ]}
  />
);

export const FORMAT_LABELS: Readonly<Record<ReportFormat, string>> = {
  pdf: 'PDF',
  html: 'HTML',
  json: 'JSON',
  csv: 'CSV',
  sarif: 'SARIF',
  vex: 'OpenVEX',
  csaf: 'CSAF VEX',
  gitlab: 'GitLab DAST',
  junit: 'JUnit',
};
