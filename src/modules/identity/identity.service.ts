import { Injectable } from '@nestjs/common';
import type { Role } from '../../kernel/role';
import { Clock } from '../../kernel/clock';
import { normalizeName } from '../../kernel/normalize-name';
import { orThrow } from '../../kernel/or-throw';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { KeyScope } from '../../platform/api/caller';
import { AddressProofsService } from './address-proofs.service';
import { InvitationsRepository } from './data/invitations.repository';
import { type NewKey, KeysRepository } from './data/keys.repository';
import type { User } from './data/user.entity';
import { UsersRepository } from './data/users.repository';
import {
  addressAlreadyProved,
  expiryInPast,
  organizationOutsideUser,
  keyNotFound,
  keyOpensNothing,
  userNotFound,
} from './domain/identity.errors';
import type { EndedCredentials } from './domain/ended-credentials';
import { displayNameOf } from './domain/display-name';
import { type KeyMaterial, hashSecret, newKeyMaterial } from './domain/key-material';
import { requireMinimumLength } from './domain/password-rule';
import { KeyAuthenticator } from './key-authenticator';
import { MembersService } from './members.service';
import { hashPassword } from './password';

export interface UserDraft {
  readonly email: string;
  /** As reports show it. */
  readonly name?: string;
  readonly password?: string;
  readonly integratorId?: number;
  /** The first organization that the user gets a role in. */
  readonly membership?: { readonly organizationId: number; readonly role: Role };
}

export interface KeyDraft {
  readonly userId: number;
  readonly label: string;
  readonly scopes: KeyScope[];
  readonly organizationId?: number;
  readonly expires?: Date;
}

@Injectable()
export class IdentityService {
  constructor(
    private readonly users: UsersRepository,
    private readonly keys: KeysRepository,
    private readonly members: MembersService,
    private readonly invitations: InvitationsRepository,
    private readonly proofs: AddressProofsService,
    private readonly authenticator: KeyAuthenticator,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async getUser(email: string): Promise<User> {
    const user = await this.users.findByEmail(normalizeName(email));
    if (user === undefined) throw userNotFound();
    return user;
  }

  /** The names of users who acted on records that the caller can see, by id. */
  async displayNamesOfVisible(ids: readonly number[]): Promise<Map<number, string>> {
    const users = await this.users.listNamesOfVisible(ids);
    return new Map(users.map((user) => [user.id, displayNameOf(user)]));
  }

  async createUser({ email, name, password, integratorId, membership }: UserDraft): Promise<number> {
    const id = await this.users.save({
      email: email.trim(),
      foldedEmail: normalizeName(email),
      name: name ?? null,
      passwordHash: password === undefined ? null : await hashPassword(requireMinimumLength(password)),
      integratorId: integratorId ?? null,
    });
    // The operator knows whose address it is.
    await this.proofs.save(id);
    if (membership !== undefined) await this.createMembership(id, membership.organizationId, membership.role);
    this.unitOfWork.note({ resourceId: String(id), metadata: { integrator_id: integratorId ?? null } });
    return id;
  }

  async createMembership(userId: number, organizationId: number, role: Role): Promise<void> {
    await this.users.saveMembership(userId, organizationId, role);
    this.unitOfWork.note({ organizationId, metadata: { user_id: userId, role } });
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
  }

  /** A new password ends the sessions, and the user is asked about the keys. A first password ends nothing. */
  async changePassword(userId: number, password: string): Promise<void> {
    const passwordHash = await hashPassword(requireMinimumLength(password));
    const user = orThrow(await this.users.lockForUpdate(userId), userNotFound);
    await this.users.changePassword(userId, passwordHash);
    if (user.passwordHash !== null) await this.proofs.endSessions(userId);
    this.unitOfWork.note({ resourceId: String(userId) });
  }

  /** Ends all that was made for the user before, also the password. */
  async proveAddress(userId: number): Promise<EndedCredentials> {
    const ended = orThrow(await this.proofs.prove(userId, 'stated'), addressAlreadyProved);
    await this.users.changePassword(userId, null);
    this.unitOfWork.note({ resourceId: String(userId) });
    return ended;
  }

  /** Ends nothing: the operator knows that the person, and nobody else, has set up the user. */
  async stateAddress(userId: number): Promise<void> {
    if (!(await this.proofs.save(userId))) throw addressAlreadyProved();
    this.unitOfWork.note({ resourceId: String(userId), metadata: { reason: 'stated' } });
  }

  isAddressProved(userId: number): Promise<boolean> {
    return this.proofs.isProved(userId);
  }

  /**
   * Deletes the user, with keys, sessions, memberships, and invitations by and for this user. Records and audit entries keep
   * the id. Other processes refuse the keys when their cache expires.
   */
  async eraseUser(userId: number): Promise<void> {
    await this.members.leaveAll(userId);
    const user = orThrow(await this.users.lockForUpdate(userId), userNotFound);
    await this.invitations.deleteOfAddress(user.foldedEmail);
    await this.users.remove(userId);
    this.unitOfWork.note({ resourceId: String(userId) });
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
  }

  async createKey({ userId, label, scopes, organizationId, expires }: KeyDraft): Promise<KeyMaterial> {
    if (organizationId !== undefined && !(await this.users.canAccessOrganization(userId, organizationId)))
      throw organizationOutsideUser();
    if (expires !== undefined && expires <= this.clock.now()) throw expiryInPast(expires);
    const material = newKeyMaterial();
    const key: NewKey = {
      accessKey: material.accessKey,
      secretHash: hashSecret(material.secret),
      userId,
      label,
      scopes,
      organizationId: organizationId ?? null,
      expires: expires ?? null,
      parentId: null,
      identityId: null,
      userAgent: null,
    };
    if (!(await this.keys.opensAny(await this.keys.save(key)))) throw keyOpensNothing();
    this.unitOfWork.note({
      resourceId: material.accessKey,
      organizationId: organizationId ?? (await this.users.onlyOrganizationOf(userId)),
      metadata: { user_id: userId, label, scopes, expires: expires?.toISOString() ?? null },
    });
    return material;
  }

  /** Revokes the key, and all keys that it created. */
  async revokeKey(accessKey: string): Promise<void> {
    const key = await this.keys.findByAccessKey(accessKey);
    if (key === undefined) throw keyNotFound();
    await this.users.lockForNoKeyUpdate(key.userId);
    if ((await this.keys.revokeFamilyInLocked(key.id)) === 0) throw keyNotFound();
    const organizationId = key.organizationId ?? (await this.users.onlyOrganizationOf(key.userId));
    this.unitOfWork.note({ organizationId, metadata: { user_id: key.userId } });
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
  }
}
