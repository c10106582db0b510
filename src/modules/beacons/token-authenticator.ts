import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { type AuthenticatedBeacon, BeaconAuthenticator } from '../../platform/auth/beacon-authenticator';
import { everything } from '../../platform/api/scope';
import { tenantOf } from '../../platform/api/tenant';
import { parseId } from '../../platform/http/path-id';
import { BeaconsRepository } from './data/beacons.repository';
import { hashBeaconToken, isTokenOf } from './domain/beacon-token';
import { isOneTimeTokenOf, purposeOf } from './domain/one-time-token';

const NO_BEACON = {
  tokenHash: hashBeaconToken('no such beacon'),
  previousTokenHash: null,
  previousTokenUntil: null,
  registrationHash: null,
  registrationUntil: null,
  deletionHash: null,
  deletionUntil: null,
};
const scope = everything('the organization of a beacon is unknown before its authentication');

/** An unknown beacon and a wrong token cost the same: one query and one comparison. */
@Injectable()
export class TokenAuthenticator extends BeaconAuthenticator {
  constructor(
    private readonly beacons: BeaconsRepository,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async authenticate(beaconId: string, token: string): Promise<AuthenticatedBeacon | undefined> {
    const beacon = await this.beacons.findWithOwner(scope, parseId(beaconId));
    const now = this.clock.now();
    const purpose = purposeOf(token);
    const isValid =
      purpose === undefined
        ? isTokenOf(beacon ?? NO_BEACON, token, now)
        : isOneTimeTokenOf(beacon ?? NO_BEACON, purpose, token, now);
    if (!isValid || beacon === undefined) return undefined;
    return { id: beacon.id, tenant: tenantOf(beacon), credentials: purpose ?? 'beacon' };
  }
}
