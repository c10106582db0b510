import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { BasicStrategy } from 'passport-http';
import type { ApiRequest } from '../api/api-request';
import { Authenticator, type Authentication } from './authenticator';
import { basicCredentials } from './basic-credentials';

/** Where a strategy answers to: passport's own names. */
export interface BasicOutcome {
  success(authentication: Authentication): void;
  error(error: unknown): void;
}

/** passport-http's strategy with its holes closed: the header is read by our own strict grammar, not by its. */
@Injectable()
export class StrictBasicStrategy extends PassportStrategy(BasicStrategy, 'basic') {
  constructor(private readonly authenticator: Authenticator) {
    super();
  }

  override authenticate(this: StrictBasicStrategy & BasicOutcome, request: ApiRequest): void {
    const credentials = basicCredentials(request);
    if (credentials === undefined) {
      this.success({});
      return;
    }
    this.authenticator.authenticate(credentials.username, credentials.password).then(
      (authentication) => this.success(authentication),
      (error: unknown) => this.error(error),
    );
  }

  /** Wanted by the mixin, never reached: `authenticate` answers by itself. */
  validate(): never {
    throw new Error('the strict strategy validates by itself');
  }
}
