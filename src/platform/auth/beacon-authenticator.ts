/** Returns the id of the beacon if its credentials are valid. The beacons module provides it. */
export abstract class BeaconAuthenticator {
  abstract authenticate(beaconId: string, token: string): Promise<number | undefined>;
}
