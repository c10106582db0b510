import type { VNode } from 'preact';
import type { AcceptedCheckOnManyView } from '../../modules/assets';
import { ACCEPTED_OPTIONS, acceptanceColumns } from '../assets/acceptance-columns';
import { Card } from '../frame/card';
import { Field, Form, Select } from '../frame/form';
import { Table } from '../frame/table';
import { slaUrl } from '../urls';

interface AcceptedOnManyProps {
  readonly organizationId: number;
  readonly acceptedOnMany: readonly AcceptedCheckOnManyView[];
  readonly mayChange: boolean;
}

export const labelText = (label: string): string => (label === '' ? 'All' : `Label ${label}`);

/** The checks that are accepted on all assets, or on those with a label. */
export function AcceptedOnMany({ organizationId, acceptedOnMany, mayChange }: AcceptedOnManyProps): VNode {
  const base = `${slaUrl(organizationId)}/accepted-checks`;
  return (
    <Card id="accepted" title="Checks accepted on many assets">
      <p>
        Until the last day, the findings of an accepted check on these assets stay open but do not fail the gate of a
        pipeline. Critical findings fail it unless they are named here. The page of an asset has its own accepted
        checks.
      </p>
      {acceptedOnMany.length > 0 && (
        <Table
          rows={acceptedOnMany.map((one) => ({ ...one, until: one.accepted.until, covers: one.accepted.covers }))}
          columns={[
            ...acceptanceColumns,
            { label: 'Assets', class: 'nowrap', cell: ({ accepted: { label } }) => labelText(label) },
            {
              label: 'Critical findings',
              cell: ({ accepted: { criticalFindings } }) => criticalFindings.join(', '),
            },
            {
              label: 'Action',
              isLabelHidden: true,
              cell: ({ accepted: { checkId, label } }) =>
                mayChange && (
                  <Form action={`${base}/${encodeURIComponent(checkId)}/delete`}>
                    <input type="hidden" name="label" value={label} />
                    <button aria-label={`Remove ${checkId} on ${labelText(label)}`}>Remove</button>
                  </Form>
                ),
            },
          ]}
        />
      )}
      {mayChange && (
        <Form action={base} class="inline-form">
          <Field name="check_id" label="Check" input={{ maxLength: 100, placeholder: 'missing-hsts' }} />
          <Field name="label" label="Label of the assets" input={{ maxLength: 100, required: false }} />
          <Select name="covers" label="Accepted" options={ACCEPTED_OPTIONS} value="findings" />
          <Field name="reason" label="Reason" input={{ maxLength: 500 }} />
          <Field name="until" label="Last day" input={{ type: 'date' }} />
          <Field
            name="critical_findings"
            label="Critical findings"
            hint="Their numbers, separated by commas."
            input={{ maxLength: 1_100, required: false }}
          />
          <button>Accept the check</button>
        </Form>
      )}
    </Card>
  );
}
