import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { KeysRepository, type KeyOfMember } from './data/keys.repository';
import { keyNotFound } from './domain/identity.errors';
import { KeyAuthenticator } from './key-authenticator';
import { MembersService } from './members.service';

/** Keys of members that had no limit before an upgrade, and open the organization since then. Owners are shown them once. */
@Injectable()
export class MemberKeysService {
  constructor(
    private readonly keys: KeysRepository,
    private readonly members: MembersService,
    private readonly authenticator: KeyAuthenticator,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async listNotShown(caller: Caller, organizationId: number): Promise<KeyOfMember[]> {
    if (!caller.hasRole('owner', organizationId)) return [];
    return this.keys.listNotShownForVisible(organizationId);
  }

  async markShown(caller: Caller, organizationId: number): Promise<void> {
    await this.members.lockAsOwner(caller, organizationId);
    this.unitOfWork.note({ metadata: { keys: await this.keys.markShown(organizationId) } });
  }

  /** The key stays, and opens the other organizations of its user. */
  async close(caller: Caller, organizationId: number, keyId: number): Promise<void> {
    await this.members.lockAsOwner(caller, organizationId);
    const accessKey = await this.keys.closeOrganization(keyId, organizationId);
    if (accessKey === undefined) throw keyNotFound();
    this.unitOfWork.note({ resourceId: accessKey });
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
  }
}
