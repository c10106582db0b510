import { Controller, Get, Param, Post } from '@nestjs/common';
import { MailPreferencesService } from '../../modules/notifications';
import { Page } from '../frame/page';
import { Changes, FromAnywhere, Open } from '../http/route-metadata';
import { UnsubscribedPage, UnsubscribePage } from './unsubscribe-pages';

const TITLE = 'Turn off mail';

/** The link of a mail that turns its kind off. Reading it changes nothing, because programs open links of mails. */
@Controller('unsubscribe/:token')
export class UnsubscribeController {
  constructor(private readonly preferences: MailPreferencesService) {}

  @Get()
  @Open()
  show(@Param('token') token: string): Page {
    return new Page(TITLE, <UnsubscribePage token={token} kind={this.preferences.describeLink(token)} />);
  }

  /** The button of this page, or that of a mail program (RFC 8058). */
  @Post()
  @Open()
  @FromAnywhere()
  @Changes({ operation: 'settings.my_mail_change', resource: 'settings' })
  async turnOff(@Param('token') token: string): Promise<Page> {
    return new Page(TITLE, <UnsubscribedPage kind={await this.preferences.turnOff(token)} />);
  }
}
