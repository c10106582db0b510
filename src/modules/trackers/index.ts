export type { Ticket } from './data/ticket.entity';
export type { Tracker } from './data/tracker.entity';
export { exampleTicket } from './domain/sayings';
export { TICKET_STATE_TEXTS } from './domain/ticket-states';
export {
  REGRESSION_RULES,
  type RegressionRule,
  TICKET_DETAILS,
  type TicketDetail,
  TRACKER_KINDS,
  TRACKER_LABELS,
  TRACKER_PAUSES,
  type TrackerKind,
} from './domain/tracker-vocabulary';
export { MAX_DAILY, trackerDefaults } from './http/tracker.requests';
export { TicketsController } from './http/tickets.controller';
export { hookPathOf } from './http/tracker.responses';
export { TrackersController } from './http/trackers.controller';
export { TicketsService } from './tickets.service';
export { TrackerCredentials } from './tracker-credentials';
export { TrackerHooks } from './tracker-hooks';
export { TrackersModule } from './trackers.module';
export { type TrackerChange, type TrackerDraft, TrackersService } from './trackers.service';
