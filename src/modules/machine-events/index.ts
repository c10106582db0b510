export { EventProgressController } from './http/event-progress.controller';
export { type EventDay, type EventProgress, EventProgressService, type NotTestable } from './event-progress.service';
export { type EventAhead, EventOverview } from './event-overview.service';
export { MachineEventsModule } from './machine-events.module';
