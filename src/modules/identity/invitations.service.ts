import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { normalizeName } from '../../kernel/normalize-name';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import type { Role } from '../../kernel/role';
import type { Caller } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import { OrganizationsService } from '../organizations';
import { AddressProofsService } from './address-proofs.service';
import { type InvitationRecord, InvitationsRepository } from './data/invitations.repository';
import { MembersRepository } from './data/members.repository';
import { UsersRepository } from './data/users.repository';
import {
  addressNotProved,
  alreadyMember,
  integratorsAreNoMembers,
  invitationEnded,
  invitationNotFound,
  invitationOfAnother,
  invitationOver,
  invitationsLimitReached,
  signInToAccept,
  tooManyMails,
} from './domain/identity.errors';
import { type InvitationState, invitationState } from './domain/invitation-state';
import { hashToken, newToken } from './domain/token';
import { requireMinimumLength } from './domain/password-rule';
import { KeyAuthenticator } from './key-authenticator';
import { MailQueue } from './mail-queue';
import { MembersService } from './members.service';
import type { HandedLink } from './password-resets.service';
import { hashPassword } from './password';

/** An invitation as callers see it. */
export interface InvitationView {
  readonly invitation: InvitationRecord;
  readonly state: InvitationState;
}

/** What the person who opens the link sees. */
export interface DescribedInvitation {
  readonly organization: string;
  readonly email: string;
  readonly role: Role;
  readonly expires: Date;
  readonly acceptance: Acceptance;
}

/**
 * How the person who opens the link accepts it: as a new user; after the sign-in of the user with this address; or with a new
 * password for that user, because the link proves the address for the first time.
 */
export type Acceptance = 'new_user' | 'sign_in' | 'new_password';

export interface NewAccount {
  readonly password: string;
  /** As reports show it. */
  readonly name?: string;
}

export interface Accepted {
  readonly userId: number;
  readonly organizationId: number;
}

const LIFETIME_MS = 7 * 24 * 3_600_000;
const MAX_OPEN = 100;
/** In an hour: each is a mail to an address whose owner has not asked for it. */
const MAX_OF_ADDRESS = 5;

const anyOrganization = everything('the token of the link names the organization');

/** Invitations to an organization: single-use links, which are sent to the address, or handed over if there is no mail. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly members: MembersService,
    private readonly memberships: MembersRepository,
    private readonly users: UsersRepository,
    private readonly proofs: AddressProofsService,
    private readonly organizations: OrganizationsService,
    private readonly authenticator: KeyAuthenticator,
    private readonly mails: MailQueue,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Whether links are sent by mail, and only there. */
  get isMailed(): boolean {
    return this.mails.isEnabled;
  }

  /**
   * Sends the link to the address. Without mail, returns it to be handed over: it is shown only once. It replaces open
   * invitations of the same address.
   */
  async create(
    caller: Caller,
    organizationId: number,
    { email, role }: { readonly email: string; readonly role: Role },
  ): Promise<InvitationView & { readonly handed: HandedLink | undefined }> {
    const { name } = await this.members.lockAsOwner(caller, organizationId);
    this.unitOfWork.note({ metadata: { role } });
    const foldedEmail = normalizeName(email);
    if (await this.memberships.isMemberWithEmail(organizationId, foldedEmail)) throw alreadyMember();
    const now = this.clock.now();
    const recent = await this.invitations.countRecentInLocked(organizationId, foldedEmail);
    if (this.mails.isEnabled && recent >= MAX_OF_ADDRESS) throw tooManyMails(3_600);
    await this.invitations.revokeOpenOf(organizationId, foldedEmail, now);
    if ((await this.invitations.countOpenInLocked(organizationId, now)) >= MAX_OPEN)
      throw invitationsLimitReached(MAX_OPEN);
    const token = newToken();
    const id = await this.invitations.save({
      organizationId,
      email,
      foldedEmail,
      role,
      tokenHash: hashToken(token),
      isMailed: this.mails.isEnabled,
      invitedBy: caller.facts.userId,
      expires: new Date(now.getTime() + LIFETIME_MS),
    });
    this.unitOfWork.note({ resourceId: String(id) });
    const invitation = orThrow(await this.invitations.lockOneOfVisible(organizationId, id), invitationNotFound);
    const link = `${portalUrl(this.config)}/invitations/${token}`;
    const { email: invitedBy } = caller.facts;
    const expires = invitation.expires.toISOString();
    await this.mails.add({ kind: 'invitation', to: email, organization: name, role, invitedBy, link, expires });
    return {
      ...this.viewOf(invitation),
      handed: this.mails.isEnabled ? undefined : { link, expires: invitation.expires },
    };
  }

  async list(caller: Caller, organizationId: number, page: Page): Promise<Slice<InvitationView>> {
    const { id } = await this.organizations.get(caller.scope, organizationId);
    caller.requireRole('owner', id);
    const slice = await this.invitations.listForVisible(id, page);
    return { ...slice, items: slice.items.map((invitation) => this.viewOf(invitation)) };
  }

  /** Those that can be accepted, or could if the person who sent them were still an owner. */
  async listOpen(caller: Caller, organizationId: number): Promise<InvitationView[]> {
    const { id } = await this.organizations.get(caller.scope, organizationId);
    caller.requireRole('owner', id);
    const open = await this.invitations.listOpenForVisible(id, this.clock.now(), MAX_OPEN);
    return open.map((invitation) => this.viewOf(invitation));
  }

  async revoke(caller: Caller, organizationId: number, id: number): Promise<void> {
    await this.members.lockAsOwner(caller, organizationId);
    const invitation = orThrow(await this.invitations.lockOneOfVisible(organizationId, id), invitationNotFound);
    const { state } = this.viewOf(invitation);
    if (state !== 'open' && state !== 'invalid') throw invitationEnded(state);
    await this.invitations.revoke(id, this.clock.now());
  }

  /** For the page of the link. Throws if the invitation cannot be accepted, with the reason. */
  async describe(token: string): Promise<DescribedInvitation> {
    const invitation = await this.getOpen(token);
    const { name } = await this.organizations.get(anyOrganization, invitation.organizationId);
    const { email, role, expires } = invitation;
    return { organization: name, email, role, expires, acceptance: await this.acceptanceOf(invitation) };
  }

  /** For a signed-in user with the address of the invitation. */
  async accept(caller: Caller, token: string): Promise<Accepted> {
    const { foldedEmail } = await this.getOpen(token);
    const { userId, email, integrator } = caller.facts;
    if (normalizeName(email) !== foldedEmail) throw invitationOfAnother();
    if (integrator !== null) throw integratorsAreNoMembers();
    if (!(await this.proofs.isProved(userId))) throw addressNotProved(this.mails.isEnabled);
    return this.join(token, () => Promise.resolve(userId));
  }

  /**
   * For the user with the address, who has not proved it yet: the link was sent to it. It sets a new password and ends all that
   * was made for the user before. The user signs in afterwards, because a second factor may stay.
   */
  async acceptWithNewPassword(token: string, password: string): Promise<Accepted> {
    const invitation = await this.getOpen(token);
    if ((await this.acceptanceOf(invitation)) !== 'new_password') throw signInToAccept();
    const user = await this.users.findByEmail(invitation.foldedEmail);
    if (user === undefined) throw signInToAccept();
    const passwordHash = await hashPassword(requireMinimumLength(password));
    return this.join(token, async () => {
      if ((await this.proofs.prove(user.id, 'proved')) === undefined) throw signInToAccept();
      await this.users.changePassword(user.id, passwordHash);
      return user.id;
    });
  }

  /** For a person without a user. A user who exists has to sign in, because the link does not prove who opens it. */
  async acceptAsNewUser(token: string, { password, name }: NewAccount): Promise<Accepted> {
    const { email, foldedEmail, isMailed } = await this.getOpen(token);
    if ((await this.users.findByEmail(foldedEmail)) !== undefined) throw signInToAccept();
    const passwordHash = await hashPassword(requireMinimumLength(password));
    return this.join(token, async () => {
      const draft = { email, foldedEmail, name: name ?? null, passwordHash, integratorId: null };
      const userId = await this.users.save(draft);
      if (isMailed) await this.proofs.save(userId);
      return userId;
    });
  }

  /** The role of an existing member does not change: `saveMembership` refuses. */
  private async join(token: string, findUser: () => Promise<number>): Promise<Accepted> {
    const { id, organizationId, role } = await this.lockOpen(token);
    const userId = await findUser();
    this.unitOfWork.note({ resourceId: String(id), organizationId, metadata: { user_id: userId, role } });
    await this.users.saveMembership(userId, organizationId, role);
    await this.invitations.markAccepted(id, this.clock.now());
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
    return { userId, organizationId };
  }

  private async acceptanceOf({ foldedEmail, isMailed }: InvitationRecord): Promise<Acceptance> {
    const user = await this.users.findByEmail(foldedEmail);
    if (user === undefined) return 'new_user';
    return isMailed && !(await this.proofs.isProved(user.id)) ? 'new_password' : 'sign_in';
  }

  private async getOpen(token: string): Promise<InvitationRecord> {
    return this.requireOpen(await this.invitations.findByToken(hashToken(token)));
  }

  /** Locks the organization first, so that it is not deleted and the inviter does not lose the role meanwhile. */
  private async lockOpen(token: string): Promise<InvitationRecord> {
    const { organizationId } = await this.getOpen(token);
    await this.organizations.lockForShare(anyOrganization, organizationId);
    return this.requireOpen(await this.invitations.lockByToken(hashToken(token)));
  }

  private requireOpen(found: InvitationRecord | undefined): InvitationRecord {
    const invitation = orThrow(found, invitationNotFound);
    const { state } = this.viewOf(invitation);
    if (state !== 'open') throw invitationOver(state);
    return invitation;
  }

  private viewOf(invitation: InvitationRecord): InvitationView {
    return { invitation, state: invitationState(invitation, this.clock.now()) };
  }
}
