import { Body, Controller, Get } from '@nestjs/common';
import { MailPreferencesService } from '../../modules/notifications';
import { OrganizationsService } from '../../modules/organizations';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { notificationsUrl } from '../urls';
import { NotificationsPage } from './notifications-page';
import { MailSettingsForm, MyMailForm } from './notifications.requests';

/** What the user gets by mail from an organization, and what its mails show. */
@Controller('o/:organization/settings/notifications')
export class NotificationsPageController {
  constructor(
    private readonly preferences: MailPreferencesService,
    private readonly organizations: OrganizationsService,
  ) {}

  @Get()
  async show(@InOrganization() { caller, organizationId }: Place): Promise<Page> {
    const { name: organization } = await this.organizations.get(caller.scope, organizationId);
    const props = {
      organizationId,
      organization,
      email: caller.facts.email,
      isMailed: this.preferences.isMailed,
      preference: await this.preferences.get(caller, organizationId),
      isMember: caller.facts.memberships.has(organizationId),
      hasTitles: await this.preferences.hasTitles(caller.scope, organizationId),
      mayChange: caller.hasRole('admin', organizationId),
    };
    return new Page('Settings', <NotificationsPage {...props} />, 'settings', { tabTitle: 'Notifications' });
  }

  @PostChange('', { operation: 'settings.my_mail_change', resource: 'settings' })
  async change(@InOrganization() { caller, organizationId }: Place, @Body() form: MyMailForm): Promise<SeeOther> {
    await this.preferences.change(caller, organizationId, form);
    return new SeeOther(notificationsUrl(organizationId), 'Your mail settings were saved.');
  }

  @PostChange('mail', { operation: 'settings.mail_change', resource: 'settings' })
  async changeTitles(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { titles }: MailSettingsForm,
  ): Promise<SeeOther> {
    await this.preferences.changeTitles(caller, organizationId, titles);
    return new SeeOther(notificationsUrl(organizationId), 'The mail settings were saved.');
  }
}
