import { ChannelsService, InboxService, MailPreferencesService } from '../../modules/notifications';
import { ChannelsPageController } from '../channels/channels.controller';
import { InboxPageController } from '../inbox/inbox.controller';
import { MentionsController } from '../mentions/mentions.controller';
import { UnsubscribeController } from '../unsubscribe/unsubscribe.controller';
import { NotificationsPageController } from './notifications.controller';

/** What the portal needs for its pages about notifications. */
export const notificationControllers = [
  InboxPageController,
  MentionsController,
  NotificationsPageController,
  ChannelsPageController,
  UnsubscribeController,
];
export const notificationServices = [InboxService, MailPreferencesService, ChannelsService] as const;
