export { DURATION_UNITS, durationMs } from './domain/event-duration';
export { SettingsController } from './http/settings.controller';
export { SettingsModule } from './settings.module';
export { SettingsService } from './settings.service';
