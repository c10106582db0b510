import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { BasicStrategy } from 'passport-http';
import type { ApiRequest } from '../api/api-request';
import type { Caller } from '../api/caller';
import type { KnownKey } from './authenticator';
import { type BasicCredentials, basicCredentials } from './basic-credentials';

export interface BasicAuthRequest extends ApiRequest {
  /** Set by the guard, called by the strategy: the caller or the beacon id that these credentials belong to. */
  verifyCredentials?: (credentials: BasicCredentials) => Promise<Caller | number | undefined>;
  /** The key of rejected credentials, if it exists; for the audit log. */
  refusedKey?: KnownKey;
}

/**
 * HTTP Basic for API keys and beacons. Passport keeps one strategy of a name for the whole process, so this one holds no
 * state: the guard of the application that received the request provides `verifyCredentials`.
 */
@Injectable()
export class ApiBasicStrategy extends PassportStrategy(BasicStrategy, 'basic') {
  constructor() {
    super({ passReqToCallback: true });
  }

  /** The library allows one space after the scheme; RFC 7235 allows several. */
  override authenticate(request: BasicAuthRequest, options?: object): void {
    const { headers } = request;
    if (headers.authorization !== undefined) headers.authorization = headers.authorization.replace(/ +/, ' ');
    super.authenticate(request, options);
  }

  /** Reads the header again: the library cuts the password at its first colon and accepts malformed headers. */
  async validate(request: BasicAuthRequest): Promise<unknown> {
    const credentials = basicCredentials(request);
    return credentials !== undefined && request.verifyCredentials?.(credentials);
  }
}
