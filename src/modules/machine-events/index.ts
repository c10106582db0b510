export { EventProgressController } from './http/event-progress.controller';
export { type EventDay, type EventProgress, EventProgressService, type NotTestable } from './event-progress.service';
export { MachineEventsModule } from './machine-events.module';
