import { Injectable } from '@nestjs/common';
import { AccountService } from '../../modules/identity';
import type { Caller } from '../../platform/api/caller';
import { Config } from '../../platform/config/load-config';
import { clientOf } from '../http/browser-session';
import { PasskeyRequests } from '../http/passkey-requests';
import type { PortalRequest } from '../http/portal-request';
import type { ConfirmationForm } from './security.requests';

/** The session, which the challenges of its browser are bound to. */
export const sessionOf = ({ portalSession }: PortalRequest): string => String(portalSession?.id);

/** Checks what the user enters before a change of the sign-in. */
@Injectable()
export class Confirmations {
  constructor(
    private readonly config: Config,
    private readonly account: AccountService,
    private readonly requests: PasskeyRequests,
  ) {}

  async require(
    caller: Caller,
    { current, code = '', response = '' }: ConfirmationForm,
    request: PortalRequest,
  ): Promise<void> {
    await this.account.requireConfirmation(caller, {
      ...clientOf(request, this.config),
      current,
      ...(code !== '' && { code }),
      ...(response !== '' && {
        passkey: { ...this.requests.givenIn(request), response, boundTo: sessionOf(request) },
      }),
    });
  }
}
