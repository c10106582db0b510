import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import type { Event } from '../../modules/events';
import type { Webhook } from '../../modules/webhooks';
import { Card } from '../frame/card';
import { Checkbox, Field, Form, Select } from '../frame/form';
import { labelOf } from '../frame/words';
import { webhooksUrl } from '../urls';

const optional = { required: false } as const;

interface FieldsProps {
  readonly events: readonly Event[];
  readonly webhook?: Webhook;
}

export const WebhookFields = ({ events, webhook }: FieldsProps): VNode => (
  <>
    <Field name="name" label="Name" input={{ value: webhook?.name, maxLength: 200 }} />
    <Field
      name="url"
      label="URL of the receiver"
      hint="https, at a public address or one that the operator of this service has allowed."
      input={{ value: webhook?.url, type: 'url', placeholder: 'https://hooks.example.com/assay' }}
    />
    <FilterFields events={events} filter={webhook} />
    {webhook === undefined && (
      <Select
        name="signature"
        label="Signature"
        hint="With a public key the receiver can verify messages, but not forge them."
        options={[
          { value: 'hmac', label: 'HMAC with a shared secret' },
          { value: 'ed25519', label: 'Ed25519 with a public key' },
        ]}
      />
    )}
  </>
);

export interface FilterProps {
  readonly events: readonly Event[];
  readonly filter?: Pick<Webhook, 'types' | 'severity' | 'labels' | 'eventIds' | 'confirmed'> | undefined;
}

/** Which changes are sent. */
export const FilterFields = ({ events, filter }: FilterProps): VNode => (
  <>
    <Field
      name="types"
      label="Changes of"
      hint="Kinds of records or types of entries with commas, such as finding, retest.changed. Empty for all."
      input={{ ...optional, value: filter?.types.join(', ') ?? '', placeholder: 'finding, retest, job' }}
    />
    <Select
      name="severity"
      label="Severity of findings and retests"
      options={[
        { value: '', label: 'Any' },
        ...SEVERITIES.toReversed().map((value) => ({ value, label: `${labelOf(value)} and above` })),
      ]}
      value={filter?.severity}
    />
    <Field
      name="labels"
      label="Labels"
      hint="Of findings and assets, with commas: one of them is enough. Empty for any."
      input={{ ...optional, value: filter?.labels.join(', ') ?? '' }}
    />
    <EventField events={events} eventIds={filter?.eventIds ?? []} />
    <Checkbox name="confirmed" label="Only findings that a check has confirmed" checked={filter?.confirmed} />
  </>
);

/** A program may have named several events. */
const EventField = ({ events, eventIds }: Pick<FieldsProps, 'events'> & { eventIds: readonly number[] }): VNode =>
  eventIds.length > 1 ? (
    <input type="hidden" name="keep_events" value="true" />
  ) : (
    <Select
      name="event"
      label="Event"
      options={[{ value: '', label: 'Any' }, ...events.map(({ id, name }) => ({ value: id, label: name }))]}
      value={eventIds[0]}
    />
  );

export const NewWebhookPage = ({
  organizationId,
  events,
}: {
  organizationId: number;
  events: readonly Event[];
}): VNode => (
  <Card id="edit" title="Webhook">
    <Form action={webhooksUrl(organizationId)}>
      <WebhookFields events={events} />
      <button class="primary">Create the webhook</button>
    </Form>
  </Card>
);
