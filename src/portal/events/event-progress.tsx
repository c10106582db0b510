import type { VNode } from 'preact';
import { eventStatusVocabulary } from '../../modules/events';
import type { EventDay, EventProgress } from '../../modules/machine-events';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { Checkbox, Field, Form, TextArea } from '../frame/form';
import { Panel } from '../frame/panel';
import { AccountChoices } from '../scans/account-choices';
import { DepthSelect } from '../scans/depth-select';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { FollowedPart } from '../live/followed-part';
import { assetUrl, eventUrl } from '../urls';
import type { EventView } from './event-reader';

type Totals = EventProgress['assets'];

/** Whether a worker may change what the page shows. */
export const isFollowed = ({ event }: Pick<EventProgress, 'event'>): boolean =>
  event.automatic === true && (event.status === 'running' || event.status === 'retesting');

export function ProgressOfEvent({ view }: { view: EventView }): VNode {
  const { organizationId, progress, event } = view;
  const url = eventUrl(organizationId, event.slug);
  const part = <ProgressPart organizationId={organizationId} progress={progress} />;
  return (
    <div id="live">
      <Card id="progress" title="Progress">
        {isFollowed(progress) ? (
          <FollowedPart stream={`${url}/progress`} page={`${url}/live`}>
            {part}
          </FollowedPart>
        ) : (
          part
        )}
        {view.mayChange && isFollowed(progress) && mayPause(event) && (
          <ChangeState url={url} status="paused" label="Pause" />
        )}
        {view.mayChange && event.status === 'paused' && <ChangeState url={url} status="running" label="Continue" />}
      </Card>
    </div>
  );
}

const mayPause = ({ status }: EventView['event']): boolean =>
  eventStatusVocabulary.some(({ name, transitions }) => name === status && transitions.includes('paused'));

const ChangeState = ({ url, status, label }: { url: string; status: string; label: string }): VNode => (
  <Form action={`${url}/status`}>
    <input type="hidden" name="status" value={status} />
    <button>{label}</button>
  </Form>
);

interface ProgressPartProps {
  readonly organizationId: number;
  readonly progress: EventProgress;
}

export const ProgressPart = ({ organizationId, progress }: ProgressPartProps): VNode => (
  <>
    <p>{progress.sends ?? 'This event sends nothing by itself.'}</p>
    <dl class="facts">
      <Fact label="Assets">{totalsText(progress.assets)}</Fact>
      <Fact label="Web origins">{totalsText(progress.origins)}</Fact>
      <Fact label="Findings">
        <FindingTotals progress={progress} />
      </Fact>
      {progress.nextRun !== null && (
        <Fact label="Next run">
          <Time at={progress.nextRun} />, of the first target that is due
        </Fact>
      )}
      {progress.capacity !== null && <Fact label="Time">{progress.capacity.text}</Fact>}
    </dl>
    {progress.leftOut !== null && <p>{progress.leftOut}</p>}
    {progress.unmatchedAccounts.length > 0 && (
      <p>
        Nothing is tested as <span dir="auto">{progress.unmatchedAccounts.join(', ')}</span>: the event has no web
        origin where they sign in. Add their asset to its scope, or correct their origins.
      </p>
    )}
    {progress.notTestable.length > 0 && <NotTestable {...{ organizationId, progress }} />}
    {progress.days.length > 0 && <Days days={progress.days} />}
  </>
);

const FindingTotals = ({ progress: { found, fixed, counted } }: Pick<ProgressPartProps, 'progress'>): VNode =>
  counted === null ? (
    <>A worker counts them for the first time.</>
  ) : (
    <>
      {found} new, {fixed} fixed{' '}
      <span class="muted">
        (<Time at={counted} />)
      </span>
    </>
  );

const totalsText = ({ done, running, waiting, notTestable, testedToday, neverTested }: Totals): string =>
  `${done} done, ${running} running, ${waiting} waiting, ${notTestable} not testable; ${testedToday} tested today, ${neverTested} never tested`;

const NotTestable = ({ organizationId, progress }: ProgressPartProps): VNode => (
  <Table
    rows={progress.notTestable}
    columns={[
      {
        label: 'Not testable',
        dir: 'auto',
        cell: ({ assetId, asset, origin }) => <a href={assetUrl(organizationId, assetId)}>{origin ?? asset}</a>,
      },
      { label: 'Reason', class: 'wide', cell: ({ reason }) => reason },
    ]}
  />
);

/** A day that found nothing says what it did. */
const Days = ({ days }: { days: readonly EventDay[] }): VNode => (
  <ol class="timeline">
    {days.map((day) => (
      <li key={day.day}>
        {textOfDay(day)} <span class="muted">{day.day}</span>
      </li>
    ))}
  </ol>
);

const textOfDay = ({ assets, pages, requests, failed, found, fixed }: EventDay): string =>
  [
    pluralize(assets, 'asset'),
    pluralize(pages, 'origin'),
    pluralize(requests, 'request'),
    `${found} new`,
    `${fixed} fixed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(', ');

/** How a machine event works by itself. */
export function AutomationForm({ view: { organizationId, event, accounts } }: { view: EventView }): VNode {
  const { automatic, everyHours, windows, requestsPerSecond, parallelTargets, depth, reportAtEnd } = event;
  const number = (value: number | null, min: number, max: number) =>
    ({ type: 'number', min, max, step: 'any', value: value ?? '', required: false }) as const;
  return (
    <Panel label="Automatic tests" action={`${eventUrl(organizationId, event.slug)}/automation`}>
      <Checkbox name="automatic" label="Test the scope automatically" checked={automatic === true} />
      <Field name="every_hours" label="Every, in hours" input={{ ...number(everyHours, 1, 720), placeholder: '24' }} />
      <TextArea
        name="windows"
        label="Windows"
        value={(windows ?? []).join('\n')}
        hint="One in each line, such as Mo-Fr 20:00-06:00 Europe/Lisbon. Nothing is sent outside of them."
      />
      <Field
        name="requests_per_second"
        label="Requests a second, to each target"
        input={number(requestsPerSecond, 0.1, 100)}
      />
      <Field
        name="parallel_targets"
        label="Targets at a time"
        input={{ ...number(parallelTargets, 1, 20), placeholder: '2' }}
      />
      <DepthSelect label="Depth of the scans" value={depth} />
      <AccountChoices accounts={accounts} values={event.accounts} />
      <Checkbox name="report_at_end" label="Order the report at the end" checked={reportAtEnd === true} />
      <button>Save</button>
    </Panel>
  );
}
