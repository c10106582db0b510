import { Injectable } from '@nestjs/common';
import type { AccountSecrets } from '../../engine';
import { orThrow } from '../../kernel/or-throw';
import { Config } from '../../platform/config/load-config';
import { sealJson, unsealJson } from '../../platform/config/secret-key';
import { reencryptRows } from '../identity';
import { AssetAccountsRepository } from './data/asset-accounts.repository';
import type { SealedSteps } from './domain/har-steps';
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
    const { sealed = null } = (await this.accounts.findSealedOfVisible(id)) ?? {};
    return sealed && (this.unseal(sealed) as AccountSecrets);
  }

  sealSteps(steps: SealedSteps): Buffer {
    return orThrow(sealJson(steps, NAME, this.config), secretsUnavailable);
  }

  /** Of an account that was read in a scope; null if none was recorded. */
  async stepsOfVisible(id: number): Promise<SealedSteps | null> {
    const { sealedSteps = null } = (await this.accounts.findSealedOfVisible(id)) ?? {};
    return sealedSteps && (this.unseal(sealedSteps) as SealedSteps);
  }

  private unseal(sealed: Buffer): unknown {
    return unsealJson(sealed, NAME, this.config, REMEDY);
  }

  /** Encrypts with the current SECRET_KEY. Returns how many were encrypted with another key. */
  async reencrypt(options: { countOnly: boolean }): Promise<number> {
    if (!options.countOnly) await this.accounts.removeSealedSteps();
    return reencryptRows(this.accounts, { nameOf: () => NAME, remedy: REMEDY }, this.config, options);
  }
}
