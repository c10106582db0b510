import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Config } from '../../platform/config/load-config';
import { decryptionKeysOf, findSecretKey, seal, unseal } from '../../platform/config/secret-key';
import { Transactions } from '../../platform/database/transactions';
import { AccessPaths } from './access-paths.service';
import { CallingCredentials } from './calling-credentials';
import { MembersRepository } from './data/members.repository';
import type { OwnFactors } from './data/own-factors';
import { SecondFactorsRepository } from './data/second-factors.repository';
import {
  codeRefused,
  memberElsewhere,
  ownSecondFactor,
  secondFactorOff,
  secondFactorOn,
  secondFactorUnavailable,
  tooManyCodes,
} from './domain/identity.errors';
import { hashRecoveryCode, isRecoveryCode, newRecoveryCodes } from './domain/recovery-code';
import { base32, newTotpSecret, otpauthUri, stepOfCode } from '../../kernel/totp';
import { MembersService } from './members.service';
import { SignInFailures } from './sign-in-failures';

export interface SecondFactorState {
  readonly isOn: boolean;
  readonly recoveryCodes: number;
  /** Of an organization in which nobody else could remove a factor that was lost. */
  readonly isSoleOwner: boolean;
}

export interface Enrollment {
  /** For apps without a camera. */
  readonly secret: string;
  /** The content of the QR code. */
  readonly uri: string;
}

interface RightCode {
  /** The sealed secret of the app, which a user with passkeys alone does not have. */
  readonly secret: Buffer | undefined;
}

/** The guesses of one user in an hour. Ten of them find one of three valid codes among a million once in thirty thousand hours. */
const MAX_FAILURES = 10;
const WINDOW_MS = 3_600_000;
const REMEDY = 'turn the second factor off with `npm run cli -- reset-second-factors`';

/** Codes of an authenticator app (TOTP) that a sign-in asks for after the password, and recovery codes of all with a factor. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly factors: SecondFactorsRepository,
    private readonly paths: AccessPaths,
    private readonly credentials: CallingCredentials,
    private readonly members: MembersService,
    private readonly memberships: MembersRepository,
    private readonly transactions: Transactions,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly failures: SignInFailures,
  ) {}

  async stateOf(userId: number): Promise<SecondFactorState> {
    const [isOn, recoveryCodes] = [await this.isOn(userId), await this.factors.countCodes(userId)];
    return { isOn, recoveryCodes, isSoleOwner: await this.memberships.isSoleOwner(userId) };
  }

  isOn(userId: number): Promise<boolean> {
    return this.factors.isConfirmed(userId);
  }

  /** What a sign-in accepts after the password. */
  factorsOf(userId: number): Promise<OwnFactors> {
    return this.factors.factorsOf(userId);
  }

  /** Whether a sign-in asks for a code or a passkey after the password. */
  async isNeeded(userId: number): Promise<boolean> {
    const { hasCode, hasPasskey } = await this.factorsOf(userId);
    return hasCode || hasPasskey;
  }

  /** Creates a secret, which counts only after a first code. */
  async begin(caller: Caller): Promise<void> {
    const { userId } = caller.facts;
    await this.credentials.lock(caller);
    const sealed = seal(newTotpSecret(), nameOf(userId), this.requireKey());
    if (!(await this.factors.saveUnconfirmed(userId, sealed))) throw secondFactorOn();
    this.unitOfWork.note({ resourceId: String(userId) });
  }

  /** The secret that waits for its first code. It is not shown again after that. */
  async findEnrollment({ facts: { userId, email } }: Caller): Promise<Enrollment | undefined> {
    const factor = await this.factors.find(userId);
    if (factor === undefined || factor.confirmed !== null) return undefined;
    const secret = this.open(userId, factor.secret);
    return { secret: base32(secret), uri: otpauthUri(secret, email) };
  }

  /** Returns what `giveFirstCodes` does. */
  async confirm(caller: Caller, code: string): Promise<string[]> {
    const { userId } = caller.facts;
    const { secret } = (await this.checked(userId, code, true)) ?? {};
    if (secret === undefined) throw codeRefused();
    await this.credentials.lock(caller);
    // Another session may have begun with another app meanwhile.
    if (!(await this.factors.confirm(userId, secret, this.clock.now())))
      throw (await this.isOn(userId)) ? secondFactorOn() : codeRefused();
    this.unitOfWork.note({ resourceId: String(userId) });
    return this.giveFirstCodes(userId);
  }

  /** For a locked user with a new factor. Shown only once, and none if the user has some: a second factor leaves them. */
  async giveFirstCodes(userId: number): Promise<string[]> {
    return (await this.factors.countCodes(userId)) > 0 ? [] : this.renewCodes(userId);
  }

  /** After the user has confirmed it. The earlier recovery codes stop working. */
  async replaceRecoveryCodes(caller: Caller): Promise<string[]> {
    const { userId } = caller.facts;
    await this.credentials.lock(caller);
    if (!(await this.isNeeded(userId))) throw secondFactorOff();
    this.unitOfWork.note({ resourceId: String(userId) });
    return this.renewCodes(userId);
  }

  /** After the user has confirmed it. The caller renews the session, which ends all others. */
  async turnOff(caller: Caller): Promise<void> {
    const { userId } = caller.facts;
    await this.credentials.lock(caller);
    this.unitOfWork.note({ resourceId: String(userId) });
    if (!(await this.factors.remove(userId))) throw secondFactorOff();
  }

  /**
   * For an owner whose member has lost the phone and the recovery codes, or the passkeys. The same rules as for password
   * links: with both, the owner could sign in as the member.
   */
  async resetOfMember(caller: Caller, organizationId: number, userId: number): Promise<void> {
    await this.members.lockAsOwner(caller, organizationId);
    await this.members.get(organizationId, userId);
    if (userId === caller.facts.userId) throw ownSecondFactor();
    if (!(await this.memberships.belongsOnlyTo(organizationId, userId))) throw memberElsewhere();
    await this.reset(userId);
  }

  /** For the operator. The app, its recovery codes and all passkeys. */
  async reset(userId: number): Promise<void> {
    this.unitOfWork.note({ resourceId: String(userId) });
    const hadApp = await this.factors.remove(userId);
    const passkeys = await this.factors.removePasskeys(userId);
    await this.factors.removeCodes(userId);
    await this.factors.clearAttempts(userId);
    if (!hadApp && passkeys === 0) throw secondFactorOff();
    this.unitOfWork.note({ metadata: { passkeys } });
    await this.paths.end('signed_out', { userId });
  }

  /**
   * Whether it is the current code or an unused recovery code, which is used up. The count of attempts is stored also if the
   * change that asks for the code is refused.
   */
  async verify(userId: number, code: string): Promise<boolean> {
    return (await this.checked(userId, code)) !== undefined;
  }

  private async checked(userId: number, code: string, isFirst = false): Promise<RightCode | undefined> {
    const right = await this.matching(userId, code, isFirst);
    if (right === undefined) this.failures.count({ step: 'code', reason: 'refused' });
    return right;
  }

  /** A first code shows that its app works, which a recovery code does not. */
  private matching(userId: number, code: string, isFirst: boolean): Promise<RightCode | undefined> {
    return this.transactions.outside(async () => {
      const app = await this.factors.find(userId);
      const secret = isFirst || app?.confirmed instanceof Date ? app?.secret : undefined;
      if (secret === undefined && (isFirst || !(await this.isNeeded(userId)))) return undefined;
      const now = this.clock.now();
      const windowStart = new Date(now.getTime() - WINDOW_MS);
      if (!(await this.factors.countAttempt(userId, MAX_FAILURES, now, windowStart))) {
        this.failures.count({ step: 'code', reason: 'throttled' });
        throw tooManyCodes();
      }
      const isRight =
        !isFirst && isRecoveryCode(code)
          ? await this.factors.useCode(userId, hashRecoveryCode(code))
          : secret !== undefined && (await this.acceptCode(userId, secret, code));
      if (isRight) await this.factors.clearAttempts(userId);
      return isRight ? { secret } : undefined;
    });
  }

  private async acceptCode(userId: number, secret: Buffer, code: string): Promise<boolean> {
    const step = stepOfCode(this.open(userId, secret), code.replaceAll(/\s/g, ''), this.clock.now());
    return step !== undefined && this.factors.acceptStep(userId, secret, step);
  }

  async require(userId: number, code: string): Promise<void> {
    if (!(await this.verify(userId, code))) throw codeRefused();
  }

  private async renewCodes(userId: number): Promise<string[]> {
    const codes = newRecoveryCodes();
    await this.factors.replaceCodes(userId, codes.map(hashRecoveryCode));
    return codes;
  }

  private open(userId: number, sealed: Buffer): Buffer {
    this.requireKey();
    return unseal(sealed, nameOf(userId), decryptionKeysOf(this.config), REMEDY);
  }

  private requireKey(): Buffer {
    const key = findSecretKey(this.config);
    if (key === undefined) throw secondFactorUnavailable();
    return key;
  }
}

/** Authenticated with the ciphertext, so that the rows of two users cannot be swapped. */
const nameOf = (userId: number): string => `second factor ${userId}`;

/** How the secret of a user is encrypted. */
export const sealedFactor = { nameOf, remedy: REMEDY };
