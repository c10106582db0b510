import { Injectable } from '@nestjs/common';
import type { Role } from '../../../kernel/role';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { sql } from '../../../platform/database/sql';
import { organizationNotFound } from '../../organizations';
import { alreadyMember, emailTaken } from '../domain/identity.errors';
import { type CallerRecord, callerColumns } from './caller-record';
import { Membership } from './membership.entity';
import { requiresProvider } from './requires-provider';
import { User } from './user.entity';

/** An organization of a user, without its provider. */
export interface OwnReach {
  readonly organizationId: number;
  readonly name: string;
  /** Whether it requires its provider, also of this user. */
  readonly isClosed: boolean;
  readonly isBreakGlass: boolean;
}

export type NewUser = Pick<User, 'email' | 'foldedEmail' | 'name' | 'passwordHash' | 'integratorId'>;

@Injectable()
export class UsersRepository {
  private readonly columns = this.database.columns(User, 'u');

  constructor(private readonly database: Database) {}

  find(id: number): Promise<User | undefined> {
    return this.database.row<User>(sql`SELECT ${this.columns} FROM users u WHERE u.id = ${id}`);
  }

  findByEmail(foldedEmail: string): Promise<User | undefined> {
    return this.database.row<User>(sql`SELECT ${this.columns} FROM users u WHERE u.folded_email = ${foldedEmail}`);
  }

  /** With the memberships in organizations that are not deleted. */
  findCallerRecord(id: number): Promise<CallerRecord | undefined> {
    return this.database.row<CallerRecord>(sql`
      SELECT ${callerColumns},
        (SELECT coalesce(json_agg(json_build_object('organization_id', m.organization_id, 'role', m.role)), '[]')
           FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
          WHERE m.user_id = u.id) AS memberships
      FROM users u LEFT JOIN integrators i ON i.id = u.integrator_id WHERE u.id = ${id}`);
  }

  /** Of users who acted on records that the caller can see. */
  listNamesOfVisible(ids: readonly number[]): Promise<Pick<User, 'id' | 'name' | 'email'>[]> {
    return this.database.shortRows(sql`SELECT u.id, u.name, u.email FROM users u WHERE u.id = ANY(${ids}::int[])`);
  }

  /**
   * Serializes the changes of a user's keys and memberships: a key that is being created cannot escape the revocation of the
   * key that creates it. Returns false if the user was deleted.
   */
  async lockForNoKeyUpdate(id: number): Promise<boolean> {
    return (await this.database.row(sql`SELECT 1 FROM users WHERE id = ${id} FOR NO KEY UPDATE`)) !== undefined;
  }

  /** Keeps the password from changing. Returns false if it has changed. */
  async lockForShareWithPassword(id: number, passwordHash: string | null): Promise<boolean> {
    const row = await this.database.row(
      sql`SELECT 1 FROM users WHERE id = ${id} AND password_hash = ${passwordHash} FOR SHARE`,
    );
    return row !== undefined;
  }

  lockForUpdate(id: number): Promise<User | undefined> {
    return this.database.row<User>(sql`SELECT ${this.columns} FROM users u WHERE u.id = ${id} FOR UPDATE`);
  }

  async save(user: NewUser): Promise<number> {
    const repository = await this.database.repository(User);
    const { identifiers } = await onViolation(repository.insert(user), { uq_users_email: emailTaken });
    return (identifiers[0] as { id: number }).id;
  }

  async saveMembership(userId: number, organizationId: number, role: Role): Promise<void> {
    const repository = await this.database.repository(Membership);
    await onViolation(repository.insert({ userId, organizationId, role }), {
      pk_memberships: alreadyMember,
      fk_memberships_organization: organizationNotFound,
    });
    // A member who has come back is not removed any more: the provider does not undo a later departure.
    await this.database.change(sql`
      UPDATE provisioned_members SET removed_role = NULL
      WHERE organization_id = ${organizationId} AND user_id = ${userId} AND removed_role IS NOT NULL`);
  }

  async changePassword(id: number, passwordHash: string | null): Promise<void> {
    const repository = await this.database.repository(User);
    await repository.update({ id }, { passwordHash });
  }

  async changeName(id: number, name: string | null): Promise<void> {
    const repository = await this.database.repository(User);
    await repository.update({ id }, { name });
  }

  async markSignedIn(id: number, at: Date): Promise<void> {
    await this.database.change(sql`UPDATE users SET first_sign_in = ${at} WHERE id = ${id} AND first_sign_in IS NULL`);
  }

  async existsAny(): Promise<boolean> {
    return (await this.database.row(sql`SELECT 1 FROM users LIMIT 1`)) !== undefined;
  }

  /** The database deletes memberships, keys, sessions, and links that the user created, by ON DELETE CASCADE. */
  async remove(id: number): Promise<void> {
    const repository = await this.database.repository(User);
    await repository.delete({ id });
  }

  listOwnReach(userId: number): Promise<OwnReach[]> {
    return this.database.rows(sql`
      SELECT o.id AS "organizationId", o.name, ${requiresProvider} AS "isClosed",
        p.organization_id IS NOT NULL AND NOT ${requiresProvider} AS "isBreakGlass"
      FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
      LEFT JOIN provider_requirements p ON p.organization_id = m.organization_id
      WHERE m.user_id = ${userId} ORDER BY o.id`);
  }

  /** The organization whose audit log has the entries of a key without an organization; null if the user has several. */
  async onlyOrganizationOf(userId: number): Promise<number | null> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT o.id FROM users u JOIN organizations o ON o.deleted_at IS NULL AND (o.integrator_id = u.integrator_id
        OR EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.organization_id = o.id))
      WHERE u.id = ${userId} LIMIT 2`);
    return rows.length === 1 ? (rows[0]?.id ?? null) : null;
  }

  /** Whether the user can access the organization, as a member or through an integrator. */
  async canAccessOrganization(userId: number, organizationId: number): Promise<boolean> {
    const found = await this.database.row(sql`
      SELECT 1 FROM users u JOIN organizations o ON o.id = ${organizationId} AND o.deleted_at IS NULL
      WHERE u.id = ${userId} AND (o.integrator_id = u.integrator_id
        OR EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.organization_id = o.id))`);
    return found !== undefined;
  }
}
