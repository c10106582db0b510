export interface AuthenticatedBeacon {
  readonly id: number;
  /** As `tenantOf` its organization names it. */
  readonly tenant: string;
}

/** Returns the beacon if its credentials are valid. The beacons module provides it. */
export abstract class BeaconAuthenticator {
  abstract authenticate(beaconId: string, token: string): Promise<AuthenticatedBeacon | undefined>;
}
