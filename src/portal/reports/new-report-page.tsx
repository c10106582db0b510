import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import { FINDING_ORDERS, MAX_SIZED, MAX_TEXT_LENGTH } from '../../modules/reports';
import { SeverityBadge, statusLabel } from '../frame/badges';
import { Card } from '../frame/card';
import { Field, Form, Select, TextArea, useRefusal } from '../frame/form';
import { Table } from '../frame/table';
import { countText } from '../frame/words';
import { findingUrl, newReportUrl, reportsUrl } from '../urls';
import type { NewReportView } from './report-reader';
import { PRESETS } from './presets';
import { ReportContent } from './report-content';
import { subjectText } from './reports-page';
import { subjectValue } from './reports.requests';

interface PartProps {
  readonly view: NewReportView;
}

const optional = (maxLength: number) => ({ required: false, maxLength });

const TITLE_FIELDS = [
  ['title', 'Title', 200],
  ['subtitle', 'Subtitle', 200],
  ['version', 'Version', 40],
  ['author', 'Author', 200],
  ['reviewer', 'Reviewer', 200],
  ['tester', 'Tester', 200],
  ['contact', 'Contact', 200],
  ['recipient', 'Recipient', 200],
  ['confidentiality', 'Marking on every page', 60],
] as const;

export function NewReportPage({ view }: PartProps): VNode {
  const { organizationId, preset, query } = view;
  return (
    <div class="below">
      <Form action={reportsUrl(organizationId)}>
        <div
          hx-post={newReportUrl(organizationId, { preset: query.preset })}
          hx-trigger="change"
          hx-include="closest form"
          hx-target="#report-size"
          hx-select="#report-size"
          hx-swap="outerHTML"
        >
          <Subject view={view} />
          <nav class="tabs" aria-label="Kind of report">
            {Object.entries(PRESETS).map(([name, { label }]) => (
              <button
                key={name}
                name="begin_with"
                value="preset"
                formnovalidate
                formaction={newReportUrl(organizationId, { preset: name })}
                aria-current={name === query.preset ? 'page' : undefined}
              >
                {label}
              </button>
            ))}
          </nav>
          <p>{preset.hint}</p>
          <input type="hidden" name="kind" value={preset.kind} />
          <ReportContent view={view} />
        </div>
        <Words view={view} />
        {preset.kind === 'report' && <Findings view={view} />}
        <details>
          <summary>Title page and people</summary>
          <div class="inline-form">
            {TITLE_FIELDS.map(([name, label, length]) => (
              <Field key={name} name={name} label={label} input={optional(length)} />
            ))}
          </div>
        </details>
        <p class="actions">
          <button class="primary">Generate the report</button>
        </p>
      </Form>
    </div>
  );
}

/** A part of the form, so that the report is about what is shown. The button shows the findings of another subject. */
function Subject({ view: { organizationId, events, query } }: PartProps): VNode {
  const options = [
    ...(query.subject.startsWith('job ') ? [{ value: query.subject, label: 'The scan' }] : []),
    { value: subjectValue.organization, label: 'The organization' },
    ...events.map(({ slug, name }) => ({ value: subjectValue.event(slug), label: `Event ${name}` })),
  ];
  return (
    <div class="inline-form">
      <Select name="subject" id="about" label="About" options={options} value={query.subject} />
      <button formnovalidate formaction={newReportUrl(organizationId, { preset: query.preset })}>
        Show its findings
      </button>
    </div>
  );
}

/** They are shown as this person's, so nothing is filled in until the person asks for it. */
function Words({ view: { organizationId, preset, query, draft } }: PartProps): VNode {
  const text = (name: 'summary' | 'conclusion' | 'next_steps', label: string): VNode => (
    <TextArea name={name} label={label} value={draft[name]} rows={5} maxLength={MAX_TEXT_LENGTH} />
  );
  return (
    <Card id="words" title="Your words" class="below">
      <p class="hint">
        In Markdown, all optional. The report names you and today as their author.{' '}
        <button
          class="link"
          name="begin_with"
          value="facts"
          formnovalidate
          formaction={newReportUrl(organizationId, { preset: query.preset, draft: 'true' })}
        >
          Start from the facts
        </button>
      </p>
      <Field
        name="rating"
        label="Overall rating"
        input={{ ...optional(200), value: draft.rating ?? '', placeholder: 'Moderate risk' }}
      />
      {preset.kind === 'report' && (
        <>
          {text('summary', 'Summary')}
          {text('conclusion', 'Conclusion')}
          {text('next_steps', 'Next steps')}
        </>
      )}
    </Card>
  );
}

const ORDER_LABELS = { priority: 'Priority', severity: 'Severity', asset: 'Asset' } as const;

function Findings({ view }: PartProps): VNode {
  const { organizationId, facts, comparable, preset } = view;
  const [newest] = comparable;
  const leftOut = new Set([useRefusal(reportsUrl(organizationId))?.fields['left_out'] ?? []].flat());
  const earlier = comparable.map((report) => ({
    value: report.id,
    label: `Report ${report.id}, ${report.options.title_page.title ?? subjectText(report, view.events)}`,
  }));
  const rest = facts.ofSubject - facts.findings.length;
  return (
    <Card id="findings" title="Findings" class="below">
      <div class="inline-form">
        <Select
          name="order"
          label="Order"
          options={FINDING_ORDERS.map((value) => ({ value, label: ORDER_LABELS[value] }))}
          value="priority"
        />
        <Field name="first_findings" label="First, by number" input={{ ...optional(2_000), placeholder: '12, 7' }} />
        <Select
          name="compare_with"
          label="Compare with"
          options={[{ value: '', label: 'No report' }, ...earlier]}
          value={preset.isCompared ? newest?.id : ''}
        />
      </div>
      {preset.isCompared && newest === undefined && (
        <p>There is no earlier report of this subject to compare with. The next one can be compared with this one.</p>
      )}
      <details>
        <summary>Leave out single findings</summary>
        <p class="hint">The report names them as left out by choice.</p>
        <Table
          rows={facts.findings}
          columns={[
            {
              label: 'Leave out',
              cell: ({ id }) => (
                <input
                  type="checkbox"
                  name="left_out"
                  value={id}
                  checked={leftOut.has(String(id))}
                  aria-label={`Leave out finding ${id}`}
                />
              ),
            },
            { label: 'Severity', cell: ({ severity }) => <SeverityBadge severity={SEVERITIES[severity]} /> },
            {
              label: 'Finding',
              class: 'main wide',
              dir: 'auto',
              cell: ({ id, title }) => <a href={findingUrl(organizationId, id)}>{`#${id} ${title}`}</a>,
            },
            { label: 'Asset', dir: 'auto', cell: ({ assetValue }) => assetValue },
            { label: 'Status', class: 'nowrap', cell: ({ status }) => statusLabel(status) },
          ]}
        />
        {rest > 0 && (
          <p class="hint">
            The {facts.findings.length} most urgent of {countText(facts.ofSubject, MAX_SIZED)} findings.
          </p>
        )}
      </details>
    </Card>
  );
}
