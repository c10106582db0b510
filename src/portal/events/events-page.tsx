import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import { type Event, eventCategoryVocabulary, eventTypeVocabulary } from '../../modules/events';
import { VerdictBadge } from '../frame/badges';
import { Field, Select } from '../frame/form';
import { Pager } from '../frame/pager';
import { Time } from '../frame/time';
import { labelOf } from '../frame/words';
import { Sheet } from '../frame/sheet';
import { Table } from '../frame/table';
import { eventsUrl, eventUrl } from '../urls';
import { PlaceFields } from './event-form';

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
  </>
);

const NoEvents = ({ mayChange }: { mayChange: boolean }): VNode => (
  <section class="empty">
    <h2>No events yet</h2>
    <p>
      An event is a test with a scope and dates, such as a pentest. Its findings, retests and reports are together.{' '}
      {!mayChange && 'An admin of the organization can create one.'}
    </p>
  </section>
);

export const categoryOf = ({ eventCategory }: Event): string =>
  labelOf(eventCategoryVocabulary.find(({ number }) => number === eventCategory)?.name ?? '');

export const typeOf = ({ eventType }: Event): string =>
  labelOf(eventTypeVocabulary.find(({ number }) => number === eventType)?.name ?? '');

const EventsTable = ({ organizationId, slice }: EventsPageProps): VNode => (
  <Table
    rows={slice.items}
    columns={[
      {
        label: 'Event',
        class: 'main wide',
        dir: 'auto',
        cell: ({ name, slug }) => <a href={eventUrl(organizationId, slug)}>{name}</a>,
      },
      { label: 'State', class: 'nowrap', cell: ({ status }) => <VerdictBadge verdict={status} /> },
      { label: 'Kind', class: 'nowrap', cell: (event) => `${categoryOf(event)}, ${typeOf(event).toLowerCase()}` },
      { label: 'Start', class: 'nowrap muted', cell: ({ startDate }) => <Time at={startDate} to="day" /> },
      { label: 'End', class: 'nowrap muted', cell: ({ endDate }) => <Time at={endDate} to="day" /> },
    ]}
  />
);

const numbered = (vocabulary: readonly { readonly number: number; readonly name: string }[]) =>
  vocabulary.map(({ number, name }) => ({ value: number, label: labelOf(name) }));

export const NewEvent = ({ organizationId }: { organizationId: number }): VNode => (
  <Sheet id="new" label="New event" action={eventsUrl(organizationId)}>
    <p>Days are in UTC. Without a first day it starts now. An event by humans needs a last day.</p>
    <Field name="name" label="Name" input={{ maxLength: 200, placeholder: 'Spring test', autofocus: true }} />
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
    <PlaceFields />
    <button class="primary">Create the event</button>
  </Sheet>
);
