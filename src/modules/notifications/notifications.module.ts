import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FeedModule } from '../feed';
import { FindingsModule } from '../findings';
import { IdentityModule } from '../identity';
import { OrganizationsModule } from '../organizations';
import { ReportsModule } from '../reports';
import { RetestsModule } from '../retests';
import { MailPreferences } from './data/mail-preferences.entity';
import { MailPreferencesRepository } from './data/mail-preferences.repository';
import { NotificationSettings } from './data/notification-settings.entity';
import { NotificationSettingsRepository } from './data/notification-settings.repository';
import { PersonalNotice } from './data/personal-notice.entity';
import { PersonalNoticesRepository } from './data/personal-notices.repository';
import { MailPreferencesService } from './mail-preferences.service';
import { PersonalItems } from './personal-items';
import { PersonalMessages } from './personal-messages';
import { PersonalNotices } from './personal-notices';
import { UnsubscribeTokens } from './unsubscribe-tokens';
import { DueMail } from './work/due-mail';
import { NotificationPlanning } from './work/notification-planning';
import { PersonalMail } from './work/personal-mail';

@Module({
  imports: [
    TypeOrmModule.forFeature([MailPreferences, NotificationSettings, PersonalNotice]),
    OrganizationsModule,
    IdentityModule,
    FindingsModule,
    RetestsModule,
    ReportsModule,
    FeedModule,
  ],
  providers: [
    MailPreferencesRepository,
    NotificationSettingsRepository,
    PersonalNoticesRepository,
    UnsubscribeTokens,
    MailPreferencesService,
    PersonalNotices,
    PersonalItems,
    PersonalMessages,
    NotificationPlanning,
    DueMail,
    PersonalMail,
  ],
  exports: [MailPreferencesService],
})
export class NotificationsModule {}
