import { Body, Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, deleted } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { PathId } from '../../../platform/http/path-id';
import { AssetAccountsService } from '../accounts.service';
import { ChangeAccountRequest, changeOf, CreateAccountRequest, draftOf } from './account.requests';
import { AccountListResponse, AccountResponse, presentAccount } from './account.responses';
import * as operations from './accounts.operations';

@Controller()
export class AccountsController {
  constructor(private readonly accounts: AssetAccountsService) {}

  @operations.listAccounts
  async list(@CurrentCaller() caller: Caller, @PathId('asset_id') assetId: number): Promise<AccountListResponse> {
    return { accounts: (await this.accounts.list(caller.scope, assetId)).map((one) => presentAccount(one, caller)) };
  }

  @operations.createAccount
  async create(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @Body() body: CreateAccountRequest,
  ): Promise<AccountResponse> {
    return presentAccount(await this.accounts.create(caller, assetId, draftOf(body)), caller);
  }

  @operations.getAccount
  async get(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @PathId('account_id') id: number,
  ): Promise<AccountResponse> {
    return presentAccount(await this.accounts.get(caller.scope, assetId, id), caller);
  }

  @operations.changeAccount
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @PathId('account_id') id: number,
    @Body() body: ChangeAccountRequest,
  ): Promise<AccountResponse> {
    return presentAccount(await this.accounts.change(caller, assetId, id, changeOf(body)), caller);
  }

  @operations.deleteAccount
  async delete(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @PathId('account_id') id: number,
  ): Promise<Acknowledgement> {
    await this.accounts.delete(caller, assetId, id);
    return deleted('Account', id);
  }

  @operations.resumeAccount
  async resume(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @PathId('account_id') id: number,
  ): Promise<AccountResponse> {
    return presentAccount(await this.accounts.resume(caller, assetId, id), caller);
  }
}
