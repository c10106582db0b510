import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts';
import { EventsModule } from '../events';
import { FeedModule } from '../feed';
import { FindingsModule } from '../findings';
import { IdentityModule } from '../identity';
import { JobsModule } from '../jobs';
import { OrganizationsModule } from '../organizations';
import { ReportsModule } from '../reports';
import { RetestsModule } from '../retests';
import { WebhooksModule } from '../webhooks';
import { ConcernedPeople } from './concerned-people';
import { ChannelDispatch } from './channel-dispatch';
import { ChannelMessages } from './channel-messages';
import { ChannelSending } from './channel-sending';
import { ChannelTargets } from './channel-targets';
import { ChannelTests } from './channel-tests';
import { ChannelUrls } from './channel-urls';
import { ChannelsService } from './channels.service';
import { ChannelMessage } from './data/channel-message.entity';
import { ChannelMessagesRepository } from './data/channel-messages.repository';
import { Channel } from './data/channel.entity';
import { ChannelsRepository } from './data/channels.repository';
import { MailPreferences } from './data/mail-preferences.entity';
import { MailPreferencesRepository } from './data/mail-preferences.repository';
import { NotificationSettings } from './data/notification-settings.entity';
import { NotificationSettingsRepository } from './data/notification-settings.repository';
import { PersonalNotice } from './data/personal-notice.entity';
import { PersonalNoticesRepository } from './data/personal-notices.repository';
import { InboxService } from './inbox.service';
import { MailPreferencesService } from './mail-preferences.service';
import { PersonalItems } from './personal-items';
import { PersonalMessages } from './personal-messages';
import { PersonalNotices } from './personal-notices';
import { UnsubscribeTokens } from './unsubscribe-tokens';
import { ChannelWork } from './work/channel-work';
import { AccountNotices } from './work/account-notices';
import { DueMail } from './work/due-mail';
import { NotificationPlanning } from './work/notification-planning';
import { PersonalMail } from './work/personal-mail';

@Module({
  imports: [
    TypeOrmModule.forFeature([Channel, ChannelMessage, MailPreferences, NotificationSettings, PersonalNotice]),
    OrganizationsModule,
    IdentityModule,
    FindingsModule,
    AccountsModule,
    EventsModule,
    RetestsModule,
    JobsModule,
    ReportsModule,
    FeedModule,
    WebhooksModule,
  ],
  providers: [
    MailPreferencesRepository,
    NotificationSettingsRepository,
    PersonalNoticesRepository,
    UnsubscribeTokens,
    MailPreferencesService,
    ConcernedPeople,
    PersonalNotices,
    InboxService,
    PersonalItems,
    PersonalMessages,
    NotificationPlanning,
    DueMail,
    AccountNotices,
    PersonalMail,
    ChannelsRepository,
    ChannelMessagesRepository,
    ChannelUrls,
    ChannelTargets,
    ChannelTests,
    ChannelsService,
    ChannelMessages,
    ChannelDispatch,
    ChannelSending,
    ChannelWork,
  ],
  exports: [InboxService, MailPreferencesService, ChannelsService, ChannelUrls],
})
export class NotificationsModule {}
