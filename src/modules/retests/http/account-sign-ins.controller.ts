import { Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { FileBody, UploadedFile } from '../../../platform/http/file-body';
import { PathId } from '../../../platform/http/path-id';
import { accountExample, AccountResponse, presentAccount } from '../../accounts';
import { HAR_MEDIA_TYPES, MAX_HAR_BYTES } from '../domain/har-limits';
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

  @Operation('PUT /v1/assets/{asset_id}/accounts/{account_id}/har', {
    id: 'tryRecordedSignIn',
    tag: 'Accounts',
    summary: 'Try a recorded sign-in',
    description:
      'The body is a HAR, which browsers export. A worker signs in as it was recorded, and then with fewer of its requests, at most 30 times. `last_sign_in.report.recorded` has the fewest that sign in: a change of the account with `recorded` saves them, with the password of the HAR. Only requests to the origins of the account are read. Nothing else of the HAR is kept.',
    role: 'admin',
    limit: 'launch',
    file: { mediaTypes: HAR_MEDIA_TYPES, maxBytes: MAX_HAR_BYTES },
    success: {
      status: 202,
      description: 'The account. Read it again until `last_sign_in` has ended.',
      body: AccountResponse,
      example: accountExample,
    },
    errors: [400, 401, 403, 404, 409, 413, 415, 422],
    audit: { operation: 'account.start_sign_in', resource: 'account', id: 'account_id' },
  })
  async record(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @PathId('account_id') id: number,
    @UploadedFile() { content }: FileBody,
  ): Promise<AccountResponse> {
    return presentAccount(await this.signIns.startRecorded(caller, assetId, id, content), caller);
  }
}
