import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { StrategyCreated } from 'passport';
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
  /** Why valid credentials are refused. */
  refusedFor?: string;
}

/**
 * HTTP Basic for API keys and beacons. Passport keeps one strategy of a name for the whole process, so this one holds no
 * state: the guard of the application that received the request provides `verifyCredentials`.
 */
@Injectable()
export class ApiBasicStrategy extends PassportStrategy(BasicStrategy, 'basic') {
  /**
   * Without the parser of the library, which cuts the password at its first colon and accepts malformed headers. Its deprecated
   * `new Buffer()` alone took 1 % of a short read.
   */
  override authenticate(this: StrategyCreated<this>, request: BasicAuthRequest): void {
    this.validate(request).then(
      (user) => (user ? this.success(user) : this.fail()),
      (error: unknown) => this.error(error),
    );
  }

  async validate(request: BasicAuthRequest): Promise<unknown> {
    const credentials = basicCredentials(request);
    return credentials !== undefined && request.verifyCredentials?.(credentials);
  }
}
