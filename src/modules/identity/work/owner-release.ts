import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { HOUR_MS } from '../../../kernel/durations';
import { everything } from '../../../platform/api/scope';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import type { Claim } from '../../../platform/work/claim';
import { workAudit } from '../../../platform/work/work-audit';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { MembersRepository } from '../data/members.repository';
import { UsersRepository } from '../data/users.repository';
import { type Owner, storedOwner } from '../domain/owner';
import { OwnedRecords, RELEASE_KIND } from '../owned-records';

const scope = everything('a worker releases what removed members of all organizations owned');

const PORTION = 1_000;

/** Removes a removed member or group as the owner of records. A member who returned meanwhile keeps the remaining and new ones. */
@Injectable()
@WorkKind(RELEASE_KIND)
export class OwnerRelease implements WorkHandler {
  readonly maxConcurrent = 3;
  readonly isOnePerOrganization = true;

  constructor(
    private readonly owned: OwnedRecords,
    private readonly members: MembersRepository,
    private readonly users: UsersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    for (const records of this.owned.releases.keys())
      while ((await this.releasePortion(claim, records)) !== undefined) signal.throwIfAborted();
    return { audit: auditOf(claim), isSilent: true, apply: async () => undefined };
  }

  /** It is tried again until nothing is left. */
  abandon(claim: Claim, reason: string): Completion {
    const runAt = new Date(this.clock.now().getTime() + HOUR_MS);
    return {
      audit: { ...auditOf(claim), outcome: 'failure', metadata: { error: reason } },
      apply: () => this.owned.release(claim.organizationId ?? 0, ownerIn(claim), runAt),
    };
  }

  /** With an entry in the audit log that names the records. Undefined if none are left. */
  private releasePortion(claim: Claim, records: string): Promise<number | undefined> {
    const [organizationId, owner] = [claim.organizationId ?? 0, ownerIn(claim)];
    return this.unitOfWork.runIfDue(auditOf(claim), scope, async () => {
      if (await this.isBack(organizationId, owner)) return undefined;
      const ids = await this.owned.releases.get(records)?.(organizationId, owner, PORTION);
      this.unitOfWork.note({ metadata: { [records]: ids } });
      return ids?.length || undefined;
    });
  }

  /** Nobody becomes a member while the user is locked, so that no new record of the member is released. */
  private async isBack(organizationId: number, owner: Owner): Promise<boolean> {
    const { ownerUserId } = storedOwner(owner);
    if (ownerUserId === null) return false;
    await this.users.lockForUpdate(ownerUserId);
    return this.members.lockForKeyShare(organizationId, ownerUserId);
  }
}

const ownerIn = ({ reference }: Claim): Owner => reference.split(' ')[0] as Owner;

const auditOf = (claim: Claim) => {
  const [kind, resourceId = ''] = ownerIn(claim).split(':');
  const resourceType = kind === 'user' ? 'membership' : 'member_group';
  return { ...workAudit(claim, { operation: 'owner.release', resourceType }), resourceId };
};
