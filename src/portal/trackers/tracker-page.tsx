import type { VNode } from 'preact';
import type { Slice } from '../../kernel/page';
import {
  hookPathOf,
  type Ticket,
  TICKET_STATE_TEXTS,
  type Tracker,
  TRACKER_LABELS,
  TRACKER_PAUSES,
} from '../../modules/trackers';
import { type FilterChoices, stateText } from '../destinations/destination-pages';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { Form } from '../frame/form';
import { Panel } from '../frame/panel';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { destinationUrl, findingUrl } from '../urls';
import { TrackerFields } from './tracker-form';

interface TrackerPageProps {
  readonly tracker: Tracker;
  readonly choices: FilterChoices;
  /** The newest ones. */
  readonly tickets: Slice<Ticket>;
}

export function TrackerPage({ tracker, choices, tickets }: TrackerPageProps): VNode {
  const { organizationId, kind, project, account, tested, fields, lastError, testRequested, pauseReason } = tracker;
  const url = destinationUrl('tracker', organizationId, tracker.id);
  const next = tracker.state === 'paused' ? 'resume' : 'pause';
  const missing = fields.filter(({ isFilled }) => !isFilled);
  return (
    <div class="settings">
      <Card id="tracker" title="State" class="narrow-left">
        {pauseReason !== null && <p class="form-error">Paused. {TRACKER_PAUSES[pauseReason]}</p>}
        {missing.length > 0 && (
          <p class="form-error">
            The project demands fields that the tracker does not fill: {missing.map(({ name }) => name).join(', ')}.
            Give them a default there.
          </p>
        )}
        <dl class="facts">
          <Fact label="Where">
            {TRACKER_LABELS[kind].label}, {project}
          </Fact>
          <Fact label="State">{stateText(tracker)}</Fact>
          <Fact label="Account">{account ?? 'Not known before a test'}</Fact>
          <Fact label="Last test">{tested === null ? 'None since it was changed' : <Time at={tested} />}</Fact>
          {fields.length > 0 && <Fact label="Required fields">{fields.map(({ name }) => name).join(', ')}</Fact>}
          {testRequested !== null && <Fact label="Test">Under way</Fact>}
          {lastError !== null && <Fact label="Last error">{lastError}</Fact>}
          <Fact label="Address of its webhook">
            <code>{hookPathOf(tracker)}</code> below the address of the API
          </Fact>
        </dl>
        <div class="actions">
          <Form action={`${url}/test`}>
            <button>Test it</button>
          </Form>
          <Form action={`${url}/${next}`}>
            <button>{next === 'resume' ? 'Resume' : 'Pause'}</button>
          </Form>
          <Panel label="Delete" action={`${url}/delete`}>
            <p>Its tickets stay in the tracker as they are, and are followed no more.</p>
            <button class="danger">Delete the tracker</button>
          </Panel>
        </div>
      </Card>
      <Card id="tickets" title="Newest tickets">
        {tickets.items.length === 0 ? (
          <p class="muted">None yet.</p>
        ) : (
          <Table
            rows={tickets.items}
            columns={[
              { label: 'Ticket', class: 'nowrap', cell: (one) => one.key ?? 'Not opened yet' },
              {
                label: 'Finding',
                class: 'nowrap',
                cell: (one) => <a href={findingUrl(organizationId, one.findingId)}>#{one.findingId}</a>,
              },
              { label: 'State', cell: (one) => TICKET_STATE_TEXTS[one.state] },
              { label: 'Last error', class: 'wide', cell: (one) => one.error ?? '' },
            ]}
          />
        )}
      </Card>
      <Card id="edit" title="Change" class="narrow-left">
        <Form action={url}>
          <TrackerFields {...{ choices, tracker }} />
          <button class="primary">Save</button>
        </Form>
      </Card>
    </div>
  );
}
