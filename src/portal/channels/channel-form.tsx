import type { VNode } from 'preact';
import type { FilterChoices } from '../destinations/destination-pages';
import {
  type Channel,
  CHANNEL_KINDS,
  exampleItem,
  type ChannelKind,
  DIGESTS,
  MAX_HOURLY,
} from '../../modules/notifications';
import { SeverityBadge } from '../frame/badges';
import { Card } from '../frame/card';
import { Field, Form, Select, TextArea } from '../frame/form';
import { Advanced, OfChoice } from '../frame/form-parts';
import { destinationsUrl } from '../urls';
import { FilterFields, type FilterProps } from '../destinations/destination-filter';

export const KIND_LABELS: Readonly<Record<ChannelKind, string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  mail: 'Mail',
};

export const DIGEST_LABELS = { off: 'A message for each change', daily: 'Every day', weekly: 'On Mondays' } as const;

interface FieldsProps {
  readonly choices: FilterChoices;
  readonly timeZone: string;
  readonly channel?: Channel;
  /** Of the recipients. */
  readonly addresses?: readonly string[];
}

export const ChannelFields = ({ choices, timeZone, channel, addresses = [] }: FieldsProps): VNode => (
  <>
    <Field name="name" label="Name" input={{ value: channel?.name, maxLength: 200 }} />
    {channel === undefined && (
      <Select
        name="kind"
        label="Where"
        options={CHANNEL_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
      />
    )}
    {channel?.kind !== 'mail' && (
      <OfKind channel={channel} kinds={['slack', 'teams']}>
        <Field
          name="url"
          label="URL of the incoming webhook"
          hint={
            channel === undefined
              ? 'It is a credential: it is encrypted, and never shown again.'
              : 'Leave it empty to keep the URL.'
          }
          input={{
            required: false,
            type: 'url',
            autocomplete: 'off',
            placeholder: 'https://hooks.slack.com/services/…',
            'data-unkept': true,
          }}
        />
      </OfKind>
    )}
    {(channel === undefined || channel.kind === 'mail') && (
      <OfKind channel={channel} kinds={['mail']}>
        <TextArea
          name="recipients"
          label="Recipients"
          hint="Mail addresses of members, with commas or on lines."
          value={addresses.join('\n')}
          rows={2}
        />
      </OfKind>
    )}
    <FilterFields {...choices} filter={channel ?? newFilter} />
    <Select
      name="digest"
      label="How often"
      options={DIGESTS.map((value) => ({ value, label: DIGEST_LABELS[value] }))}
      value={channel?.digest}
    />
    <OfChoice name="digest" values={['daily', 'weekly']}>
      <Field
        name="digest_hour"
        label="Hour of a digest"
        input={{ type: 'number', min: 0, max: 23, value: channel?.digestHour ?? 9, inputMode: 'numeric' }}
      />
      <Field name="time_zone" label="Time zone of a digest" input={{ value: channel?.timeZone ?? timeZone }} />
    </OfChoice>
    <Advanced>
      <Field
        name="hourly_limit"
        label="Messages in an hour, at most"
        hint="All later changes are one message at the end of the hour."
        input={{ type: 'number', min: 1, max: MAX_HOURLY, value: channel?.hourlyLimit ?? 20, inputMode: 'numeric' }}
      />
      <TextArea
        name="quiet"
        label="Quiet hours"
        hint={`One on each line, such as Mo-Su 20:00-07:00 ${timeZone}. Messages wait until they end.`}
        value={channel?.quiet.join('\n')}
        rows={2}
      />
    </Advanced>
    <Preview />
  </>
);

/** The same in each kind of channel. */
function Preview(): VNode {
  const { severity, title, facts } = exampleItem(new Date());
  return (
    <figure class="message-preview">
      <figcaption class="muted">A message looks like this</figcaption>
      <p>
        <SeverityBadge severity={severity ?? 'none'} /> <strong>{title}</strong>
      </p>
      <p class="muted">{facts.join(' · ')}</p>
    </figure>
  );
}

interface OfKindProps {
  readonly channel: Channel | undefined;
  readonly kinds: readonly ChannelKind[];
  readonly children: VNode;
}

/** The kind of an existing channel cannot be changed. */
const OfKind = ({ channel, kinds, children }: OfKindProps): VNode =>
  channel === undefined ? (
    <OfChoice name="kind" values={kinds}>
      {children}
    </OfChoice>
  ) : (
    children
  );

/** The changes that interest most people. */
const newFilter: FilterProps['filter'] = {
  types: ['finding', 'retest'],
  severity: 'high',
  labels: [],
  eventIds: [],
  confirmed: false,
  owner: null,
};

export const NewChannelPage = ({
  organizationId,
  ...fields
}: FieldsProps & { readonly organizationId: number }): VNode => (
  <Card id="edit" title="Channel" class="narrow-left">
    <Form action={destinationsUrl('channel', organizationId)}>
      <ChannelFields {...fields} />
      <button class="primary">Create the channel</button>
    </Form>
  </Card>
);
