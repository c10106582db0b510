export { BeaconsModule } from './beacons.module';
export { BeaconsService } from './beacons.service';
export { beaconNotFound } from './domain/beacon.errors';
export { BEACON_STATUS, beaconStatusVocabulary } from './domain/beacon-status';
export { BeaconsController } from './http/beacons.controller';
export type { Beacon } from './data/beacon.entity';
