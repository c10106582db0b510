import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { type AccessPath, type Leaving, type Occasion, ownAccessPaths } from './data/access-paths';
import { AccessPathsRepository, type AdmittedIdentity } from './data/access-paths.repository';
import { KeyAuthenticator } from './key-authenticator';

/** For each way in, the labels of what has ended, or of what the user is asked about. */
export type Ended = ReadonlyMap<string, readonly string[]>;

type IsVouchedFor = (identity: AdmittedIdentity) => Promise<boolean>;

/** Ends the ways into an account. Every change of the people who may use it goes through this one table. */
@Injectable()
export class AccessPaths {
  private readonly paths = [...ownAccessPaths];
  private isVouchedFor: IsVouchedFor = async () => false;

  constructor(
    private readonly rows: AccessPathsRepository,
    private readonly authenticator: KeyAuthenticator,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  get all(): readonly AccessPath[] {
    return this.paths;
  }

  /** For a module above this one that owns a way in. */
  register(path: AccessPath): void {
    this.paths.push(path);
  }

  /** Whether an organization still vouches for the address of a member whom its provider made: such an identity outlives a proof. */
  vouch(isVouchedFor: IsVouchedFor): void {
    this.isVouchedFor = isVouchedFor;
  }

  /** In the current unit of work, which has locked the user. */
  async end(occasion: Occasion, user: Pick<Leaving, 'userId'> & Partial<Leaving>): Promise<Ended> {
    const isProof = occasion === 'proved' || occasion === 'withdrawn';
    const keptIdentityIds = isProof ? await this.vouchedFor(user.userId) : [];
    const leaving = { organizationId: 0, keptSessionId: 0, keptIdentityIds, ...user };
    const ended = new Map<string, readonly string[]>();
    for (const { name, [occasion]: fate } of this.paths)
      if (typeof fate !== 'string') ended.set(name, await this.rows.labelsOf(fate(leaving)));
    if (occasion !== 'signed_out') this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
    return ended;
  }

  private async vouchedFor(userId: number): Promise<number[]> {
    const kept: number[] = [];
    for (const identity of await this.rows.listAdmittedOf(userId))
      if (await this.isVouchedFor(identity)) kept.push(identity.id);
    return kept;
  }
}
