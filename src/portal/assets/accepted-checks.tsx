import type { VNode } from 'preact';
import type { AcceptanceKind } from '../../modules/assets';
import { Card } from '../frame/card';
import { Field, Form, Select } from '../frame/form';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { assetUrl } from '../urls';
import type { AssetPageView } from './asset-reader';

const ACCEPTED: Readonly<Record<AcceptanceKind, string>> = {
  findings: 'Its findings',
  incompleteness: 'That it is incomplete',
};

const ACCEPTED_OPTIONS = Object.entries(ACCEPTED).map(([value, label]) => ({ value, label }));

/** More would take long to show. */
const MAX_ACCEPTED = 200;

export function AcceptedChecks({
  view: { organizationId, details, accepted, mayDecide },
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
            { label: 'Check', class: 'main nowrap', cell: ({ accepted: { checkId } }) => <code>{checkId}</code> },
            { label: 'Accepted', class: 'nowrap', cell: ({ covers }) => ACCEPTED[covers] },
            { label: 'Reason', class: 'wide', dir: 'auto', cell: ({ accepted: { reason } }) => reason },
            {
              label: 'Until',
              class: 'nowrap',
              cell: ({ until, isExpired }) => (
                <>
                  <Time at={until} to="day" /> {isExpired && <strong>expired</strong>}
                </>
              ),
            },
            { label: 'By', class: 'wide', cell: ({ accepted: { acceptedBy } }) => acceptedBy },
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
