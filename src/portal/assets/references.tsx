import type { VNode } from 'preact';
import type { JobReference } from '../../modules/jobs';
import { Card } from '../frame/card';
import { Field, Form } from '../frame/form';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { assetUrl, scanUrl } from '../urls';
import type { AssetPageView } from './asset-reader';

/** What pipelines compare with that fail only for new findings. */
export function References({
  view: { organizationId, details, mayDecide },
  references,
}: {
  view: AssetPageView;
  references: readonly JobReference[];
}): VNode {
  const base = `${assetUrl(organizationId, details.asset.id)}/references`;
  return (
    <Card id="references" title="References of pipelines">
      <p>
        A pipeline with <code>fail_on=new</code> fails only for what the recorded scan did not have. Only a key that is
        named here records one.
      </p>
      {references.length > 0 && (
        <Table
          rows={references}
          columns={[
            { label: 'Reference', class: 'main nowrap', cell: ({ name }) => <code>{name}</code> },
            { label: 'Keys', class: 'wide', cell: ({ accessKeys }) => accessKeys.join(', ') },
            {
              label: 'Recorded scan',
              class: 'nowrap',
              cell: ({ jobUuid, testedAt }) =>
                jobUuid === null ? (
                  <span class="muted">None: pipelines fail</span>
                ) : (
                  <a href={scanUrl(organizationId, jobUuid)}>{testedAt !== null && <Time at={testedAt} />}</a>
                ),
            },
            {
              label: 'Action',
              isLabelHidden: true,
              cell: ({ name }) =>
                mayDecide && (
                  <Form action={`${base}/${name}/delete`}>
                    <button aria-label={`Delete ${name}`}>Delete</button>
                  </Form>
                ),
            },
          ]}
        />
      )}
      {mayDecide && (
        <Form action={base} class="inline-form">
          <Field name="reference" label="Reference" input={{ maxLength: 100, placeholder: 'main' }} />
          <Field
            name="access_keys"
            label="Keys that may record, not those of pull requests"
            input={{ maxLength: 2_100, required: false, placeholder: 'ak_… ak_…' }}
          />
          <button>Save the reference</button>
        </Form>
      )}
    </Card>
  );
}
