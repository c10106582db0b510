import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Role } from '../../../kernel/role';
import { Database } from '../../../platform/database/database';
import { ListOrder, readSlice } from '../../../platform/database/list-order';
import { raw, sql } from '../../../platform/database/sql';
import { isAtLeast } from '../../../kernel/role';
import { neededForApprovals } from '../domain/identity.errors';
import { Membership } from './membership.entity';

/** A user with the role in one organization. */
export interface Member {
  readonly userId: number;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly isAddressProved: boolean;
  /** When the user joined the organization. */
  readonly created: Date;
}

const columns = raw(`m.user_id AS "userId", u.email, u.name, m.role, m.created,
  EXISTS (SELECT 1 FROM address_proofs p WHERE p.user_id = m.user_id) AS "isAddressProved"`);
const provedAdmin = raw(
  `m.role IN ('owner', 'admin') AND EXISTS (SELECT 1 FROM address_proofs p WHERE p.user_id = m.user_id)`,
);
const newestFirst = new ListOrder<Member>(['m.user_id'], ({ userId }) => [userId]);

@Injectable()
export class MembersRepository {
  constructor(private readonly database: Database) {}

  listForVisible(organizationId: number, page: Page): Promise<Slice<Member>> {
    const list = sql`FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = ${organizationId}`;
    const rows = sql`SELECT ${columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  listOfVisible(organizationId: number, userIds: readonly number[] | undefined): Promise<Member[]> {
    return this.database.rows<Member>(sql`
      SELECT ${columns} FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = ${organizationId} AND (${userIds}::int[] IS NULL OR m.user_id = ANY(${userIds}::int[]))`);
  }

  /** By the beginning of the e-mail address, or of a word of the name; at most 20 for each. */
  listNamedInVisible(organizationId: number, names: readonly string[]): Promise<{ name: string; userId: number }[]> {
    return this.database.rows(sql`
      SELECT given.name, found."userId" FROM unnest(${names}::text[]) AS given (name) CROSS JOIN LATERAL (
        SELECT m.user_id AS "userId" FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = ${organizationId} AND length(given.name) > 1
          AND (starts_with(lower(u.email), given.name) OR strpos(' ' || lower(u.name), ' ' || given.name) > 0)
        ORDER BY m.user_id LIMIT 20) found`);
  }

  findOneOfVisible(organizationId: number, userId: number): Promise<Member | undefined> {
    return this.database.row<Member>(sql`
      SELECT ${columns} FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = ${organizationId} AND m.user_id = ${userId}`);
  }

  async listAdminIdsOfVisible(organizationId: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT user_id AS id FROM memberships WHERE organization_id = ${organizationId} AND role IN ('owner', 'admin')
      ORDER BY user_id LIMIT 20`);
    return rows.map(({ id }) => id);
  }

  async listOwnerIdsOfVisible(organizationId: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT user_id AS id FROM memberships WHERE organization_id = ${organizationId} AND role = 'owner' ORDER BY user_id`);
    return rows.map(({ id }) => id);
  }

  /** Needs no scope, because the caller has read a record of the organization. */
  async lockForKeyShare(organizationId: number, userId: number): Promise<boolean> {
    const found = await this.database.row(sql`
      SELECT 1 FROM memberships WHERE organization_id = ${organizationId} AND user_id = ${userId} FOR KEY SHARE`);
    return found !== undefined;
  }

  async isMemberWithEmail(organizationId: number, foldedEmail: string): Promise<boolean> {
    const found = await this.database.row(sql`
      SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = ${organizationId} AND u.folded_email = ${foldedEmail}`);
    return found !== undefined;
  }

  /** Exact while the organization is locked for counting. */
  async countOwnersInLocked(organizationId: number): Promise<number> {
    const row = await this.database.row<{ owners: number }>(sql`
      SELECT count(*)::int AS owners FROM memberships WHERE organization_id = ${organizationId} AND role = 'owner'`);
    return row?.owners ?? 0;
  }

  /** Whether the user owns an organization that has no other owner. */
  async isSoleOwner(userId: number): Promise<boolean> {
    const found = await this.database.row(sql`
      SELECT 1 FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
      WHERE m.user_id = ${userId} AND m.role = 'owner' AND NOT EXISTS (
        SELECT 1 FROM memberships b WHERE b.organization_id = o.id AND b.role = 'owner' AND b.user_id <> m.user_id)`);
    return found !== undefined;
  }

  /** Whether the user belongs to no other organization, and to no integrator. */
  async belongsOnlyTo(organizationId: number, userId: number): Promise<boolean> {
    const row = await this.database.row<{ isOnly: boolean }>(sql`
      SELECT u.integrator_id IS NULL AND NOT EXISTS (
        SELECT 1 FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
        WHERE m.user_id = u.id AND m.organization_id <> ${organizationId}) AS "isOnly"
      FROM users u WHERE u.id = ${userId}`);
    return row?.isOnly ?? false;
  }

  /** The organizations of a user with the role in each, in the order in which they are locked. */
  listOrganizationsOf(userId: number): Promise<{ id: number; role: Role }[]> {
    return this.database.rows(sql`
      SELECT o.id, m.role FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
      WHERE m.user_id = ${userId} ORDER BY o.id`);
  }

  /**
   * Throws if an organization that requires a second approval, this one or any, would have fewer than two admins with proved
   * addresses without this one. Locks it, so that two of them do not leave at once.
   */
  async requireTwoAdminsWithout(userId: number, organizationId: number | null): Promise<void> {
    const needing = await this.database.rows<{ id: number }>(sql`
      SELECT o.id FROM organizations o JOIN memberships m ON m.organization_id = o.id
      WHERE m.user_id = ${userId} AND ${provedAdmin} AND o.second_approval AND o.deleted_at IS NULL
        AND (${organizationId}::int IS NULL OR o.id = ${organizationId}) ORDER BY o.id FOR NO KEY UPDATE OF o`);
    for (const { id } of needing) {
      const others = await this.database.count(sql`
        SELECT count(*)::int AS count FROM memberships m
        WHERE m.organization_id = ${id} AND m.user_id <> ${userId} AND ${provedAdmin}`);
      if (others < 2) throw neededForApprovals(id);
    }
  }

  async changeRole(organizationId: number, userId: number, role: Role): Promise<void> {
    if (!isAtLeast(role, 'admin')) await this.requireTwoAdminsWithout(userId, organizationId);
    const repository = await this.database.repository(Membership);
    await repository.update({ organizationId, userId }, { role });
  }

  async remove(organizationId: number, userId: number): Promise<void> {
    await this.requireTwoAdminsWithout(userId, organizationId);
    const repository = await this.database.repository(Membership);
    await repository.delete({ organizationId, userId });
  }
}
