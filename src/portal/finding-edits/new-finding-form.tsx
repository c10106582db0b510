import type { VNode } from 'preact';
import { MAX_ATTACHMENTS } from '../../modules/findings';
import { Field, Form, Select, TextArea, useRefusal } from '../frame/form';
import { LabelsField } from '../frame/labels';
import { findingsUrl, newFindingUrl } from '../urls';
import { CHOOSE } from './cvss-fields';
import { MAX_REQUEST, MAX_RESPONSE, type NewFindingForm } from './finding-edits.requests';
import { EVIDENCE_HINT, FindingFields, type Preview } from './finding-fields';

interface Option {
  readonly value: string | number;
  readonly label: string;
}

interface NewFindingProps {
  readonly organizationId: number;
  readonly values: Partial<NewFindingForm>;
  readonly preview: Preview | null;
  readonly assets: readonly Option[];
  readonly events: readonly Option[];
  readonly people: ReadonlyMap<number, string>;
}

/** What is not known yet is empty. */
export const NewFinding = ({ organizationId, values, preview, assets, events, people }: NewFindingProps): VNode => {
  const action = newFindingUrl(organizationId);
  return (
    <Form action={action} class="finding-form" encType="multipart/form-data">
      <div class="inline-form">
        <Select name="asset_id" label="Asset" options={[CHOOSE, ...assets]} value={values.asset_id} required />
        <Select name="event" label="Event" options={[{ value: '', label: 'None' }, ...events]} value={values.event} />
      </div>
      <div class="inline-form">
        <Field
          name="location"
          label="URL"
          input={{ type: 'url', value: values.location ?? '', maxLength: 2_048, required: false, dir: 'ltr' }}
        />
        <Field
          name="parameter"
          label="Parameter"
          input={{ value: values.parameter ?? '', maxLength: 200, required: false, spellcheck: false }}
        />
      </div>
      <FindingFields
        {...{ values, choices: values.choices ?? {}, preview, previewUrl: `${action}/preview` }}
        evidence={<Messages values={values} />}
      />
      <div class="inline-form">
        <Select
          name="assignee_id"
          label="Assignee"
          options={[{ value: '', label: 'No one' }, ...[...people].map(([value, label]) => ({ value, label }))]}
          value={values.assignee_id}
        />
        <LabelsField labels={values.labels === undefined ? [] : [values.labels]} />
        <Field
          name="due_date"
          label="Due, empty for the SLA"
          input={{ type: 'date', value: values.due_date ?? '', min: '2000-01-01', max: '9999-12-31', required: false }}
        />
      </div>
      <Files action={action} />
      <p>
        <button class="primary">Record the finding</button> <a href={findingsUrl(organizationId)}>Cancel</a>
      </p>
    </Form>
  );
};

const Messages = ({ values }: Pick<NewFindingProps, 'values'>): VNode => (
  <>
    <TextArea name="request" label="Request" value={values.request} rows={6} maxLength={MAX_REQUEST} />
    <TextArea
      name="response"
      label="Response"
      hint={`${EVIDENCE_HINT} Attach longer ones as a file.`}
      value={values.response}
      rows={6}
      maxLength={MAX_RESPONSE}
    />
  </>
);

/** The last field: what comes before it is checked before the files are read. */
const Files = ({ action }: { action: string }): VNode => (
  <div class="field">
    <label for="file">Files</label>
    <input type="file" id="file" name="file" multiple aria-describedby="file-hint" />
    <p class="hint" id="file-hint">
      {useRefusal(action) !== undefined && <strong>Choose them again: no file was sent. </strong>}
      At most {MAX_ATTACHMENTS} files of 10 MiB each. Reports do not contain them.
    </p>
  </div>
);
