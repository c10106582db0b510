export type { Channel } from './data/channel.entity';
export { ChannelUrls } from './channel-urls';
export { type ChannelChange, type ChannelDraft, ChannelsService } from './channels.service';
export {
  CHANNEL_KINDS,
  CHANNEL_PAUSES,
  CHANNEL_STATES,
  type ChannelKind,
  type Digest,
  DIGESTS,
} from './domain/channel-vocabulary';
export { MAX_HOURLY } from './http/channel.requests';
export { ChannelsController } from './http/channels.controller';
export { MAIL_KIND_LABELS, MAIL_KINDS, type MailKind } from './domain/mail-kinds';
export { MailSettingsController } from './http/mail-settings.controller';
export { type MailPreference, MailPreferencesService } from './mail-preferences.service';
export { NotificationsModule } from './notifications.module';
