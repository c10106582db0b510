import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { AddressProofsRepository } from './data/address-proofs.repository';
import type { User } from './data/user.entity';
import { UsersRepository } from './data/users.repository';
import { samePassword, userNotFound } from './domain/identity.errors';
import { requireMinimumLength } from './domain/password-rule';
import { hashPassword } from './password';
import { type Origin, PasswordVerifier } from './password-verifier';

export interface PasswordChange extends Origin {
  readonly current: string;
  readonly password: string;
}

/** What a signed-in user changes of their own. */
@Injectable()
export class AccountService {
  constructor(
    private readonly users: UsersRepository,
    private readonly proofs: AddressProofsRepository,
    private readonly passwords: PasswordVerifier,
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

  /** Links for a new password that exist already no longer work. The caller ends the sessions. */
  async changePassword(caller: Caller, { current, password, ...origin }: PasswordChange): Promise<void> {
    const { userId } = caller.facts;
    this.unitOfWork.note({ resourceId: String(userId) });
    requireMinimumLength(password);
    await this.passwords.requirePassword(caller, current, origin);
    if (current === password) throw samePassword();
    await this.users.changePassword(userId, await hashPassword(password));
    await this.proofs.endPasswordLinksInLocked(userId);
  }

  /** Before a change that a stolen session alone must not be able to make. */
  requirePassword(caller: Caller, password: string, origin: Origin): Promise<void> {
    return this.passwords.requirePassword(caller, password, origin);
  }
}
