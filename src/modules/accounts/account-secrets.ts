import { Injectable } from '@nestjs/common';
import type { AccountSecrets } from '../../engine';
import { orThrow } from '../../kernel/or-throw';
import { Config } from '../../platform/config/load-config';
import { sealJson, unsealJson } from '../../platform/config/secret-key';
import { reencryptRows } from '../identity';
import { AssetAccountsRepository } from './data/asset-accounts.repository';
import { secretsUnavailable } from './domain/account.errors';

const NAME = 'the secrets of an account';
const REMEDY = 'type the secrets of all accounts again';

/** The secrets of accounts, encrypted with SECRET_KEY. Only the worker that signs in reads them. */
@Injectable()
export class SealedAccountSecrets {
  constructor(
    private readonly accounts: AssetAccountsRepository,
    private readonly config: Config,
  ) {}

  seal(secrets: AccountSecrets): Buffer {
    return orThrow(sealJson(secrets, NAME, this.config), secretsUnavailable);
  }

  /** For an account that was read in a scope; null if the secrets are missing. */
  async readOfVisible(id: number): Promise<AccountSecrets | null> {
    const sealed = await this.accounts.findSealedOfVisible(id);
    if (sealed === null) return null;
    return unsealJson(sealed, NAME, this.config, REMEDY) as AccountSecrets;
  }

  /** Encrypts with the current SECRET_KEY. Returns how many were encrypted with another key. */
  reencrypt(options: { countOnly: boolean }): Promise<number> {
    return reencryptRows(this.accounts, { nameOf: () => NAME, remedy: REMEDY }, this.config, options);
  }
}
