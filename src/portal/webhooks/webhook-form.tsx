import type { VNode } from 'preact';
import type { FilterChoices } from '../destinations/destination-pages';
import type { Webhook } from '../../modules/webhooks';
import { FilterFields } from '../destinations/destination-filter';
import { Card } from '../frame/card';
import { Field, Form, Select } from '../frame/form';
import { destinationsUrl } from '../urls';

interface FieldsProps {
  readonly choices: FilterChoices;
  readonly webhook?: Webhook;
}

export const WebhookFields = ({ choices, webhook }: FieldsProps): VNode => (
  <>
    <Field name="name" label="Name" input={{ value: webhook?.name, maxLength: 200 }} />
    <Field
      name="url"
      label="URL of the receiver"
      hint="https, at a public address or one that the operator of this service has allowed."
      input={{ value: webhook?.url, type: 'url', placeholder: 'https://hooks.example.com/assay' }}
    />
    <FilterFields {...choices} filter={webhook} />
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

export const NewWebhookPage = ({
  organizationId,
  choices,
}: {
  organizationId: number;
  choices: FilterChoices;
}): VNode => (
  <Card id="edit" title="Webhook" class="narrow-left">
    <Form action={destinationsUrl('webhook', organizationId)}>
      <WebhookFields choices={choices} />
      <button class="primary">Create the webhook</button>
    </Form>
  </Card>
);
