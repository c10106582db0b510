import { Injectable } from '@nestjs/common';
import { AccountService, PasskeysService, SecondFactorService } from '../../modules/identity';
import type { Caller } from '../../platform/api/caller';
import { Page } from '../frame/page';
import { SecurityPage, type ShownSecurity } from './security-page';

export const PAGE = '/settings/security';
export const OPTIONS = { tabTitle: 'Security' };

/** How the user signs in, also as the answer to a change that shows something once. */
@Injectable()
export class SecurityPages {
  constructor(
    private readonly account: AccountService,
    private readonly secondFactor: SecondFactorService,
    private readonly passkeys: PasskeysService,
  ) {}

  async show(caller: Caller, shown: Pick<ShownSecurity, 'success' | 'recoveryCodes'> = {}): Promise<Page> {
    const { email, name } = await this.account.get(caller);
    const secondFactor = await this.secondFactor.stateOf(caller.facts.userId);
    const [passkeys, ways] = [await this.passkeys.list(caller), await this.account.waysToConfirm(caller)];
    const page = <SecurityPage {...{ ...shown, email, name, secondFactor, passkeys, ways }} />;
    return new Page('Settings', page, 'settings', OPTIONS);
  }
}
