import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import { type FindingTemplate, MAX_TEMPLATE_NAME_LENGTH, MAX_TEXT, type TemplateName } from '../../modules/findings';
import { Fact } from '../frame/fact';
import { Field, Form, Select, TextArea } from '../frame/form';
import { Settings } from '../frame/settings-tabs';
import { Table } from '../frame/table';
import { labelOf } from '../frame/words';
import { newFindingUrl, templateUrl } from '../urls';

interface TemplatesProps {
  readonly organizationId: number;
  readonly templates: readonly TemplateName[];
}

export const TemplatesPage = ({ organizationId, templates }: TemplatesProps): VNode => (
  <Settings current="findings">
    {templates.length === 0 ? (
      <section class="empty">
        <h2>No templates yet</h2>
        <p>A template has the texts that a finding begins with when a person records it. Admins write templates.</p>
      </section>
    ) : (
      <Table
        rows={templates}
        columns={[
          {
            label: 'Template',
            class: 'main wide',
            dir: 'auto',
            cell: ({ id, name }) => <a href={templateUrl(organizationId, id)}>{name}</a>,
          },
          { label: 'CWE', class: 'nowrap', cell: ({ cwe }) => (cwe === null ? '' : `CWE-${cwe}`) },
        ]}
      />
    )}
  </Settings>
);

interface TemplateProps {
  readonly template: FindingTemplate;
  readonly mayChange: boolean;
  readonly mayUse: boolean;
}

/** A form for admins, the texts for others. */
export function TemplatePage({ template, mayChange, mayUse }: TemplateProps): VNode {
  const { organizationId, id } = template;
  const action = templateUrl(organizationId, id);
  return (
    <Settings current="findings">
      {mayUse && (
        <p>
          <a class="button" href={`${newFindingUrl(organizationId)}?template=${id}`}>
            New finding with this template
          </a>
        </p>
      )}
      {mayChange ? <TemplateFields {...{ action, template }} /> : <TemplateFacts template={template} />}
      {mayChange && (
        <Form action={`${action}/delete`}>
          <p>Findings that began with the template keep their texts.</p>
          <button>Delete the template</button>
        </Form>
      )}
    </Settings>
  );
}

const TemplateFacts = ({
  template: { title, cwe, severity, cvssVector, md, remediation },
}: Pick<TemplateProps, 'template'>) => (
  <dl class="facts">
    <Fact label="Title">{title}</Fact>
    {cwe !== null && <Fact label="CWE">CWE-{cwe}</Fact>}
    {severity !== null && <Fact label="Severity">{labelOf(SEVERITIES[severity] ?? 'none')}</Fact>}
    {cvssVector !== null && <Fact label="CVSS vector">{cvssVector}</Fact>}
    {md !== null && (
      <Fact label="Description">
        <pre>{md}</pre>
      </Fact>
    )}
    {remediation !== null && (
      <Fact label="How to fix it">
        <pre>{remediation}</pre>
      </Fact>
    )}
  </dl>
);

/** The form of a template; without one that of a new one. */
export const TemplateFields = ({ action, template }: { action: string; template?: FindingTemplate }): VNode => (
  <Form action={action} class="finding-form">
    <Field
      name="name"
      label="Name of the template"
      input={{ value: template?.name, maxLength: MAX_TEMPLATE_NAME_LENGTH, dir: 'auto' }}
    />
    <Field name="title" label="Title" input={{ value: template?.title, maxLength: 500, dir: 'auto' }} />
    <div class="inline-form">
      <Field
        name="cwe"
        label="CWE, the number"
        input={{ type: 'number', min: 1, max: 99_999, value: template?.cwe ?? '', required: false }}
      />
      <Select
        name="severity"
        label="Severity"
        options={[
          { value: '', label: 'Of the vector, or chosen later' },
          ...SEVERITIES.toReversed().map((value) => ({ value, label: labelOf(value) })),
        ]}
        value={template?.severity == null ? '' : SEVERITIES[template.severity]}
      />
    </div>
    <Field
      name="cvss_vector"
      label="CVSS vector"
      hint="Of version 3.0, 3.1 or 4.0."
      input={{ value: template?.cvssVector ?? '', maxLength: 300, required: false, spellcheck: false }}
    />
    <TextArea name="md" label="Description, in Markdown" value={template?.md} rows={12} maxLength={MAX_TEXT} />
    <TextArea
      name="remediation"
      label="How to fix it, in Markdown"
      value={template?.remediation}
      rows={6}
      maxLength={MAX_TEXT}
    />
    <p>
      <button class="primary">Save</button>
    </p>
  </Form>
);
