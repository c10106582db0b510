import { Body, Controller, Query } from '@nestjs/common';
import { InOrganization, type Place } from '../../../platform/http/in-organization';
import { PagedBody } from '../../../platform/http/paged-body';
import { operationsTagged } from '../../../platform/http/operation';
import { InboxService } from '../inbox.service';
import { InboxQuery, MarkReadRequest } from './inbox.requests';
import { InboxResponse, inboxEntryExample, presentInboxEntry, UnreadResponse } from './inbox.responses';

const INBOX = '/v1/organizations/{organization_id}/inbox';
const operation = operationsTagged('Inbox');

@Controller()
export class InboxController {
  constructor(private readonly inbox: InboxService) {}

  @operation(`GET ${INBOX}`, {
    id: 'listInbox',
    summary: 'List what concerns the caller in an organization',
    description:
      'Mentions, assignments, verdicts of findings that the caller follows, failed gates, and what mail reminds of. The newest 1,000 entries of 90 days. Own actions are not among them.',
    role: 'viewer',
    query: InboxQuery,
    success: {
      description: 'The entries, newest first.',
      body: InboxResponse,
      example: { inbox: [inboxEntryExample], unread: 1 },
      paged: true,
    },
    errors: [400, 401, 403, 404],
  })
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: InboxQuery,
  ): Promise<PagedBody<InboxResponse>> {
    const page = query.slice;
    const inbox = await this.inbox.list(caller, organizationId, query.unread ?? false, page);
    return new PagedBody({ inbox: inbox.items.map(presentInboxEntry), unread: inbox.unread }, page, inbox);
  }

  @operation(`POST ${INBOX}/read`, {
    id: 'readInbox',
    summary: 'Mark entries of the inbox as read',
    description: 'The entry `id`, or else all up to the entry `up_to`, or else all.',
    role: 'viewer',
    body: { example: { id: 17 } },
    success: { description: 'They are read.', body: UnreadResponse, example: { unread: 0 } },
    audit: { operation: 'inbox.read', resource: 'inbox' },
  })
  async read(
    @InOrganization() { caller, organizationId }: Place,
    @Body() body: MarkReadRequest,
  ): Promise<UnreadResponse> {
    return { unread: await this.inbox.markRead(caller, organizationId, body) };
  }
}
