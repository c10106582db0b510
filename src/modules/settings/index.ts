export { AgentWrites } from './agent-writes.service';
export { DURATION_UNITS, durationMs } from './domain/event-duration';
export { AgentWritesController } from './http/agent-writes.controller';
export { SettingsController } from './http/settings.controller';
export { SettingsModule } from './settings.module';
export { SettingsService } from './settings.service';
