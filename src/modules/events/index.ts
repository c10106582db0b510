export type { Event } from './data/event.entity';
export { eventNotFound } from './domain/event.errors';
export {
  type EventStatus,
  type EventTest,
  eventStatusVocabulary,
  hasEnded,
  hasStarted,
  reasonNotTestable,
} from './domain/event-status';
export { coversInScope, type ScopedAsset } from './domain/scope-coverage';
export { DEFAULT_EVERY_HOURS, DEFAULT_PARALLEL_TARGETS, whatIsSent } from './domain/automation';
export { ScopeMembership } from './domain/scope-membership';
export { TestScope } from './domain/test-scope';
export { hasSecondLooks } from './domain/second-looks';
export {
  DIMENSIONS,
  EVENT_CATEGORY,
  EVENT_TYPE,
  type EventCategory,
  eventCategoryVocabulary,
  eventTypeVocabulary,
} from './domain/event-vocabulary';
export { EventPicturesService } from './event-pictures.service';
export { EventFindingsService } from './event-findings.service';
export { EventScopeService, type ScopeAsset } from './event-scope.service';
export { EventsModule } from './events.module';
export { EventsService } from './events.service';
export type { EventChange } from './domain/event-change';
export {
  ChangeEventRequest,
  ChangeEventStatusRequest,
  changeOfEvent,
  CreateEventRequest,
  draftOf,
} from './http/event.requests';
export { Location, Parameter } from './http/event-finding.requests';
export { AddScopeAssetRequest, scopeDraftOf } from './http/event-scope.requests';
export { EventFindingsController } from './http/event-findings.controller';
export { EventScopeController } from './http/event-scope.controller';
export { EventPicturesController } from './http/event-pictures.controller';
export { EventsController } from './http/events.controller';
export type { NotifiedEvent } from './data/events.repository';
