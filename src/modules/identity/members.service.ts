import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import type { Role } from '../../kernel/role';
import type { Caller } from '../../platform/api/caller';
import { everything, type Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { type Organization, OrganizationsService } from '../organizations';
import { AccessPaths } from './access-paths.service';
import { CallingCredentials } from './calling-credentials';
import { type Member, MembersRepository } from './data/members.repository';
import { UsersRepository } from './data/users.repository';
import { lastOwner, lastOwnerOf, memberNotFound, onlyOwners } from './domain/identity.errors';
import { KeyAuthenticator } from './key-authenticator';
import { OwnedRecords } from './owned-records';

const anyOrganization = everything('the operator erases a user');

/**
 * The users of an organization and their roles. Only owners and integrators change them. The lock of the organization puts
 * these changes in an order, so that two owners who remove each other do not leave it without an owner.
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MembersRepository,
    private readonly users: UsersRepository,
    private readonly paths: AccessPaths,
    private readonly organizations: OrganizationsService,
    private readonly credentials: CallingCredentials,
    private readonly authenticator: KeyAuthenticator,
    private readonly unitOfWork: UnitOfWork,
    private readonly owned: OwnedRecords,
  ) {}

  async list(scope: Scope, organizationId: number, page: Page): Promise<Slice<Member>> {
    const { id } = await this.organizations.get(scope, organizationId);
    return this.members.listForVisible(id, page);
  }

  /** All of an organization that the caller has checked, or those with these ids. */
  listOfVisible(organizationId: number, userIds?: readonly number[]): Promise<Member[]> {
    return this.members.listOfVisible(organizationId, userIds);
  }

  /** Which members of an organization that the caller has checked these words name, in lower case. */
  namedInVisible(organizationId: number, names: readonly string[]): Promise<{ name: string; userId: number }[]> {
    return this.members.listNamedInVisible(organizationId, names);
  }

  async changeRole(caller: Caller, organizationId: number, userId: number, role: Role): Promise<Member> {
    await this.lock(caller, organizationId);
    const member = await this.get(organizationId, userId);
    await this.requireOwner(caller, organizationId);
    this.unitOfWork.note({ metadata: { from: member.role, to: role } });
    if (member.role === role) return member;
    await this.requireAnotherOwner(organizationId, member);
    await this.members.changeRole(organizationId, userId, role);
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
    return { ...member, role };
  }

  /** A member may also leave. Keys that are limited to the organization are revoked, also in case the user returns. */
  async remove(caller: Caller, organizationId: number, userId: number): Promise<void> {
    await this.lock(caller, organizationId);
    const member = await this.get(organizationId, userId);
    // Both in the order of their ids: elsewhere the other one may remove the caller.
    for (const id of [caller.facts.userId, userId].toSorted((one, other) => one - other))
      await this.users.lockForNoKeyUpdate(id);
    if (caller.facts.userId !== userId) await this.requireOwner(caller, organizationId);
    await this.requireAnotherOwner(organizationId, member);
    this.unitOfWork.note({ metadata: { role: member.role } });
    await this.owned.release(organizationId, `user:${userId}`);
    await this.paths.end('left', { userId, organizationId });
    await this.members.remove(organizationId, userId);
  }

  /** Before the operator erases a user. */
  async leaveAll(userId: number): Promise<void> {
    await this.members.requireTwoAdminsWithout(userId, null);
    const blocking: string[] = [];
    for (const { id: organizationId, role } of await this.members.listOrganizationsOf(userId)) {
      const { name } = await this.organizations.lockForCounting(anyOrganization, organizationId);
      if (role === 'owner' && (await this.members.countOwnersInLocked(organizationId)) === 1)
        blocking.push(`"${name}" (organization ${organizationId})`);
      await this.owned.release(organizationId, `user:${userId}`);
    }
    if (blocking.length > 0) throw lastOwnerOf(blocking);
  }

  /** Whether the user is a member, who is not removed until the transaction ends. For records that refer to members. */
  lockMembership(organizationId: number, userId: number): Promise<boolean> {
    return this.members.lockForKeyShare(organizationId, userId);
  }

  /** Locks an organization whose members the caller manages, until the transaction ends. */
  async lockAsOwner(caller: Caller, organizationId: number): Promise<Organization> {
    const organization = await this.lock(caller, organizationId);
    await this.requireOwner(caller, organizationId);
    return organization;
  }

  async get(organizationId: number, userId: number): Promise<Member> {
    return orThrow(await this.members.findOneOfVisible(organizationId, userId), memberNotFound);
  }

  private async lock(caller: Caller, organizationId: number): Promise<Organization> {
    const organization = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId });
    return organization;
  }

  /** Read after the locks: the caller may have lost the role or the credential since the request was authenticated. */
  private async requireOwner(caller: Caller, organizationId: number): Promise<void> {
    await this.credentials.lock(caller);
    if (caller.integrator !== null) return;
    const own = await this.members.findOneOfVisible(organizationId, caller.facts.userId);
    if (own?.role !== 'owner') throw onlyOwners(organizationId);
  }

  private async requireAnotherOwner(organizationId: number, { role }: Member): Promise<void> {
    if (role === 'owner' && (await this.members.countOwnersInLocked(organizationId)) === 1) throw lastOwner();
  }
}
