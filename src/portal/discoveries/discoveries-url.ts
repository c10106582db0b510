import { beaconsUrl } from '../beacons/beacons-url';

export const discoveriesUrl = (organizationId: number, beaconId: number): string =>
  `${beaconsUrl(organizationId)}/${beaconId}/discoveries`;
