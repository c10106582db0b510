import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { normalizeName } from '../../kernel/normalize-name';
import { type Caller, system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import type { MailText } from '../../platform/mail/mailer';
import { OrganizationsService } from '../organizations';
import { AddressProofsService } from './address-proofs.service';
import { MailedPasswordResetsRepository } from './data/mailed-password-resets.repository';
import { MembersRepository } from './data/members.repository';
import { type PasswordResetRecord, PasswordResetsRepository } from './data/password-resets.repository';
import { UsersRepository } from './data/users.repository';
import {
  mailNotConfigured,
  memberElsewhere,
  ownPasswordReset,
  passwordResetNotFound,
  tooManyMails,
} from './domain/identity.errors';
import type { EndedCredentials } from './domain/ended-credentials';
import { hashToken, newToken } from './domain/token';
import { passwordResetMail } from './domain/mail-texts';
import { requireMinimumLength } from './domain/password-rule';
import { MAIL_LIMITS, SignInThrottle } from './domain/sign-in-throttle';
import { KnownBrowsers } from './known-browsers';
import { MailQueue } from './mail-queue';
import { MembersService } from './members.service';
import { hashPassword } from './password';
import type { Origin } from './password-verifier';
import { ProviderRequirements } from './provider-requirements.service';

const LIFETIME_MS = 3_600_000;

const anyOrganization = everything('the token of the link names the organization');

interface UsableReset {
  readonly userId: number;
  readonly email: string;
  readonly expires: Date;
  /** Of the owner who created the link; null for one that was sent by mail. */
  readonly created: PasswordResetRecord | null;
}

/** A link that an owner gives to the member. */
export interface HandedLink {
  readonly link: string;
  readonly expires: Date;
}

/**
 * Links with which members set a new password. An owner creates them, and could use them to sign in as the member: so the
 * member must belong to no other organization, when the link is created and when it is used. A link that is sent to the
 * user's own address needs no such rule.
 */
@Injectable()
export class PasswordResetsService {
  /** Of requests for mail, which anyone can send for any address. */
  private readonly throttle: SignInThrottle;

  constructor(
    private readonly resets: PasswordResetsRepository,
    private readonly mailedResets: MailedPasswordResetsRepository,
    private readonly members: MembersService,
    private readonly memberships: MembersRepository,
    private readonly users: UsersRepository,
    private readonly proofs: AddressProofsService,
    private readonly mails: MailQueue,
    private readonly knownBrowsers: KnownBrowsers,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly requirements: ProviderRequirements,
  ) {
    this.throttle = new SignInThrottle(clock, MAIL_LIMITS);
  }

  /** Whether users can ask for a link by mail. */
  get isMailed(): boolean {
    return this.mails.isEnabled;
  }

  /**
   * Sends the link to the member. Without mail, returns it to be handed over: it is shown only once, and replaces an earlier one
   * for the same user.
   */
  async create(caller: Caller, organizationId: number, userId: number): Promise<HandedLink | undefined> {
    await this.members.lockAsOwner(caller, organizationId);
    const { email } = await this.members.get(organizationId, userId);
    // Otherwise an API key could sign in to the portal, and create keys that survive its revocation.
    if (userId === caller.facts.userId) throw ownPasswordReset();
    if (this.mails.isEnabled) {
      this.unitOfWork.note({ resourceId: String(userId), metadata: { user_id: userId, via: 'mail' } });
      await this.mails.add({ kind: 'password_reset', foldedEmail: normalizeName(email) });
      return undefined;
    }
    if (!(await this.memberships.belongsOnlyTo(organizationId, userId))) throw memberElsewhere();
    await this.resets.deleteAllOf(userId);
    const token = newToken();
    const expires = new Date(this.clock.now().getTime() + LIFETIME_MS);
    const requestedBy = caller.facts.userId;
    const id = await this.resets.save({
      organizationId,
      userId,
      tokenHash: hashToken(token),
      requestedBy,
      expires,
    });
    this.unitOfWork.note({ resourceId: String(id), metadata: { user_id: userId } });
    return { link: this.linkOf(token), expires };
  }

  /** The same work and the same answer for an address without a user: the worker looks for the user. */
  async requestByMail(email: string, origin: Origin): Promise<void> {
    if (!this.mails.isEnabled) throw mailNotConfigured();
    const foldedEmail = normalizeName(email);
    const knownBrowser = await this.knownBrowsers.identify(origin.knownBrowser, foldedEmail);
    const wait = this.throttle.waitBefore({ foldedEmail, ip: origin.ip, knownBrowser });
    if (wait !== undefined) throw tooManyMails(wait);
    await this.mails.add({ kind: 'password_reset', foldedEmail });
  }

  /** Creates the link at the time of sending, so that it is stored nowhere. Undefined if there is no such user. */
  async mailFor(foldedEmail: string): Promise<MailText | undefined> {
    const user = await this.users.findByEmail(foldedEmail);
    if (user === undefined) return undefined;
    const instead = await this.requirements.mailInstead(user);
    if (instead !== undefined) return instead;
    const token = newToken();
    const expires = new Date(this.clock.now().getTime() + LIFETIME_MS);
    const description = {
      actor: system,
      operation: 'password_reset.create',
      resourceType: 'password_reset',
      resourceId: String(user.id),
      organizationId: await this.users.onlyOrganizationOf(user.id),
      metadata: { user_id: user.id, via: 'mail' },
    } as const;
    await this.unitOfWork.run(description, anyOrganization, async () => {
      await this.users.lockForNoKeyUpdate(user.id);
      await this.mailedResets.add({ userId: user.id, tokenHash: hashToken(token), expires });
    });
    return passwordResetMail({ to: user.email, link: this.linkOf(token), expires });
  }

  /** For the page of the link. */
  async describe(token: string): Promise<{ readonly email: string; readonly expires: Date }> {
    const { email, expires } = await this.getUsable(token);
    return { email, expires };
  }

  /** Sets the password and returns what it ended. A second factor of a proved user stays. */
  async complete(token: string, password: string): Promise<EndedCredentials> {
    const { created } = await this.getUsable(token);
    const passwordHash = await hashPassword(requireMinimumLength(password));
    if (created !== null) await this.organizations.lockForShare(anyOrganization, created.organizationId);
    const { userId } = await this.use(token);
    await this.users.changePassword(userId, passwordHash);
    return created === null ? this.proofs.applyMailedLink(userId) : this.proofs.withdraw(userId);
  }

  private async use(token: string): Promise<UsableReset> {
    const reset = await this.getUsable(token);
    const { userId, created } = reset;
    // Of several links, one sets the password, also at the same time.
    await this.users.lockForNoKeyUpdate(userId);
    const isUsed = await (created === null ? this.mailedResets.use(hashToken(token)) : this.resets.use(created.id));
    if (!isUsed) throw passwordResetNotFound();
    const organizationId = created?.organizationId ?? (await this.users.onlyOrganizationOf(userId));
    this.unitOfWork.note({
      resourceId: String(created?.id ?? userId),
      organizationId,
      metadata: { user_id: userId },
    });
    return reset;
  }

  private async getUsable(token: string): Promise<UsableReset> {
    const reset = (await this.findCreated(token)) ?? (await this.findMailed(token));
    if (reset === undefined || reset.expires <= this.clock.now()) throw passwordResetNotFound();
    return reset;
  }

  private async findCreated(token: string): Promise<UsableReset | undefined> {
    const created = await this.resets.findByToken(hashToken(token));
    if (created === undefined || !created.isRequesterAllowed) return undefined;
    if (!(await this.memberships.belongsOnlyTo(created.organizationId, created.userId))) return undefined;
    return { ...created, created };
  }

  private async findMailed(token: string): Promise<UsableReset | undefined> {
    const mailed = await this.mailedResets.findByToken(hashToken(token));
    return mailed && { ...mailed, created: null };
  }

  private linkOf(token: string): string {
    return `${portalUrl(this.config)}/password-resets/${token}`;
  }
}
