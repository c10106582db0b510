import { ChannelsService, MailPreferencesService } from '../../modules/notifications';
import { ChannelsPageController } from '../channels/channels.controller';
import { UnsubscribeController } from '../unsubscribe/unsubscribe.controller';
import { NotificationsPageController } from './notifications.controller';

/** What the portal needs for its pages about notifications. */
export const notificationControllers = [NotificationsPageController, ChannelsPageController, UnsubscribeController];
export const notificationServices = [MailPreferencesService, ChannelsService] as const;
