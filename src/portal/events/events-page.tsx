import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import { type Event, eventCategoryVocabulary, eventTypeVocabulary } from '../../modules/events';
import { VerdictBadge } from '../frame/badges';
import { Field, Form, Select } from '../frame/form';
import { Pager } from '../frame/pager';
import { Time } from '../frame/time';
import { labelOf } from '../frame/words';
import { eventsUrl, eventUrl } from '../urls';

interface EventsPageProps {
  readonly organizationId: number;
  readonly slice: Slice<Event>;
  readonly page: Page;
  readonly url: string;
  readonly mayChange: boolean;
}

export const EventsPage = (props: EventsPageProps): VNode => (
  <>
    {props.slice.items.length === 0 ? <NoEvents mayChange={props.mayChange} /> : <EventsTable {...props} />}
    <Pager page={props.page} slice={props.slice} url={props.url} />
    {props.mayChange && <NewEvent organizationId={props.organizationId} />}
  </>
);

const NoEvents = ({ mayChange }: { mayChange: boolean }): VNode => (
  <section class="empty">
    <h2>No events yet</h2>
    <p>
      An event is a test with a scope and dates, such as a pentest. Its findings, retests and reports are together.{' '}
      {mayChange ? 'Create one below.' : 'An admin of the organization can create one.'}
    </p>
  </section>
);

export const categoryOf = ({ eventCategory }: Event): string =>
  labelOf(eventCategoryVocabulary.find(({ number }) => number === eventCategory)?.name ?? '');

export const typeOf = ({ eventType }: Event): string =>
  labelOf(eventTypeVocabulary.find(({ number }) => number === eventType)?.name ?? '');

const EventsTable = ({ organizationId, slice }: EventsPageProps): VNode => (
  <table class="list">
    <thead>
      <tr>
        <th scope="col">Event</th>
        <th scope="col">State</th>
        <th scope="col">Kind</th>
        <th scope="col">Start</th>
        <th scope="col">End</th>
      </tr>
    </thead>
    <tbody>
      {slice.items.map((event) => (
        <tr key={event.id}>
          <td class="main wide" dir="auto">
            <a href={eventUrl(organizationId, event.slug)}>{event.name}</a>
          </td>
          <td class="nowrap">
            <VerdictBadge verdict={event.status} />
          </td>
          <td class="nowrap">
            {categoryOf(event)}, {typeOf(event).toLowerCase()}
          </td>
          <td class="nowrap muted">
            <Time at={event.startDate} to="day" />
          </td>
          <td class="nowrap muted">
            <Time at={event.endDate} to="day" />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const numbered = (vocabulary: readonly { readonly number: number; readonly name: string }[]) =>
  vocabulary.map(({ number, name }) => ({ value: number, label: labelOf(name) }));

const NewEvent = ({ organizationId }: { organizationId: number }): VNode => (
  <section class="card below" aria-labelledby="new-title">
    <h2 id="new-title">Create an event</h2>
    <p>Days are in UTC. Without a first day it starts now. An event by humans needs a last day.</p>
    <Form action={eventsUrl(organizationId)} class="inline-form">
      <Field name="name" label="Name" input={{ maxLength: 200, placeholder: 'Spring test' }} />
      <Select name="event_category" label="Category" options={numbered(eventCategoryVocabulary)} />
      <Select name="event_type" label="By" options={numbered(eventTypeVocabulary)} />
      <Field name="start_date" label="First day" input={{ type: 'date', required: false }} />
      <Field name="end_date" label="Last day" input={{ type: 'date', required: false }} />
      <Select
        name="status"
        label="State"
        options={[
          { value: 'scheduled', label: 'Scheduled' },
          { value: 'draft', label: 'Draft' },
        ]}
      />
      <button class="primary compact">Create</button>
    </Form>
  </section>
);
