import { Body, Controller, Get, Query } from '@nestjs/common';
import { ApprovalsService } from '../../modules/approvals';
import { InboxQuery, InboxService } from '../../modules/notifications';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { inboxUrl } from '../urls';
import { InboxPage, MarkAllRead } from './inbox-page';
import { MarkReadForm } from './inbox.requests';

/** What concerns the user in an organization. */
@Controller('o/:organization/inbox')
export class InboxPageController {
  constructor(
    private readonly inbox: InboxService,
    private readonly approvals: ApprovalsService,
  ) {}

  @Get()
  async show(@InOrganization() { caller, organizationId }: Place, @Query() query: InboxQuery): Promise<Page> {
    const { unread: isUnread = false, slice: page } = query;
    const inbox = await this.inbox.list(caller, organizationId, isUnread, page);
    const approvals = await this.approvals.countFor(caller, organizationId);
    return new Page('Inbox', <InboxPage {...{ organizationId, inbox, approvals, isUnread, page }} />, 'inbox', {
      actions: inbox.unread > 0 && <MarkAllRead {...{ organizationId, inbox }} />,
    });
  }

  @PostChange('read', { operation: 'inbox.read', resource: 'inbox' })
  async markRead(@InOrganization() { caller, organizationId }: Place, @Body() form: MarkReadForm): Promise<SeeOther> {
    await this.inbox.markRead(caller, organizationId, form);
    return new SeeOther(inboxUrl(organizationId, form.unread));
  }
}
