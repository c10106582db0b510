import type { VNode } from 'preact';
import {
  exampleTicket,
  MAX_DAILY,
  REGRESSION_RULES,
  type Tracker,
  TRACKER_KINDS,
  TRACKER_LABELS,
  trackerDefaults,
} from '../../modules/trackers';
import { FilterFields, type FilterProps } from '../destinations/destination-filter';
import type { FilterChoices } from '../destinations/destination-pages';
import { Card } from '../frame/card';
import { Checkbox, Field, Form, Select, TextArea } from '../frame/form';
import { Advanced, OfChoice } from '../frame/form-parts';
import { destinationsUrl } from '../urls';

const REGRESSION_LABELS = { reopen: 'Open its ticket again', new: 'Open a new ticket that names the old one' } as const;

interface FieldsProps {
  readonly choices: FilterChoices;
  readonly tracker?: Tracker;
}

const credential = { required: false, autocomplete: 'off', 'data-unkept': true } as const;

export const TrackerFields = ({ choices, tracker }: FieldsProps): VNode => {
  const keeps = tracker?.sealed ? 'Leave it empty to keep it.' : 'It is encrypted, and never shown again.';
  const isJira = (children: VNode): VNode =>
    tracker === undefined ? (
      <OfChoice name="kind" values={['jira']}>
        {children}
      </OfChoice>
    ) : (
      children
    );
  return (
    <>
      <Field name="name" label="Name" input={{ value: tracker?.name, maxLength: 200 }} />
      {tracker === undefined && (
        <Select
          name="kind"
          label="Where"
          options={TRACKER_KINDS.map((value) => ({ value, label: TRACKER_LABELS[value].label }))}
        />
      )}
      <Field
        name="address"
        label="Address"
        hint="Such as https://example.atlassian.net, https://api.github.com or https://gitlab.com. Another address empties the credentials."
        input={{ required: false, type: 'url', value: tracker?.address }}
      />
      <Field
        name="project"
        label="Project"
        hint="SEC in Jira, owner/repository in GitHub, group/project in GitLab."
        input={{ value: tracker?.project, maxLength: 300 }}
      />
      {(tracker === undefined || tracker.kind === 'jira') &&
        isJira(
          <>
            <Field
              name="issue_type"
              label="Issue type"
              input={{ required: false, value: tracker?.issueType ?? trackerDefaults.issueType }}
            />
            <Field name="user" label="Mail address of the account" hint={keeps} input={credential} />
          </>,
        )}
      <Field name="token" label="API token" hint={keeps} input={{ ...credential, type: 'password' }} />
      <Checkbox
        name="automatic"
        label="Open tickets for findings that match this filter"
        checked={tracker?.automatic ?? false}
      />
      <FilterFields {...choices} filter={tracker ?? newFilter} />
      <Checkbox
        name="shows_asset"
        label="Tickets show the address of the asset"
        checked={tracker?.details.includes('asset')}
      />
      <Checkbox
        name="shows_description"
        label="Tickets show the description"
        checked={tracker?.details.includes('description')}
      />
      <Advanced>
        <TextArea
          name="priorities"
          label="Priorities"
          hint="Lines such as critical = Highest: a priority in Jira, a label elsewhere."
          value={Object.entries(tracker?.priorities ?? {})
            .map(([severity, name]) => `${severity} = ${name}`)
            .join('\n')}
          rows={3}
        />
        <Field
          name="ticket_labels"
          label="Labels of tickets"
          hint="With commas. Each ticket also has the label assay."
          input={{ required: false, value: tracker?.ticketLabels.join(', ') }}
        />
        <Field name="component" label="Component" input={{ required: false, value: tracker?.component ?? '' }} />
        <Field
          name="assignee"
          label="Assignee"
          hint="An account id in Jira, a login in GitHub, a user id in GitLab."
          input={{ required: false, value: tracker?.assignee ?? '' }}
        />
        <TextArea
          name="wont_do"
          label="Not to be fixed"
          hint="Statuses in Jira, labels elsewhere: a ticket that is closed with one of them asks an admin to accept the risk."
          value={(tracker?.wontDo ?? trackerDefaults.wontDo).join('\n')}
          rows={3}
        />
        <Select
          name="regression"
          label="When a finding is found again"
          options={REGRESSION_RULES.map((value) => ({ value, label: REGRESSION_LABELS[value] }))}
          value={tracker?.regression}
        />
        <Field
          name="daily_limit"
          label="Tickets in a day, at most"
          input={{ type: 'number', min: 1, max: MAX_DAILY, value: tracker?.dailyLimit ?? trackerDefaults.dailyLimit }}
        />
        <Field
          name="hook_secret"
          label="Secret of its webhook"
          hint={`At least 16 characters, the same as in the tracker. ${keeps}`}
          input={{ ...credential, type: 'password', minLength: 16 }}
        />
      </Advanced>
      <Preview details={tracker?.details ?? []} />
    </>
  );
};

function Preview({ details }: { readonly details: readonly string[] }): VNode {
  const { title, paragraphs, link } = exampleTicket(details);
  return (
    <figure class="message-preview">
      <figcaption class="muted">A ticket looks like this</figcaption>
      <p>
        <strong>{title}</strong>
      </p>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      <p class="muted">{link.text}</p>
    </figure>
  );
}

const newFilter: FilterProps['filter'] = {
  types: ['finding'],
  severity: 'high',
  labels: [],
  eventIds: [],
  confirmed: true,
  owner: null,
};

export const NewTrackerPage = ({
  organizationId,
  ...fields
}: FieldsProps & { readonly organizationId: number }): VNode => (
  <Card id="edit" title="Tracker" class="narrow-left">
    <Form action={destinationsUrl('tracker', organizationId)}>
      <TrackerFields {...fields} />
      <button class="primary">Create the tracker</button>
    </Form>
  </Card>
);
