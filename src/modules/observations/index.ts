export { isSilentPort } from '../../engine';
export type { AssetChangeRow } from './data/asset-change.entity';
export type { KindCount } from './data/asset-changes.repository';
export type { Observation } from './data/observation.entity';
export type { HostWithPorts } from './data/observed-hosts.repository';
export type { ObservedPortRow } from './data/observed-port.entity';
export { CHANGE_KINDS, type ChangeKind } from './domain/asset-change';
export { certificateDay, changeSentence, KIND_NAMES } from './domain/change-sentence';
export { isObservationOver, observationStatusVocabulary } from './domain/observation-status';
export {
  ChangeAssetObservationRequest,
  ChangeObservationSettingsRequest,
  ListAssetChangesQuery,
} from './http/observation.requests';
export { ObservationsController } from './http/observations.controller';
export { HostObserver, LookFailedError, type LookRequest } from './host-observer';
export {
  type AssetObservation,
  ObservationSettings,
  type OrganizationObservation,
} from './observation-settings.service';
export { ObservationsModule } from './observations.module';
export { OBSERVATION_KIND, ObservationsService, type PlannedObservation } from './observations.service';
export { type ChangeSummary, ObservedHosts } from './observed-hosts.service';
