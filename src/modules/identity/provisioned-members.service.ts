import { Injectable } from '@nestjs/common';
import { normalizeName } from '../../kernel/normalize-name';
import { orThrow } from '../../kernel/or-throw';
import type { Role } from '../../kernel/role';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { AccessPaths } from './access-paths.service';
import { MembersRepository } from './data/members.repository';
import {
  type ProvisionedFilter,
  type ProvisionedPage,
  ProvisionedMembersRepository,
  type ProvisionedUser,
} from './data/provisioned-members.repository';
import { UsersRepository } from './data/users.repository';
import { lastOwner, userNotFound } from './domain/identity.errors';
import { KeyAuthenticator } from './key-authenticator';
import { OwnedRecords } from './owned-records';
import { ProviderMembers } from './provider-members.service';

/** The members that the provider of an organization adds and removes. It changes memberships, and never a user who exists. */
@Injectable()
export class ProvisionedMembers {
  constructor(
    private readonly provisioned: ProvisionedMembersRepository,
    private readonly members: MembersRepository,
    private readonly users: UsersRepository,
    private readonly paths: AccessPaths,
    private readonly providerMembers: ProviderMembers,
    private readonly authenticator: KeyAuthenticator,
    private readonly unitOfWork: UnitOfWork,
    private readonly owned: OwnedRecords,
  ) {}

  list(
    organizationId: number,
    { email, ...filter }: Omit<ProvisionedFilter, 'foldedEmail'> & { readonly email?: string },
    page: ProvisionedPage,
  ): Promise<{ users: ProvisionedUser[]; total: number }> {
    const foldedEmail = email === undefined ? undefined : normalizeName(email);
    return this.provisioned.listOfVisible(organizationId, { ...filter, foldedEmail }, page);
  }

  async get(organizationId: number, userId: number): Promise<ProvisionedUser> {
    return orThrow(await this.provisioned.findOneOfVisible(organizationId, { userId }), userNotFound);
  }

  find(organizationId: number, email: string): Promise<ProvisionedUser | undefined> {
    return this.provisioned.findOneOfVisible(organizationId, { foldedEmail: normalizeName(email) });
  }

  /** A member whom a first sign-in through the provider may link: nobody has signed in as this user. */
  findUnclaimedMember(
    organizationId: number,
    subject: string,
    email: string | undefined,
  ): Promise<{ userId: number; role: Role } | undefined> {
    return this.provisioned.findUnclaimedMember(organizationId, subject, email && normalizeName(email));
  }

  /** A user without membership, password or anything else, whom the provider may make a member. */
  findUnclaimedUser(organizationId: number, email: string): Promise<number | undefined> {
    return this.provisioned.findUnclaimedUser(organizationId, normalizeName(email));
  }

  link(organizationId: number, userId: number, externalId: string | null): Promise<void> {
    return this.provisioned.saveExternalId(organizationId, userId, externalId);
  }

  /** After `ProviderMembers.lock`. Sessions lose the organization, and its keys end. */
  async remove(organizationId: number, userId: number, role: Role): Promise<void> {
    if (role === 'owner' && (await this.members.countOwnersInLocked(organizationId)) === 1) throw lastOwner();
    await this.users.lockForNoKeyUpdate(userId);
    const ended = await this.paths.end('left', { userId, organizationId });
    await this.owned.release(organizationId, `user:${userId}`);
    await this.members.remove(organizationId, userId);
    // A provider makes no owners.
    await this.provisioned.saveRemoved(organizationId, userId, role === 'owner' ? 'admin' : role);
    await this.providerMembers.record('membership.delete', organizationId, userId, {
      role,
      ended: { keys: ended.get('keys')?.length, identities: ended.get('identities')?.length },
    });
  }

  /** After `ProviderMembers.lock`. */
  async add(organizationId: number, userId: number, role: Role): Promise<void> {
    await this.users.saveMembership(userId, organizationId, role);
    await this.providerMembers.record('membership.create', organizationId, userId, { role });
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
  }

  /** The provider cannot restore the membership then. */
  forget(organizationId: number, userId: number): Promise<void> {
    return this.provisioned.forget(organizationId, userId);
  }
}
