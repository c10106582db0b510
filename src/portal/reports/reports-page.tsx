import type { VNode } from 'preact';
import type { Page } from '../../kernel/page';
import { SEVERITIES } from '../../kernel/severity';
import type { Event } from '../../modules/events';
import {
  type Report,
  REPORT_SECTIONS,
  type ReportFormat,
  reportVocabulary,
  subjectKindOf,
} from '../../modules/reports';
import { VerdictBadge } from '../frame/badges';
import { Checkbox, Field, Select } from '../frame/form';
import { Pager } from '../frame/pager';
import { Time } from '../frame/time';
import { labelOf } from '../frame/words';
import { Sheet } from '../frame/sheet';
import { Table } from '../frame/table';
import { reportsUrl, reportUrl } from '../urls';
import type { ReportsView } from './report-reader';
import { type ReportsQuery, subjectValue } from './reports.requests';

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

const NoReports = ({ view: { mayOrder } }: { view: ReportsView }): VNode => (
  <section class="empty">
    <h2>No reports yet</h2>
    <p>
      A report is a file with the findings of an event, a scan or the organization.{' '}
      {!mayOrder && 'Members of the organization can order one.'}
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
  gitlab: 'GitLab DAST',
  junit: 'JUnit',
};

const optional = (maxLength: number) => ({ required: false, maxLength });

const TITLE_FIELDS = [
  { name: 'title', label: 'Title', length: 200 },
  { name: 'subtitle', label: 'Subtitle', length: 200 },
  { name: 'confidentiality', label: 'Marking on every page', length: 60 },
  { name: 'recipient', label: 'Recipient', length: 200 },
  { name: 'version', label: 'Version', length: 40 },
  { name: 'tester', label: 'Tester', length: 200 },
  { name: 'contact', label: 'Contact', length: 200 },
] as const;

export function OrderReport({
  view: { organizationId, events },
  query: { event, job },
}: Pick<ReportsPageProps, 'view'> & { readonly query: ReportsQuery }): VNode {
  const subjects = [
    ...(job === undefined ? [] : [{ value: subjectValue.job(job), label: 'The scan' }]),
    { value: subjectValue.organization, label: 'The organization' },
    ...events.map(({ slug, name }) => ({ value: subjectValue.event(slug), label: `Event ${name}` })),
  ];
  const formats = reportVocabulary.formats.map((value) => ({ value, label: FORMAT_LABELS[value] }));
  const severities = SEVERITIES.map((value) => ({
    value,
    label: value === 'none' ? 'All' : `${labelOf(value)} and above`,
  }));
  return (
    <Sheet
      id="order"
      label="Order a report"
      action={reportsUrl(organizationId)}
      isOpen={event !== undefined || job !== undefined}
    >
      <div class="inline-form">
        <Select name="subject" label="About" options={subjects} value={event && subjectValue.event(event)} />
        <Select name="format" label="Format" options={formats} value="pdf" />
        <Select name="min_severity" label="Severity" options={severities} value="none" />
        <Field name="start_date" label="From, in UTC" input={{ type: 'date', required: false }} />
        <Field name="end_date" label="To, in UTC" input={{ type: 'date', required: false }} />
      </div>
      <div class="flags">
        <Checkbox name="include_evidence" label="With evidence" checked />
        <Checkbox name="include_resolved" label="With resolved findings" checked />
        <Checkbox name="open_only" label="Only open findings" />
      </div>
      <details>
        <summary>Sections and title page, for PDF and HTML</summary>
        <fieldset class="flags">
          <legend>Sections</legend>
          {REPORT_SECTIONS.map((section) => (
            <Checkbox key={section} name={`section_${section}`} label={labelOf(section)} checked />
          ))}
        </fieldset>
        <div class="inline-form">
          {TITLE_FIELDS.map(({ name, label, length }) => (
            <Field key={name} name={name} label={label} input={optional(length)} />
          ))}
        </div>
      </details>
      <button class="primary">Order the report</button>
    </Sheet>
  );
}
