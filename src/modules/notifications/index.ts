export { MAIL_KIND_LABELS, MAIL_KINDS, type MailKind } from './domain/mail-kinds';
export { MailSettingsController } from './http/mail-settings.controller';
export { type MailPreference, MailPreferencesService } from './mail-preferences.service';
export { NotificationsModule } from './notifications.module';
