import type { VNode } from 'preact';
import type { Page } from '../../kernel/page';
import { EVENT_TYPE, type EventStatus, eventStatusVocabulary, hasSecondLooks } from '../../modules/events';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { VerdictBadge } from '../frame/badges';
import { Form, Select } from '../frame/form';
import { Panel } from '../frame/panel';
import { PictureCard } from '../frame/picture-card';
import { Pager } from '../frame/pager';
import { Time } from '../frame/time';
import { labelOf } from '../frame/words';
import { Table } from '../frame/table';
import { eventsUrl, eventUrl, importsUrl, reportsUrl, reportUrl, scanUrl } from '../urls';
import { lastRetestColumn, severityColumn, statusColumn, titleColumn } from '../findings/finding-columns';
import type { EventView } from './event-reader';
import { categoryOf, typeOf } from './events-page';
import { AutomationForm, ProgressOfEvent } from './event-progress';
import { EditEvent } from './event-form';
import { EventScope } from './event-scope';

interface EventPageProps {
  readonly view: EventView;
  readonly page: Page;
  readonly url: string;
}

const isMachine = ({ event }: EventView): boolean => event.eventType === EVENT_TYPE.machine;

export const EventPage = (props: EventPageProps): VNode => (
  <div class="columns">
    <div>
      {isMachine(props.view) && <ProgressOfEvent view={props.view} />}
      <Findings {...props} />
      <EventScope view={props.view} />
      <Timeline view={props.view} />
    </div>
    <aside>
      <Facts view={props.view} />
      {props.view.mayOrder && (
        <Card id="import" title="Import">
          <p>
            <a href={`${importsUrl(props.view.organizationId)}?event=${props.view.event.slug}`}>
              Import the file of a scanner
            </a>
          </p>
        </Card>
      )}
      {props.view.mayChange && <StatusForm view={props.view} />}
      {props.view.mayChange && <EditEvent view={props.view} />}
      {props.view.mayChange && isMachine(props.view) && <AutomationForm view={props.view} />}
      <Picture view={props.view} />
      {props.view.mayChange && <SecondLooksForm view={props.view} />}
      {props.view.mayOrder && (
        <Card id="report" title="Report">
          <p>
            <a href={`${reportsUrl(props.view.organizationId)}?event=${props.view.event.slug}`}>Order a report</a>
          </p>
        </Card>
      )}
    </aside>
  </div>
);

const Facts = ({ view: { organizationId, event } }: { view: EventView }): VNode => (
  <Card id="facts" title="Details">
    <dl class="facts">
      <Fact label="State">
        <VerdictBadge verdict={event.status} />
      </Fact>
      <Fact label="Kind">
        {categoryOf(event)}, {typeOf(event).toLowerCase()}
      </Fact>
      <Fact label="Start">
        <Time at={event.startDate} />
      </Fact>
      <Fact label="End">
        <Time at={event.endDate} />
      </Fact>
      {event.dimension !== null && <Fact label="Dimension">{labelOf(event.dimension)}</Fact>}
      {event.dimensionType !== null && <Fact label="Kind of place">{event.dimensionType}</Fact>}
      {event.latitude !== null && (
        <Fact label="Place">
          {event.latitude}°, {event.longitude}°
        </Fact>
      )}
      <Fact label="Name in the API">
        <code>{event.slug}</code>
      </Fact>
    </dl>
    <p>
      <a href={eventsUrl(organizationId)}>All events</a>
    </p>
  </Card>
);

const Picture = ({ view: { organizationId, event, mayChange } }: { view: EventView }): VNode | null =>
  event.picture === null && !mayChange ? null : (
    <PictureCard
      name="picture"
      title="Picture"
      alt={`Picture of ${event.name}`}
      url={`${eventUrl(organizationId, event.slug)}/picture`}
      exists={event.picture !== null}
      mayChange={mayChange}
      onDelete="The event stays as it is."
    />
  );

const SECOND_LOOKS_ON =
  'When a retest in this event says that a finding is fixed, its check runs once more after the hours that are set for the organization.';
const SECOND_LOOKS_OFF = 'Nothing is sent again after a retest in this event said that a finding is fixed.';

const transitionsFrom = (status: EventStatus): readonly EventStatus[] =>
  eventStatusVocabulary.find(({ name }) => name === status)?.transitions ?? [];

function StatusForm({ view: { organizationId, event } }: { view: EventView }): VNode | null {
  const offered = transitionsFrom(event.status);
  if (offered.length === 0) return null;
  return (
    <Panel label="Change the state" action={`${eventUrl(organizationId, event.slug)}/status`}>
      <Select name="status" label="State" options={offered.map((value) => ({ value, label: labelOf(value) }))} />
      <button>Change the state</button>
    </Panel>
  );
}

function SecondLooksForm({ view: { organizationId, event } }: { view: EventView }): VNode {
  const isOn = hasSecondLooks(event);
  return (
    <Card id="look" title="Second look at fixed findings">
      <p>{isOn ? SECOND_LOOKS_ON : SECOND_LOOKS_OFF}</p>
      <Form action={`${eventUrl(organizationId, event.slug)}/second-look`}>
        <input type="hidden" name="enabled" value={isOn ? 'off' : 'on'} />
        <button>{isOn ? 'Turn it off' : 'Turn it on'}</button>
      </Form>
    </Card>
  );
}

function Findings({ view: { organizationId, findings, lastRetests }, page, url }: EventPageProps): VNode {
  return (
    <Card id="findings" title="Findings">
      {findings.items.length === 0 ? (
        <p class="muted">No findings yet. Testers record them by API, and jobs of the event record what they find.</p>
      ) : (
        <Table
          rows={findings.items}
          columns={[severityColumn, titleColumn(organizationId), statusColumn, lastRetestColumn(lastRetests)]}
        />
      )}
      <Pager page={page} slice={findings} url={url} />
    </Card>
  );
}

interface TimelineEntry {
  readonly key: string;
  readonly at: Date;
  readonly text: VNode;
}

/** Its dates, the newest scans and the newest reports. */
function Timeline({ view: { organizationId, event, jobs, reports } }: { view: EventView }): VNode {
  const entries: TimelineEntry[] = [
    { key: 'created', at: event.created, text: <>The event was created</> },
    { key: 'start', at: event.startDate, text: <>Start of the event</> },
    { key: 'end', at: event.endDate, text: <>End of the event</> },
    ...jobs.map(({ uuid, url, status, created }) => ({
      key: uuid,
      at: created,
      text: (
        <>
          Scan of{' '}
          <a href={scanUrl(organizationId, uuid)} dir="auto">
            {url}
          </a>
          : {labelOf(status.toLowerCase())}
        </>
      ),
    })),
    ...reports.map(({ id, created, options }) => ({
      key: `report ${id}`,
      at: created,
      text: (
        <>
          <a href={reportUrl(organizationId, id)}>Report {id}</a> as {options.format}
        </>
      ),
    })),
  ];
  return (
    <Card id="timeline" title="Timeline">
      <ol class="timeline">
        {entries
          .toSorted((one, other) => other.at.getTime() - one.at.getTime())
          .map(({ key, at, text }) => (
            <li key={key}>
              {text}{' '}
              <span class="muted">
                <Time at={at} />
              </span>
            </li>
          ))}
      </ol>
    </Card>
  );
}
