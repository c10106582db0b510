export { BeaconLinks, type BeaconLink, type ReachableBeacon } from './connections/beacon-link';
export { StreamFailure, type StreamFailureCode } from '../../beacon-protocol/stream-failure';
export { Relay } from './connections/relay';
export { BeaconsModule } from './beacons.module';
export { type BeaconSecrets, type BeaconView, type OneTimeToken, BeaconsService } from './beacons.service';
export {
  MAX_CIDRS,
  requireAllowedCidrs,
  requireBeaconName,
  requireDnsServer,
  requireInterfaceName,
} from './domain/beacon-network';
export { beaconNotFound } from './domain/beacon.errors';
export { BEACON_STATUS, beaconStatusVocabulary } from './domain/beacon-status';
export { BeaconsController } from './http/beacons.controller';
export type { Beacon } from './data/beacon.entity';
export { changeOf as changeOfBeacon, settingsOf as settingsOfBeacon } from './http/beacon.requests';
