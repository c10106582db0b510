import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { BasicStrategy } from 'passport-http';
import type { ApiRequest } from '../http/api-request';
import { basicCredentials } from './basic-credentials';

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
  override authenticate(request: ApiRequest, options?: object): void {
    const { headers } = request;
    if (headers.authorization !== undefined) headers.authorization = headers.authorization.replace(/ +/, ' ');
    super.authenticate(request, options);
  }

  /** Reads the header again: the library cuts the password at its first colon and accepts malformed headers. */
  async validate(request: ApiRequest): Promise<unknown> {
    const credentials = basicCredentials(request);
    return credentials !== undefined && request.verifyCredentials?.(credentials);
  }
}
