import { Injectable } from '@nestjs/common';
import { normalizeName } from '../../kernel/normalize-name';
import type { Role } from '../../kernel/role';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { OrganizationsService } from '../organizations';
import { MembersRepository } from './data/members.repository';
import { UsersRepository } from './data/users.repository';
import { KeyAuthenticator } from './key-authenticator';

export interface ProviderMember {
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
}

const anyOrganization = everything('a provider changes members of its own organization');

/** What the provider of an organization may change: members of that organization, and never a user who exists. */
@Injectable()
export class ProviderMembers {
  constructor(
    private readonly users: UsersRepository,
    private readonly members: MembersRepository,
    private readonly organizations: OrganizationsService,
    private readonly authenticator: KeyAuthenticator,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Sign-ins that change members of an organization run one after the other. */
  async lock(organizationId: number): Promise<void> {
    await this.organizations.lockForCounting(anyOrganization, organizationId);
  }

  async isUser(email: string): Promise<boolean> {
    return (await this.users.findByEmail(normalizeName(email))) !== undefined;
  }

  async roleOf(organizationId: number, userId: number): Promise<Role | undefined> {
    return (await this.members.findOneOfVisible(organizationId, userId))?.role;
  }

  /** Without a password, and with an unproved address: the provider's word counts in its organization alone. */
  async create(organizationId: number, { email, name, role }: ProviderMember): Promise<number> {
    const foldedEmail = normalizeName(email);
    const userId = await this.users.save({ email, foldedEmail, name, passwordHash: null, integratorId: null });
    await this.users.saveMembership(userId, organizationId, role);
    await this.record('membership.create', organizationId, userId, { role });
    return userId;
  }

  async changeRole(organizationId: number, userId: number, from: Role, to: Role): Promise<void> {
    await this.members.changeRole(organizationId, userId, to);
    await this.record('membership.change', organizationId, userId, { from, to });
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
  }

  /** An entry of its own, beside that of the sign-in or the request. */
  async record(operation: string, organizationId: number, userId: number, change: object): Promise<void> {
    const part = { operation, resourceType: 'membership', resourceId: String(userId) } as const;
    await this.unitOfWork.recordPart(part, {
      organizationId,
      metadata: { user_id: userId, ...change, by: 'provider' },
    });
  }
}
