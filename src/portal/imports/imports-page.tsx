import type { VNode } from 'preact';
import type { Page } from '../../kernel/page';
import { type Import, SCANNER_FORMATS, type ScannerFormat } from '../../modules/imports';
import { Card } from '../frame/card';
import { VerdictBadge } from '../frame/badges';
import { Checkbox, Field, Form, Select, TextArea, useRefusal } from '../frame/form';
import { LabelsField } from '../frame/labels';
import { Only } from '../frame/only';
import { Pager } from '../frame/pager';
import { Time } from '../frame/time';
import { countText, labelOf } from '../frame/words';
import { Table } from '../frame/table';
import { importsUrl, importUrl } from '../urls';
import { ADD_HOSTS, countsOf, NO_HOST, UNKNOWN_HOSTS } from './import-results';
import type { ImportsView } from './import-reader';

interface ImportsPageProps {
  readonly view: ImportsView;
  readonly page: Page;
  readonly url: string;
  readonly isFailed: boolean;
  /** Whether the form begins with a dry run. */
  readonly isDryRun: boolean;
  /** The event that is chosen at first. */
  readonly eventSlug?: string;
}

export const ImportsPage = ({ view, page, url, isFailed, isDryRun, eventSlug }: ImportsPageProps): VNode => (
  <>
    {view.mayImport ? (
      <UploadForm {...{ view, isDryRun, eventSlug }} />
    ) : (
      <p class="muted">Members of the organization can import the file of a scanner.</p>
    )}
    <Only what={isFailed ? 'Failed in the last 7 days' : undefined} all={importsUrl(view.organizationId)} />
    {view.slice.items.length > 0 ? <ImportsTable view={view} /> : !isFailed && <NoImports />}
    <Pager page={page} slice={view.slice} url={url} />
  </>
);

export const FORMAT_LABELS: Readonly<Record<ScannerFormat, string>> = {
  'nuclei-jsonl': 'Nuclei JSONL',
  sarif: 'SARIF 2.1.0',
  'zap-json': 'ZAP JSON',
  'zap-xml': 'ZAP XML',
  'burp-xml': 'Burp Suite XML',
  'nessus-xml': 'Nessus XML',
  'nmap-xml': 'Nmap XML',
  'testssl-json': 'testssl.sh JSON',
  'defectdojo-json': 'DefectDojo JSON',
  'gitlab-dast-json': 'GitLab DAST JSON',
  'defectdojo-csv': 'DefectDojo CSV',
  'nessus-csv': 'Nessus CSV',
  csv: 'CSV',
};

const UNKNOWN_ASSETS = [
  { value: 'refuse', label: 'Refuse these results' },
  { value: 'add', label: ADD_HOSTS },
];

function UploadForm({
  view: { organizationId, events, beacons, maxMegabytes, mayDecide },
  isDryRun,
  eventSlug,
}: Pick<ImportsPageProps, 'view' | 'isDryRun' | 'eventSlug'>): VNode {
  const action = importsUrl(organizationId);
  const typed = useRefusal(action)?.fields ?? {};
  const formats = SCANNER_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }));
  const networks = beacons.map(({ id, name }) => ({ value: String(id), label: `behind ${name}` }));
  const eventOptions = events.map(({ slug, name }) => ({ value: slug, label: name }));
  return (
    <Card id="upload" title="Import the file of a scanner" class="import-form">
      <p>
        Each result becomes a finding, or a sighting of a finding that you have already. Where a check looks for the
        same, the finding is then tested.
      </p>
      <Form action={action} encType="multipart/form-data">
        <div class="inline-form">
          <Select
            name="format"
            label="Format"
            options={[{ value: '', label: 'Recognized by the content' }, ...formats]}
          />
          <Select
            name="event"
            label="Event"
            options={[{ value: '', label: 'None' }, ...eventOptions]}
            value={eventSlug}
          />
          {beacons.length > 0 && (
            <Select name="beacon_id" label="Network" options={[{ value: '', label: 'The Internet' }, ...networks]} />
          )}
          <Select name="unknown_assets" label={UNKNOWN_HOSTS} options={UNKNOWN_ASSETS} />
          {mayDecide && <LabelsField name="asset_labels" label="Labels of added hosts" />}
        </div>
        <p class="hint">
          A host is unknown if none of your assets covers it. If you add the hosts, each becomes an asset of its own.
          Nothing is sent to it before its domain is verified.
        </p>
        <details open={Boolean(typed['asset'] || typed['csv_mapping'])}>
          <summary>Results without a host, and CSV files with other columns</summary>
          <Field
            name="asset"
            label={NO_HOST}
            hint="Such as results in source code, or of a host on which they could belong to several assets. A domain, a URL, an IP address or a CIDR."
            input={{ required: false, maxLength: 2048 }}
          />
          <TextArea
            name="csv_mapping"
            label="Columns of a CSV file"
            hint='A JSON object such as {"columns": {"title": "Name", "severity": "Risk"}}. Empty if the columns are named as in the template, or as most tools do.'
            rows={3}
            maxLength={8000}
          />
          <p>
            <a href={`${action}/csv-template`} download>
              Download the CSV template
            </a>
          </p>
        </details>
        <div class="flags">
          <Checkbox
            name="dry_run"
            label="Dry run: show the result of each row, and change nothing"
            checked={isDryRun}
          />
          {mayDecide && (
            <Checkbox
              name="test_replays"
              label="Test the requests of the file: GET and HEAD requests that it shows with a text of the response are sent again, without cookies"
            />
          )}
        </div>
        {/* The last field: what comes before it is checked before the file is read. */}
        <div class="field">
          <label for="file">File</label>
          <input type="file" id="file" name="file" required aria-describedby="file-hint" />
          <p class="hint" id="file-hint">
            At most {maxMegabytes} MiB, and not compressed.
          </p>
        </div>
        <button class="primary">Upload</button>
      </Form>
    </Card>
  );
}

const NoImports = (): VNode => (
  <section class="empty">
    <h2>No imports yet</h2>
    <p>
      Nuclei, ZAP, Burp Suite, Nessus, Nmap, testssl.sh, DefectDojo, and all tools that write SARIF or CSV have files to
      import.
    </p>
  </section>
);

/** People see the name, or the number if the file has none. */
export const nameOf = ({ id, name }: Import): string => name ?? `Import ${id}`;

const ImportsTable = ({ view: { organizationId, slice } }: { view: ImportsView }): VNode => (
  <Table
    rows={slice.items}
    columns={[
      {
        label: 'File',
        class: 'main wide',
        dir: 'auto',
        cell: (one) => (
          <>
            <a href={importUrl(organizationId, one.id)}>{nameOf(one)}</a>{' '}
            {one.dryRun && <span class="muted">dry run</span>}
          </>
        ),
      },
      {
        label: 'State',
        class: 'nowrap',
        cell: (one) => <ImportState one={one} />,
      },
      { label: 'Rows', isNamed: true, cell: countsText },
      { label: 'Uploaded', class: 'nowrap muted', cell: ({ created }) => <Time at={created} /> },
    ]}
  />
);

export const ImportState = ({ one: { status, waitsUntil } }: { one: Import }): VNode =>
  waitsUntil === null ? (
    <VerdictBadge verdict={status.toLowerCase()} />
  ) : (
    <>
      Needs an answer{' '}
      <span class="second muted">
        until <Time at={waitsUntil} to="minute" />
      </span>
    </>
  );

export const asksColumns = (questions: Import['questions']): boolean =>
  questions?.some(({ why }) => why === 'columns') ?? false;

/** 14 new, 6 refused. While it waits for an answer: 20 read, 6 of them wait. */
export function countsText(one: Import): string {
  const { waitsUntil, questions } = one;
  if (waitsUntil !== null && questions !== null && !asksColumns(questions)) {
    const waiting = `${countText(questions.reduce((sum, { rows }) => sum + rows, 0))} wait for the answer`;
    const read = questions[0]?.rowsRead;
    return read === undefined ? waiting : `${countText(read)} read, ${waiting}`;
  }
  const counted = countsOf(one).filter(([, count]) => count > 0);
  const text = counted.map(([result, count]) => `${countText(count)} ${labelOf(result).toLowerCase()}`).join(', ');
  return text === '' ? 'none' : text;
}
