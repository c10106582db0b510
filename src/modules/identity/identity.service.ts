import { Injectable } from '@nestjs/common';
import type { Role } from '../../kernel/role';
import { Clock } from '../../kernel/clock';
import { normalizeName } from '../../kernel/normalize-name';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { KeyScope } from '../../platform/api/caller';
import { type NewKey, KeysRepository } from './data/keys.repository';
import type { User } from './data/user.entity';
import { UsersRepository } from './data/users.repository';
import {
  expiryInPast,
  organizationOutsideUser,
  keyNotFound,
  passwordTooShort,
  userNotFound,
} from './domain/identity.errors';
import { displayNameOf } from './domain/display-name';
import { type KeyMaterial, hashSecret, newKeyMaterial } from './domain/key-material';
import { KeyAuthenticator } from './key-authenticator';
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

const MIN_PASSWORD_LENGTH = 12;

@Injectable()
export class IdentityService {
  constructor(
    private readonly users: UsersRepository,
    private readonly keys: KeysRepository,
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

  /** The same by e-mail address. The name of a deleted user is derived from the address. */
  async displayNamesOfVisibleAddresses(emails: readonly string[]): Promise<Map<string, string>> {
    const users = await this.users.listNamesOfVisibleAddresses(emails.map(normalizeName));
    const byEmail = new Map(users.map((user) => [user.foldedEmail, user]));
    return new Map(
      emails.map((email) => [email, displayNameOf(byEmail.get(normalizeName(email)) ?? { name: null, email })]),
    );
  }

  async createUser({ email, name, password, integratorId, membership }: UserDraft): Promise<number> {
    const id = await this.users.save({
      email: email.trim(),
      foldedEmail: normalizeName(email),
      name: name ?? null,
      passwordHash: password === undefined ? null : await hashPassword(requireMinimumLength(password)),
      integratorId: integratorId ?? null,
    });
    if (membership !== undefined) await this.createMembership(id, membership.organizationId, membership.role);
    this.unitOfWork.note({ resourceId: String(id), metadata: { integrator_id: integratorId ?? null } });
    return id;
  }

  async createMembership(userId: number, organizationId: number, role: Role): Promise<void> {
    await this.users.saveMembership(userId, organizationId, role);
    this.unitOfWork.note({ organizationId, metadata: { user_id: userId, role } });
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
  }

  async changePassword(userId: number, password: string): Promise<void> {
    await this.users.changePassword(userId, await hashPassword(requireMinimumLength(password)));
    this.unitOfWork.note({ resourceId: String(userId) });
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
    };
    await this.keys.save(key);
    this.unitOfWork.note({
      resourceId: material.accessKey,
      organizationId: organizationId ?? (await this.users.onlyOrganizationOf(userId)),
      metadata: { user_id: userId, label, scopes, expires: expires?.toISOString() ?? null },
    });
    return material;
  }

  async revokeKey(accessKey: string): Promise<void> {
    const key = await this.keys.revoke(accessKey);
    if (key === undefined) throw keyNotFound();
    const organizationId = key.organizationId ?? (await this.users.onlyOrganizationOf(key.userId));
    this.unitOfWork.note({ organizationId, metadata: { user_id: key.userId } });
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
  }
}

function requireMinimumLength(password: string): string {
  if (password.length < MIN_PASSWORD_LENGTH) throw passwordTooShort(MIN_PASSWORD_LENGTH);
  return password;
}
