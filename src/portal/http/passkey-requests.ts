import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import {
  type GivenPasskey,
  PASSKEY_CHALLENGE_MS,
  PasskeyChallenges,
  type PasskeyPurpose,
  relyingPartyOf,
} from '../../modules/identity';
import { Config } from '../../platform/config/load-config';
import { originOf } from './browser-session';
import type { PortalRequest } from './portal-request';
import { passkeyToken, setPasskeyCookie } from './session-cookie';

type Given = Omit<GivenPasskey, 'response'>;

/** The data for passkeys in the requests of a browser: the site, and the challenge in its cookie. */
@Injectable()
export class PasskeyRequests {
  constructor(
    private readonly config: Config,
    private readonly challenges: PasskeyChallenges,
  ) {}

  /** Throws if browsers have no passkeys at this address. */
  givenIn(request: PortalRequest): Given {
    return { party: relyingPartyOf(originOf(request, this.config)), token: passkeyToken(request, this.config) };
  }

  /** Gives the browser a challenge, in place of an earlier one. */
  begin(
    request: PortalRequest,
    response: Response,
    purpose: PasskeyPurpose,
    boundTo: string,
  ): { readonly party: Given['party']; readonly challenge: string } {
    const { party } = this.givenIn(request);
    const { token, challenge } = this.challenges.issue({ purpose, boundTo });
    setPasskeyCookie(response, this.config, token, PASSKEY_CHALLENGE_MS);
    return { party, challenge };
  }
}
