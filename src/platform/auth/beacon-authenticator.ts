import type { BeaconCredentials } from '../api/operation-metadata';

export interface AuthenticatedBeacon {
  readonly id: number;
  /** The name that `tenantOf` gives its organization. */
  readonly tenant: string;
  readonly credentials: BeaconCredentials;
}

/** Returns the beacon if its credentials are valid. The beacons module provides it. */
export abstract class BeaconAuthenticator {
  abstract authenticate(beaconId: string, token: string): Promise<AuthenticatedBeacon | undefined>;
}
