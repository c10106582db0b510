import { Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { accountExample, AccountResponse, presentAccount } from '../../accounts';
import { AccountSignIns } from '../account-sign-ins.service';

@Controller()
export class AccountSignInsController {
  constructor(private readonly signIns: AccountSignIns) {}

  @Operation('POST /v1/assets/{asset_id}/accounts/{account_id}/sign-in', {
    id: 'signInAccount',
    tag: 'Accounts',
    summary: 'Sign in with an account now',
    description:
      'A worker signs in once, visits a few pages with the session and without it, and proposes proofs. `last_sign_in` of the account has its steps. It follows the rules of active tests.',
    role: 'admin',
    limit: 'launch',
    success: {
      status: 202,
      description: 'The account. Read it again until `last_sign_in` has ended.',
      body: AccountResponse,
      example: {
        ...accountExample,
        last_sign_in: { status: 'PENDING', started: '2026-01-31T12:00:00.000Z', error: null, report: null },
      },
    },
    errors: [401, 403, 404, 409, 422],
    audit: { operation: 'account.start_sign_in', resource: 'account', id: 'account_id' },
  })
  async start(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @PathId('account_id') id: number,
  ): Promise<AccountResponse> {
    return presentAccount(await this.signIns.start(caller, assetId, id), caller);
  }
}
