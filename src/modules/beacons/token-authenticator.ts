import { Injectable } from '@nestjs/common';
import { BeaconAuthenticator } from '../../platform/auth/beacon-authenticator';
import { everything } from '../../platform/api/scope';
import { parseId } from '../../platform/http/path-id';
import { BeaconsRepository } from './data/beacons.repository';
import { hashBeaconToken, isBeaconToken } from './domain/beacon-token';

const DUMMY_HASH = hashBeaconToken('no such beacon');
const scope = everything('the organization of a beacon is unknown before its authentication');

/** An unknown beacon and a wrong token cost the same: one query and one comparison. */
@Injectable()
export class TokenAuthenticator extends BeaconAuthenticator {
  constructor(private readonly beacons: BeaconsRepository) {
    super();
  }

  override async authenticate(beaconId: string, token: string): Promise<number | undefined> {
    const beacon = await this.beacons.find(scope, parseId(beaconId));
    return isBeaconToken(token, beacon?.tokenHash ?? DUMMY_HASH) ? beacon?.id : undefined;
  }
}
