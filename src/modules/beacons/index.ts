export { BeaconsModule } from './beacons.module';
export { type BeaconSecrets, BeaconsService } from './beacons.service';
export { type BeaconLink, BeaconLinks, LinkError, type ReachableBeacon } from './connections/beacon-link';
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
