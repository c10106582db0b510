import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Transactions } from '../../platform/database/transactions';
import type { OwnFactors } from './data/own-factors';
import type { User } from './data/user.entity';
import { UsersRepository } from './data/users.repository';
import { codeRefused, passkeyUnproved, passwordFirst, samePassword, userNotFound } from './domain/identity.errors';
import { requireMinimumLength } from './domain/password-rule';
import { hashPassword } from './password';
import { type BoundPasskey, PasskeysService } from './passkeys.service';
import { type Origin, PasswordVerifier } from './password-verifier';
import { SecondFactorService } from './second-factor.service';

export interface PasswordChange extends Origin {
  readonly current: string;
  readonly password: string;
}

export interface WaysToConfirm extends OwnFactors {
  readonly hasPassword: boolean;
}

/** What the user enters before a change of the sign-in. */
export interface Confirmation extends Origin {
  readonly current?: string;
  readonly code?: string;
  readonly passkey?: BoundPasskey;
}

/** What signed-in users change in their own accounts. */
@Injectable()
export class AccountService {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: PasswordVerifier,
    private readonly secondFactors: SecondFactorService,
    private readonly passkeys: PasskeysService,
    private readonly transactions: Transactions,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async get({ facts: { userId } }: Caller): Promise<Pick<User, 'name' | 'email'>> {
    const [user] = await this.users.listNamesOfVisible([userId]);
    return orThrow(user, userNotFound);
  }

  async changeName({ facts: { userId } }: Caller, name: string | null): Promise<void> {
    await this.users.changeName(userId, name);
    this.unitOfWork.note({ resourceId: String(userId) });
  }

  /** The caller renews the session, which ends all others, and links for a new password that exist already. */
  async changePassword(caller: Caller, { current, password, ...origin }: PasswordChange): Promise<void> {
    const { userId } = caller.facts;
    this.unitOfWork.note({ resourceId: String(userId) });
    requireMinimumLength(password);
    await this.passwords.requirePassword(caller, current, origin);
    if (current === password) throw samePassword();
    await this.users.changePassword(userId, await hashPassword(password));
  }

  /** Returns the recovery codes if it is the first factor. The caller renews the session, which ends all others. */
  async addPasskey(caller: Caller, name: string, given: BoundPasskey): Promise<string[]> {
    await this.passkeys.add(caller, name, given);
    return this.secondFactors.giveFirstCodes(caller.facts.userId);
  }

  /** What the user can show to confirm a change of the sign-in. */
  async waysToConfirm({ facts: { userId } }: Caller): Promise<WaysToConfirm> {
    const user = orThrow(await this.users.find(userId), userNotFound);
    return { hasPassword: user.passwordHash !== null, ...(await this.secondFactors.factorsOf(userId)) };
  }

  /**
   * Before a change that a stolen session alone must not be able to make: the password and the second factor, as far as the
   * user has them. Outside, because the transaction would hold a connection while the password is checked.
   */
  async requireConfirmation(caller: Caller, { current = '', code, passkey, ...origin }: Confirmation): Promise<void> {
    const { userId } = caller.facts;
    const ways = await this.transactions.outside(() => this.waysToConfirm(caller));
    if (ways.hasPassword) await this.passwords.requirePassword(caller, current, origin);
    else if (!ways.hasPasskey) throw passwordFirst();
    const hasFactor = ways.hasPasskey || ways.hasCode;
    if (ways.hasPassword && hasFactor && code !== undefined) await this.secondFactors.require(userId, code);
    else if (hasFactor) {
      const use = { purpose: 'confirm', userId, isAlone: !ways.hasPassword } as const;
      const answer = passkey && (await this.passkeys.verify({ ...passkey, ...use }));
      if (answer === undefined || answer.refusal !== undefined)
        throw ways.hasPasskey ? passkeyUnproved() : codeRefused();
    }
  }
}
