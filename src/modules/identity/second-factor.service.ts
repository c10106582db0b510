import { createHash, randomBytes } from 'node:crypto';
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
import { base32, newTotpSecret, otpauthUri, stepOfCode } from './domain/totp';
import { MembersService } from './members.service';
import { SignInFailures } from './sign-in-failures';

/** Of a recovery code. */
const CODE_BYTES = 10;

/** 80 random bits in four groups, which people can type: `abcd-efgh-ijkl-mnop`. */
const newRecoveryCode = (): string => (base32(randomBytes(CODE_BYTES)).toLowerCase().match(/.{4}/g) ?? []).join('-');

const normalized = (code: string): string => code.toLowerCase().replaceAll(/[^a-z2-7]/g, '');

const isRecoveryCode = (code: string): boolean => normalized(code).length === (CODE_BYTES * 8) / 5;

/** SHA-256 without a salt: 80 random bits cannot be guessed. */
const hashRecoveryCode = (code: string): Buffer => createHash('sha256').update(normalized(code)).digest();

export interface SecondFactorState {
  readonly isOn: boolean;
  readonly recoveryCodes: number;
}

export interface Enrollment {
  /** For apps without a camera. */
  readonly secret: string;
  /** The content of the QR code. */
  readonly uri: string;
}

const RECOVERY_CODES = 10;
/** Of the guesses of one user: ten in an hour find one of three valid codes of a million once in some thirty thousand hours. */
const MAX_FAILURES = 10;
const WINDOW_MS = 3_600_000;
const REMEDY = 'turn the second factor off with `npm run cli -- reset-second-factors`';

/** Codes of an authenticator app (TOTP) that a sign-in asks for after the password, and recovery codes. */
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
    return { isOn: await this.isOn(userId), recoveryCodes: await this.factors.countCodes(userId) };
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

  /** Returns the recovery codes, which are shown only once. */
  async confirm({ facts: { userId } }: Caller, code: string): Promise<string[]> {
    const secret = await this.checked(userId, code, true);
    if (secret === undefined) throw codeRefused();
    // Another session may have begun with another app meanwhile.
    if (!(await this.factors.confirm(userId, secret, this.clock.now())))
      throw (await this.isOn(userId)) ? secondFactorOn() : codeRefused();
    this.unitOfWork.note({ resourceId: String(userId) });
    return this.renewCodes(userId);
  }

  /** The earlier recovery codes stop working. */
  async replaceRecoveryCodes({ facts: { userId } }: Caller, code: string): Promise<string[]> {
    // Outside: the transaction, once begun, would hold a connection while the code waits for one of the same tenant.
    if (!(await this.transactions.outside(() => this.isOn(userId)))) throw secondFactorOff();
    await this.require(userId, code);
    this.unitOfWork.note({ resourceId: String(userId) });
    return this.renewCodes(userId);
  }

  /** After the user has confirmed it. The caller renews the session, which ends all others. */
  async turnOff({ facts: { userId } }: Caller): Promise<void> {
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

  /** The sealed secret of the app whose code it is, or to which the recovery code belongs. */
  private async checked(userId: number, code: string, isFirst = false): Promise<Buffer | undefined> {
    const secret = await this.matching(userId, code, isFirst);
    if (secret === undefined) this.failures.count({ step: 'code', reason: 'refused' });
    return secret;
  }

  private matching(userId: number, code: string, isFirst: boolean): Promise<Buffer | undefined> {
    return this.transactions.outside(async () => {
      const factor = await this.factors.find(userId);
      if (factor === undefined || (factor.confirmed === null && !isFirst)) return undefined;
      const { secret } = factor;
      const now = this.clock.now();
      const windowStart = new Date(now.getTime() - WINDOW_MS);
      if (!(await this.factors.countAttempt(userId, MAX_FAILURES, now, windowStart))) {
        this.failures.count({ step: 'code', reason: 'throttled' });
        throw tooManyCodes();
      }
      if (isRecoveryCode(code))
        return (await this.factors.useCode(userId, hashRecoveryCode(code))) ? secret : undefined;
      const step = stepOfCode(this.open(userId, secret), code.replaceAll(/\s/g, ''), now);
      return step !== undefined && (await this.factors.acceptStep(userId, secret, step)) ? secret : undefined;
    });
  }

  async require(userId: number, code: string): Promise<void> {
    if (!(await this.verify(userId, code))) throw codeRefused();
  }

  private async renewCodes(userId: number): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
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
