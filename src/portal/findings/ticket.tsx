import type { VNode } from 'preact';
import { isOpen } from '../../modules/findings';
import { type Ticket, TICKET_STATE_TEXTS, type Tracker } from '../../modules/trackers';
import { Card } from '../frame/card';
import { Field, Form, Select } from '../frame/form';
import { Panel } from '../frame/panel';
import { findingUrl } from '../urls';
import type { FindingView } from './finding-reader';

export interface TicketOfFinding {
  readonly ticket: Ticket | undefined;
  /** Active ones. */
  readonly trackers: readonly Tracker[];
}

/** The ticket of the finding, or how it gets one. */
export function TicketCard({
  view,
  tickets,
}: {
  readonly view: FindingView;
  readonly tickets: TicketOfFinding;
}): VNode | null {
  const { organizationId, finding, mayTest } = view;
  const { ticket, trackers } = tickets;
  const url = `${findingUrl(organizationId, finding.id)}/ticket`;
  if (ticket !== undefined) return <ExistingTicket {...{ ticket, url, mayTest }} />;
  if (!mayTest || trackers.length === 0 || !isOpen(finding.status) || finding.mergedInto !== null) return null;
  return (
    <Card id="ticket" title="Ticket">
      <Form action={url}>
        <Select
          name="tracker_id"
          label="Tracker"
          options={trackers.map(({ id, name, project }) => ({ value: id, label: `${name} (${project})` }))}
        />
        <Field
          name="key"
          label="Existing ticket"
          hint="Such as SEC-12 or 12. Empty for a new one."
          input={{ required: false, maxLength: 50 }}
        />
        <button>Open or link</button>
      </Form>
    </Card>
  );
}

interface ExistingProps {
  readonly ticket: Ticket;
  readonly url: string;
  readonly mayTest: boolean;
}

function ExistingTicket({ ticket, url, mayTest }: ExistingProps): VNode {
  const { key, state, error } = ticket;
  const isDecided = state === 'person';
  return (
    <Card id="ticket" title="Ticket">
      <p>
        {key !== null &&
          ((ticket.url ?? '') === '' ? (
            <strong>{key}</strong>
          ) : (
            <a href={ticket.url ?? ''} rel="noreferrer">
              {key}
            </a>
          ))}{' '}
        {TICKET_STATE_TEXTS[state]}
      </p>
      {error !== null && <p class="form-error">{error}</p>}
      {mayTest && (
        <div class="actions">
          {(error !== null || isDecided) && (
            <Form action={`${url}/retry`}>
              <button>{isDecided ? 'Look again' : 'Try again'}</button>
            </Form>
          )}
          <Panel label="Unlink" action={`${url}/unlink`}>
            <p>The ticket stays in the tracker as it is, and is followed no more.</p>
            <button class="danger">Unlink the ticket</button>
          </Panel>
        </div>
      )}
    </Card>
  );
}
