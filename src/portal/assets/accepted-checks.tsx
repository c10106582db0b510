import type { VNode } from 'preact';
import { Card } from '../frame/card';
import { Field, Form, Select } from '../frame/form';
import { Table } from '../frame/table';
import { assetUrl, slaUrl } from '../urls';
import { ACCEPTED_OPTIONS, acceptanceColumns } from './acceptance-columns';
import type { AssetPageView } from './asset-reader';

/** More would take long to show. */
const MAX_ACCEPTED = 200;

export function AcceptedChecks({
  view: { organizationId, details, accepted, acceptedOnMany, mayDecide },
}: {
  view: AssetPageView;
}): VNode {
  const base = `${assetUrl(organizationId, details.asset.id)}/accepted-checks`;
  return (
    <Card id="accepted" title="Accepted checks">
      <p>
        Until the last day, the findings of an accepted check stay open but do not fail the gate of a pipeline. You can
        also accept only that the check could not be completed.
      </p>
      {accepted.length > 0 && (
        <Table
          rows={accepted.slice(0, MAX_ACCEPTED)}
          columns={[
            ...acceptanceColumns,
            {
              label: 'Action',
              isLabelHidden: true,
              cell: ({ accepted: { checkId } }) =>
                mayDecide && (
                  <Form action={`${base}/${encodeURIComponent(checkId)}/delete`}>
                    <button aria-label={`Remove ${checkId}`}>Remove</button>
                  </Form>
                ),
            },
          ]}
        />
      )}
      {accepted.length > MAX_ACCEPTED && (
        <p>
          These are the first {MAX_ACCEPTED} of {accepted.length}. The API lists all.
        </p>
      )}
      {acceptedOnMany.length > 0 && (
        <p>
          Also accepted here, by <a href={`${slaUrl(organizationId)}#accepted`}>decisions about many assets</a>:{' '}
          {acceptedOnMany.join(', ')}.
        </p>
      )}
      {mayDecide && (
        <Form action={base} class="inline-form">
          <Field name="check_id" label="Check" input={{ maxLength: 100, placeholder: 'missing-hsts' }} />
          <Select name="covers" label="Accepted" options={ACCEPTED_OPTIONS} value="findings" />
          <Field name="reason" label="Reason" input={{ maxLength: 500 }} />
          <Field name="until" label="Last day" input={{ type: 'date' }} />
          <button>Accept the check</button>
        </Form>
      )}
    </Card>
  );
}
