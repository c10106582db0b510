import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { type AuthenticatedBeacon, BeaconAuthenticator } from '../../platform/auth/beacon-authenticator';
import { everything } from '../../platform/api/scope';
import { tenantOf } from '../../platform/api/tenant';
import { parseId } from '../../platform/http/path-id';
import { BeaconsRepository } from './data/beacons.repository';
import { hashBeaconToken, isTokenOf } from './domain/beacon-token';

const NO_BEACON = { tokenHash: hashBeaconToken('no such beacon'), previousTokenHash: null, previousTokenUntil: null };
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
    const isValid = isTokenOf(beacon ?? NO_BEACON, token, this.clock.now());
    return isValid && beacon !== undefined ? { id: beacon.id, tenant: tenantOf(beacon) } : undefined;
  }
}
