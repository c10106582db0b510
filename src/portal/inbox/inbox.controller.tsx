import { Body, Controller, Get, Query } from '@nestjs/common';
import { InboxService } from '../../modules/notifications';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { inboxUrl } from '../urls';
import { InboxPage, MarkAllRead } from './inbox-page';
import { InboxPageQuery, MarkReadForm } from './inbox.requests';

/** What concerns the user in an organization. */
@Controller('o/:organization/inbox')
export class InboxPageController {
  constructor(private readonly inbox: InboxService) {}

  @Get()
  async show(@InOrganization() { caller, organizationId }: Place, @Query() query: InboxPageQuery): Promise<Page> {
    const { unread: isUnread, slice: page } = query;
    const inbox = await this.inbox.list(caller, organizationId, isUnread, page);
    return new Page('Inbox', <InboxPage {...{ organizationId, inbox, isUnread, page }} />, 'inbox', {
      actions: inbox.unread > 0 && <MarkAllRead {...{ organizationId, inbox }} />,
    });
  }

  @PostChange('read', { operation: 'inbox.read', resource: 'inbox' })
  async markRead(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { id, up_to: upTo, unread }: MarkReadForm,
  ): Promise<SeeOther> {
    await this.inbox.markRead(caller, organizationId, { ids: id === undefined ? undefined : [id], upTo });
    return new SeeOther(inboxUrl(organizationId, unread));
  }
}
