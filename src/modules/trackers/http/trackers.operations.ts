import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { operationsTagged } from '../../../platform/http/operation';
import { PageQuery } from '../../../platform/http/page-query';
import { ListTicketsQuery } from './ticket.requests';
import {
  OpenedTicketsResponse,
  ticketExample,
  TicketListResponse,
  TicketResponse,
  trackerExample,
  TrackerListResponse,
  TrackerResponse,
} from './tracker.responses';

const operation = operationsTagged('Trackers');

const TRACKERS = '/v1/organizations/{organization_id}/trackers';
const ONE = `${TRACKERS}/{tracker_id}` as const;
const TICKET = '/v1/findings/{finding_id}/ticket';

const ticket = { description: 'The ticket.', body: TicketResponse, example: ticketExample } as const;

export const listTrackers = operation(`GET ${TRACKERS}`, {
  id: 'listTrackers',
  summary: 'List the trackers of an organization',
  role: 'admin',
  query: PageQuery,
  success: {
    description: 'The trackers, newest first.',
    body: TrackerListResponse,
    example: { trackers: [trackerExample] },
    paged: true,
  },
  errors: [401, 403, 404],
});

export const createTracker = operation(`POST ${TRACKERS}`, {
  id: 'createTracker',
  summary: 'Create a tracker',
  description:
    'A project in Jira, GitHub or GitLab. It is paused until a test, which starts at once, has shown that strangers cannot read the project. At most 20 trackers in an organization. docs/trackers.md has the rest.',
  role: 'admin',
  body: {
    example: {
      name: 'Security board',
      kind: 'jira',
      address: 'https://example.atlassian.net',
      project: 'SEC',
      user: 'assay@example.com',
      token: 'ATATT3xFfGF0',
      automatic: true,
      severity: 'high',
    },
  },
  success: {
    status: 201,
    description: 'The tracker.',
    body: TrackerResponse,
    example: trackerExample,
    location: ({ organization_id, id }: TrackerResponse) => `/v1/organizations/${organization_id}/trackers/${id}`,
  },
  errors: [400, 401, 403, 404, 422],
  audit: { operation: 'tracker.create', resource: 'tracker' },
});

export const getTracker = operation(`GET ${ONE}`, {
  id: 'getTracker',
  summary: 'Read a tracker',
  role: 'admin',
  entityTag: true,
  success: { description: 'The tracker.', body: TrackerResponse, example: trackerExample },
});

export const changeTracker = operation(`PATCH ${ONE}`, {
  id: 'changeTracker',
  summary: 'Change, pause or resume a tracker',
  description:
    'Omitted fields do not change. Another address empties the credentials. What decides where tickets go must be tested again. The caller answers for it from then on.',
  role: 'admin',
  body: { example: { state: 'active' } },
  ifMatch: 'getTracker',
  success: { description: 'The tracker after the change.', body: TrackerResponse, example: trackerExample },
  errors: [400, 401, 403, 404, 409, 422],
  audit: { operation: 'tracker.change', resource: 'tracker', id: 'tracker_id' },
});

export const deleteTracker = operation(`DELETE ${ONE}`, {
  id: 'deleteTracker',
  summary: 'Delete a tracker, and the links to its tickets',
  description: 'The tickets stay in the tracker as they are.',
  role: 'admin',
  ifMatch: 'getTracker',
  success: {
    description: 'It is deleted.',
    body: Acknowledgement,
    example: { code: 200, description: 'Tracker deleted.', id: 3, success: true },
  },
  audit: { operation: 'tracker.delete', resource: 'tracker', id: 'tracker_id' },
});

export const testTracker = operation(`POST ${ONE}/test`, {
  id: 'testTracker',
  summary: 'Test a tracker',
  description:
    'Reads the account, who can read the project, and the fields that it demands; it opens no ticket. `tested`, `fields` and `last_error` have the result.',
  role: 'admin',
  success: {
    status: 202,
    description: 'The test is on its way.',
    body: Acknowledgement,
    example: { code: 202, description: 'The test is on its way.', id: 3, success: true },
  },
  errors: [401, 403, 404, 409],
  audit: { operation: 'tracker.test', resource: 'tracker', id: 'tracker_id' },
});

export const listTickets = operation(`GET ${ONE}/tickets`, {
  id: 'listTickets',
  summary: 'List the tickets of a tracker',
  role: 'admin',
  query: ListTicketsQuery,
  success: {
    description: 'The tickets, newest first.',
    body: TicketListResponse,
    example: { tickets: [ticketExample] },
    paged: true,
  },
});

export const openTickets = operation(`POST ${ONE}/tickets`, {
  id: 'openTickets',
  summary: 'Open tickets for many findings',
  description:
    'For those without one. `confirm` must be their number, which a 409 says. They are opened ten a minute, and as many a day as the tracker allows.',
  role: 'admin',
  body: { example: { finding_ids: [41, 42], confirm: 2 } },
  success: { status: 202, description: 'They are opened.', body: OpenedTicketsResponse, example: { tickets: 2 } },
  errors: [400, 401, 403, 404, 409, 422],
  audit: { operation: 'ticket.request', resource: 'tracker', id: 'tracker_id' },
});

export const getTicket = operation(`GET ${TICKET}`, {
  id: 'getTicket',
  summary: 'Read the ticket of a finding',
  role: 'viewer',
  entityTag: true,
  success: ticket,
  errors: [401, 403, 404],
});

export const openTicket = operation(`POST ${TICKET}`, {
  id: 'openTicket',
  summary: 'Open the ticket of a finding, or link an existing one',
  description: 'In the background: `state` and `error` have the result.',
  role: 'member',
  body: { example: { tracker_id: 3 } },
  success: {
    ...ticket,
    status: 202,
    location: (_body, { finding_id }) => `/v1/findings/${finding_id}/ticket`,
  },
  errors: [400, 401, 403, 404, 409, 422],
  audit: { operation: 'ticket.request', resource: 'ticket' },
});

export const unlinkTicket = operation(`DELETE ${TICKET}`, {
  id: 'unlinkTicket',
  summary: 'Unlink the ticket of a finding',
  description: 'It stays in the tracker as it is, and the filter of a tracker opens no other one.',
  role: 'member',
  ifMatch: 'getTicket',
  success: {
    description: 'It is unlinked.',
    body: Acknowledgement,
    example: { code: 200, description: 'The ticket was unlinked.', id: 41, success: true },
  },
  errors: [401, 403, 404],
  audit: { operation: 'ticket.unlink', resource: 'ticket' },
});

export const retryTicket = operation(`POST ${TICKET}/retry`, {
  id: 'retryTicket',
  summary: 'Try the last step of a ticket again',
  description: 'Also when a person has decided what people and tests had disagreed about three times.',
  role: 'member',
  success: { ...ticket, status: 202 },
  errors: [401, 403, 404, 409],
  audit: { operation: 'ticket.retry', resource: 'ticket' },
});
