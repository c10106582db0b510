import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { Caller } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import { OrganizationsService } from '../organizations';
import { MembersRepository } from './data/members.repository';
import { type PasswordResetRecord, PasswordResetsRepository } from './data/password-resets.repository';
import { SessionsRepository } from './data/sessions.repository';
import { UsersRepository } from './data/users.repository';
import { memberElsewhere, ownPasswordReset, passwordResetNotFound } from './domain/identity.errors';
import { hashLinkToken, newLinkToken } from './domain/link-token';
import { requireMinimumLength } from './domain/password-rule';
import { MembersService } from './members.service';
import { hashPassword } from './password';

const LIFETIME_MS = 3_600_000;

const anyOrganization = everything('the token of the link names the organization');

/**
 * Links with which members set a new password. An owner creates them, and could use them to sign in as the member: so the
 * member must belong to no other organization, when the link is created and when it is used.
 */
@Injectable()
export class PasswordResetsService {
  constructor(
    private readonly resets: PasswordResetsRepository,
    private readonly members: MembersService,
    private readonly memberships: MembersRepository,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsRepository,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Returns the link, which is shown only once. It replaces an earlier link for the same user. */
  async create(
    caller: Caller,
    organizationId: number,
    userId: number,
  ): Promise<{ readonly link: string; readonly expires: Date }> {
    await this.members.lockAsOwner(caller, organizationId);
    await this.members.get(organizationId, userId);
    // Otherwise an API key could sign in to the portal, and create keys that survive its revocation.
    if (userId === caller.facts.userId) throw ownPasswordReset();
    if (!(await this.memberships.belongsOnlyTo(organizationId, userId))) throw memberElsewhere();
    await this.resets.deleteAllOf(userId);
    const token = newLinkToken();
    const expires = new Date(this.clock.now().getTime() + LIFETIME_MS);
    const requestedBy = caller.facts.userId;
    const id = await this.resets.save({
      organizationId,
      userId,
      tokenHash: hashLinkToken(token),
      requestedBy,
      expires,
    });
    this.unitOfWork.note({ resourceId: String(id), metadata: { user_id: userId } });
    return { link: `${portalUrl(this.config)}/password-resets/${token}`, expires };
  }

  /** For the page of the link. */
  async describe(token: string): Promise<{ readonly email: string; readonly expires: Date }> {
    const { email, expires } = await this.getUsable(token);
    return { email, expires };
  }

  /** Sets the password and ends all sessions of the user. */
  async complete(token: string, password: string): Promise<void> {
    const { organizationId } = await this.getUsable(token);
    const passwordHash = await hashPassword(requireMinimumLength(password));
    await this.organizations.lockForShare(anyOrganization, organizationId);
    const { id, userId } = await this.getUsable(token);
    if (!(await this.resets.use(id))) throw passwordResetNotFound();
    this.unitOfWork.note({ resourceId: String(id), organizationId, metadata: { user_id: userId } });
    await this.users.changePassword(userId, passwordHash);
    await this.sessions.endAll(userId);
  }

  private async getUsable(token: string): Promise<PasswordResetRecord> {
    const reset = await this.resets.findByToken(hashLinkToken(token));
    if (reset === undefined || reset.expires <= this.clock.now() || !reset.isRequesterAllowed)
      throw passwordResetNotFound();
    if (!(await this.memberships.belongsOnlyTo(reset.organizationId, reset.userId))) throw passwordResetNotFound();
    return reset;
  }
}
