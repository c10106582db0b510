/** Says which beacon reports with these credentials, if they are good. The beacons module provides it. */
export abstract class BeaconAuthenticator {
  abstract authenticate(beaconId: string, token: string): Promise<number | undefined>;
}
