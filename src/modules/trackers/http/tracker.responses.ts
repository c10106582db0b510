import { presented, ResponseField } from '../../../platform/api/response-field';
import { destinationExample, DestinationResponse } from '../../feed';
import type { Ticket } from '../data/ticket.entity';
import type { Tracker } from '../data/tracker.entity';
import { TICKET_STATES, type TicketState } from '../domain/ticket-states';
import {
  REGRESSION_RULES,
  type RegressionRule,
  TRACKER_KINDS,
  TRACKER_PAUSES,
  type TrackerKind,
  type TrackerPause,
} from '../domain/tracker-vocabulary';

export class RequiredFieldResponse {
  @ResponseField.string()
  name!: string;

  @ResponseField.boolean({ description: 'Whether the tracker fills it. With another one no ticket can be opened.' })
  is_filled!: boolean;
}

export class TrackerResponse extends DestinationResponse {
  @ResponseField.string({ enum: TRACKER_KINDS })
  kind!: TrackerKind;

  @ResponseField.string()
  address!: string;

  @ResponseField.string()
  project!: string;

  @ResponseField.string()
  issue_type!: string;

  @ResponseField.boolean()
  has_credentials!: boolean;

  @ResponseField.boolean()
  automatic!: boolean;

  @ResponseField.object()
  priorities!: Tracker['priorities'];

  @ResponseField.strings()
  ticket_labels!: string[];

  @ResponseField.string({ nullable: true })
  component!: string | null;

  @ResponseField.string({ nullable: true })
  assignee!: string | null;

  @ResponseField.strings()
  details!: string[];

  @ResponseField.strings()
  wont_do!: string[];

  @ResponseField.string({ enum: REGRESSION_RULES })
  regression!: RegressionRule;

  @ResponseField.integer()
  daily_limit!: number;

  @ResponseField.string({ nullable: true, enum: Object.keys(TRACKER_PAUSES) })
  pause_reason!: TrackerPause | null;

  @ResponseField.string({ nullable: true, description: 'Whose credentials these are, as the last test has seen.' })
  account!: string | null;

  @ResponseField.instant({
    nullable: true,
    description: 'When a test last succeeded; null since its settings changed.',
  })
  tested!: string | null;

  @ResponseField.list(RequiredFieldResponse, { description: 'Those that the project demands.' })
  fields!: RequiredFieldResponse[];

  @ResponseField.string({ nullable: true, description: 'Why the last request or test failed; null if it did not.' })
  last_error!: string | null;

  @ResponseField.string({
    description: 'Below the address of the API: where the tracker may say that a ticket has changed.',
  })
  hook_path!: string;
}

export class TrackerListResponse {
  @ResponseField.list(TrackerResponse)
  trackers!: TrackerResponse[];
}

export const hookPathOf = ({ hook }: Pick<Tracker, 'hook'>): string => `/hooks/${hook}`;

/** The credentials are not shown. */
export const presentTracker = (tracker: Tracker): TrackerResponse =>
  presented(TrackerResponse, tracker, {
    events: tracker.eventIds,
    has_credentials: tracker.sealed !== null,
    fields: tracker.fields.map(({ name, isFilled }) => ({ name, is_filled: isFilled })),
    hook_path: hookPathOf(tracker),
  });

export class TicketResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.integer()
  tracker_id!: number;

  @ResponseField.integer()
  finding_id!: number;

  @ResponseField.string({ enum: TICKET_STATES, description: 'docs/trackers.md says what each means.' })
  state!: TicketState;

  @ResponseField.string({ nullable: true, description: 'As the tracker shows it; null until it is opened.' })
  key!: string | null;

  @ResponseField.string({ nullable: true })
  url!: string | null;

  @ResponseField.integer({ description: 'How often tests and people have disagreed. After three a person decides.' })
  disagreements!: number;

  @ResponseField.string({ nullable: true, description: 'Why the last step failed; null if it did not.' })
  error!: string | null;

  @ResponseField.instant({ nullable: true, description: 'When the next step is due; null if none is by itself.' })
  next_attempt!: string | null;

  @ResponseField.instant({ description: 'When its state changed.' })
  changed!: string;

  @ResponseField.instant()
  created!: string;
}

export class TicketListResponse {
  @ResponseField.list(TicketResponse)
  tickets!: TicketResponse[];
}

export class OpenedTicketsResponse {
  @ResponseField.integer({ description: 'How many are opened, one after the other.' })
  tickets!: number;
}

export const presentTicket = (ticket: Ticket): TicketResponse => presented(TicketResponse, ticket, {});

export const trackerExample = {
  ...destinationExample,
  types: [],
  name: 'Security board',
  kind: 'jira',
  address: 'https://example.atlassian.net',
  project: 'SEC',
  issue_type: 'Task',
  has_credentials: true,
  automatic: true,
  priorities: { critical: 'Highest', high: 'High' },
  ticket_labels: ['security'],
  component: null,
  assignee: null,
  details: [],
  wont_do: ["won't do"],
  regression: 'reopen',
  daily_limit: 50,
  account: '5b10a2844c20165700ede21g',
  tested: '2026-01-31T12:00:00.000Z',
  fields: [{ name: 'Summary', is_filled: true }],
  last_error: null,
  hook_path: '/hooks/3q2-7wAAbC9kQp1vX0yZ5mN8rT4uLsEd',
};

export const ticketExample = {
  id: 12,
  tracker_id: 3,
  finding_id: 41,
  state: 'open',
  key: 'SEC-12',
  url: 'https://example.atlassian.net/browse/SEC-12',
  disagreements: 0,
  error: null,
  next_attempt: '2026-02-01T12:00:00.000Z',
  changed: '2026-01-31T12:00:00.000Z',
  created: '2026-01-31T12:00:00.000Z',
};
