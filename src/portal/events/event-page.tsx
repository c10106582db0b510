import type { VNode } from 'preact';
import type { Page } from '../../kernel/page';
import { SEVERITIES } from '../../kernel/severity';
import { type EventStatus, eventStatusVocabulary, hasSecondLooks, type ScopeAsset } from '../../modules/events';
import { SeverityBadge, statusLabel, VerdictBadge } from '../frame/badges';
import { Field, Form, Select } from '../frame/form';
import { Pager } from '../frame/pager';
import { Time } from '../frame/time';
import { labelOf } from '../frame/words';
import { assetUrl, eventsUrl, eventUrl, findingUrl, importsUrl, reportsUrl, reportUrl, scanUrl } from '../urls';
import type { EventView } from './event-reader';
import { categoryOf, typeOf } from './events-page';

interface EventPageProps {
  readonly view: EventView;
  readonly page: Page;
  readonly url: string;
}

export const EventPage = (props: EventPageProps): VNode => (
  <div class="columns">
    <div>
      <Findings {...props} />
      <EventScope view={props.view} />
      <Timeline view={props.view} />
    </div>
    <aside>
      <Facts view={props.view} />
      {props.view.mayOrder && (
        <section class="card" aria-labelledby="import-title">
          <h2 id="import-title">Import</h2>
          <p>
            <a href={`${importsUrl(props.view.organizationId)}?event=${props.view.event.slug}`}>
              Import the file of a scanner
            </a>
          </p>
        </section>
      )}
      {props.view.mayChange && <StatusForm view={props.view} />}
      {props.view.mayChange && <SecondLooksForm view={props.view} />}
      {props.view.mayOrder && (
        <section class="card" aria-labelledby="report-title">
          <h2 id="report-title">Report</h2>
          <p>
            <a href={`${reportsUrl(props.view.organizationId)}?event=${props.view.event.slug}`}>Order a report</a>
          </p>
        </section>
      )}
    </aside>
  </div>
);

const Facts = ({ view: { organizationId, event } }: { view: EventView }): VNode => (
  <section class="card" aria-labelledby="facts-title">
    <h2 id="facts-title">Details</h2>
    <dl class="facts">
      <div>
        <dt>State</dt>
        <dd>
          <VerdictBadge verdict={event.status} />
        </dd>
      </div>
      <div>
        <dt>Kind</dt>
        <dd>
          {categoryOf(event)}, {typeOf(event).toLowerCase()}
        </dd>
      </div>
      <div>
        <dt>Start</dt>
        <dd>
          <Time at={event.startDate} />
        </dd>
      </div>
      <div>
        <dt>End</dt>
        <dd>
          <Time at={event.endDate} />
        </dd>
      </div>
      <div>
        <dt>Name in the API</dt>
        <dd>
          <code>{event.slug}</code>
        </dd>
      </div>
    </dl>
    <p>
      <a href={eventsUrl(organizationId)}>All events</a>
    </p>
  </section>
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
    <section class="card" aria-labelledby="status-title">
      <h2 id="status-title">Change the state</h2>
      <Form action={`${eventUrl(organizationId, event.slug)}/status`}>
        <Select name="status" label="State" options={offered.map((value) => ({ value, label: labelOf(value) }))} />
        <button>Change the state</button>
      </Form>
    </section>
  );
}

function SecondLooksForm({ view: { organizationId, event } }: { view: EventView }): VNode {
  const isOn = hasSecondLooks(event);
  return (
    <section class="card" aria-labelledby="look-title">
      <h2 id="look-title">Second look at fixed findings</h2>
      <p>{isOn ? SECOND_LOOKS_ON : SECOND_LOOKS_OFF}</p>
      <Form action={`${eventUrl(organizationId, event.slug)}/second-look`}>
        <input type="hidden" name="enabled" value={isOn ? 'off' : 'on'} />
        <button>{isOn ? 'Turn it off' : 'Turn it on'}</button>
      </Form>
    </section>
  );
}

function Findings({ view: { organizationId, findings, lastRetests }, page, url }: EventPageProps): VNode {
  return (
    <section class="card" aria-labelledby="findings-title">
      <h2 id="findings-title">Findings</h2>
      {findings.items.length === 0 ? (
        <p class="muted">No findings yet. Testers record them by API, and jobs of the event record what they find.</p>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Severity</th>
              <th scope="col">Finding</th>
              <th scope="col">Status</th>
              <th scope="col">Last retest</th>
            </tr>
          </thead>
          <tbody>
            {findings.items.map(({ id, title, severity, status }) => {
              const retest = lastRetests.get(id);
              return (
                <tr key={id}>
                  <td class="nowrap">
                    <SeverityBadge severity={SEVERITIES[severity]} />
                  </td>
                  <td class="main wide" dir="auto">
                    <a href={findingUrl(organizationId, id)}>{title}</a>
                  </td>
                  <td class="nowrap">{statusLabel(status)}</td>
                  <td class="nowrap">
                    {retest === undefined ? (
                      <span class="muted">Not retested</span>
                    ) : (
                      <VerdictBadge verdict={retest.result ?? retest.status} />
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      <Pager page={page} slice={findings} url={url} />
    </section>
  );
}

function EventScope({ view }: { view: EventView }): VNode {
  const { organizationId, event, scope, assets, mayChange } = view;
  const inside = scope.items.filter(({ entry }) => entry.inScope);
  const outside = scope.items.filter(({ entry }) => !entry.inScope);
  const known = new Set(scope.items.map(({ asset }) => asset.id));
  const others = assets.filter(({ id }) => !known.has(id));
  return (
    <section class="card" aria-labelledby="scope-title">
      <h2 id="scope-title">Scope</h2>
      {inside.length === 0 && (
        <p>
          Nothing may be tested in this event yet.{' '}
          {mayChange ? 'Add an asset below.' : 'An admin of the organization adds assets to its scope.'}
        </p>
      )}
      {inside.length > 0 && <ScopeTable view={view} title="May be tested" entries={inside} />}
      {outside.length > 0 && <ScopeTable view={view} title="Must not be tested" entries={outside} />}
      {scope.next !== undefined && <p class="muted">Only the newest {scope.items.length} entries are shown.</p>}
      {mayChange && others.length > 0 && (
        <Form action={`${eventUrl(organizationId, event.slug)}/scope`} class="inline-form">
          <Select
            name="asset_id"
            label="Asset"
            options={others.map(({ id, value }) => ({ value: id, label: value }))}
          />
          <Select
            name="in_scope"
            label="Rule"
            options={[
              { value: 'true', label: 'May be tested' },
              { value: 'false', label: 'Must not be tested' },
            ]}
          />
          <Field name="description" label="Note" input={{ required: false, maxLength: 2000 }} />
          <button>Add to the scope</button>
        </Form>
      )}
    </section>
  );
}

interface ScopeTableProps {
  readonly view: EventView;
  readonly title: string;
  readonly entries: readonly ScopeAsset[];
}

const ScopeTable = ({ view: { organizationId, event, mayChange }, title, entries }: ScopeTableProps): VNode => (
  <table class="list">
    <thead>
      <tr>
        <th scope="col">{title}</th>
        <th scope="col">Subdomains</th>
        <th scope="col">Note</th>
        <th scope="col">
          <span class="visually-hidden">Action</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {entries.map(({ entry, asset }) => (
        <tr key={asset.id}>
          <td class="main wide" dir="auto">
            <a href={assetUrl(organizationId, asset.id)}>{asset.value}</a>
          </td>
          <td class="nowrap" data-label={asset.type === 'domain' ? 'Subdomains' : undefined}>
            {asset.type === 'domain' && (entry.wildcard === false ? 'without' : 'with')}
          </td>
          <td class="wide" dir="auto">
            {entry.description}
            {entry.attachmentUrl !== null && (
              <>
                {' '}
                <a href={entry.attachmentUrl} rel="noreferrer">
                  Document
                </a>
              </>
            )}
          </td>
          <td>
            {mayChange && (
              <Form action={`${eventUrl(organizationId, event.slug)}/scope/${asset.id}/delete`}>
                <button aria-label={`Remove ${asset.value} from the scope`}>Remove</button>
              </Form>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

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
    <section class="card" aria-labelledby="timeline-title">
      <h2 id="timeline-title">Timeline</h2>
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
    </section>
  );
}
