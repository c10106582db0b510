import { Injectable } from '@nestjs/common';
import type { AccountSecrets } from '../../engine';
import { Config } from '../../platform/config/load-config';
import { decryptionKeysOf, findSecretKey, seal, unseal } from '../../platform/config/secret-key';
import { reencryptRows } from '../identity';
import { AssetAccountsRepository } from './data/asset-accounts.repository';
import { secretsUnavailable } from './domain/account.errors';

const NAME = 'the secrets of an account';
const REMEDY = 'type the secrets of all accounts again';

/** The secrets of accounts, which SECRET_KEY encrypts. Only the worker that signs in reads them. */
@Injectable()
export class SealedAccountSecrets {
  constructor(
    private readonly accounts: AssetAccountsRepository,
    private readonly config: Config,
  ) {}

  seal(secrets: AccountSecrets): Buffer {
    const key = findSecretKey(this.config);
    if (key === undefined) throw secretsUnavailable();
    return seal(Buffer.from(JSON.stringify(secrets)), NAME, key);
  }

  /** Of an account that was read in a scope; null if they are missing. */
  async readOfVisible(id: number): Promise<AccountSecrets | null> {
    const sealed = await this.accounts.findSealedOfVisible(id);
    if (sealed === null) return null;
    return JSON.parse(unseal(sealed, NAME, decryptionKeysOf(this.config), REMEDY).toString()) as AccountSecrets;
  }

  /** Encrypts with the current SECRET_KEY. Returns how many were encrypted with another key. */
  reencrypt(options: { countOnly: boolean }): Promise<number> {
    return reencryptRows(this.accounts, { nameOf: () => NAME, remedy: REMEDY }, this.config, options);
  }
}
