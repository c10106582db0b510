import { Injectable } from '@nestjs/common';
import type { Role } from '../../../kernel/role';
import { Database } from '../../../platform/database/database';
import { raw, type Sql, sql } from '../../../platform/database/sql';

/** A member of an organization, or one whom its provider has removed. */
export interface ProvisionedUser {
  readonly userId: number;
  readonly email: string;
  readonly name: string | null;
  readonly externalId: string | null;
  /** Null if the provider has removed the member. */
  readonly role: Role | null;
  readonly removedRole: Role | null;
  readonly created: Date;
}

/** Those that equal all given values. */
export interface ProvisionedFilter {
  readonly userId?: number;
  readonly foldedEmail?: string;
  readonly externalId?: string;
}

export interface ProvisionedPage {
  readonly offset: number;
  readonly limit: number;
}

const columns = raw(`u.id AS "userId", u.email, u.name, p.external_id AS "externalId", m.role,
  p.removed_role AS "removedRole", coalesce(m.created, p.created) AS created`);

/**
 * Users whom nobody but the provider of one organization can be: without a way to sign in of their own, and with nothing outside of
 * it. A table that gives a user either belongs here.
 */
const unclaimedOutside = (organizationId: number): Sql => sql`
  u.password_hash IS NULL AND u.integrator_id IS NULL
  AND NOT EXISTS (SELECT 1 FROM passkeys o WHERE o.user_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM address_proofs o WHERE o.user_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM provider_identities o WHERE o.user_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM sessions o WHERE o.user_id = u.id AND o.is_own)
  AND NOT EXISTS (SELECT 1 FROM memberships o WHERE o.user_id = u.id AND o.organization_id <> ${organizationId})
  AND NOT EXISTS (SELECT 1 FROM provisioned_members o WHERE o.user_id = u.id AND o.organization_id <> ${organizationId})
  AND NOT EXISTS (SELECT 1 FROM api_keys o
    WHERE o.user_id = u.id AND o.revoked IS NULL AND o.organization_id IS DISTINCT FROM ${organizationId})`;

@Injectable()
export class ProvisionedMembersRepository {
  constructor(private readonly database: Database) {}

  async listOfVisible(
    organizationId: number,
    filter: ProvisionedFilter,
    { offset, limit }: ProvisionedPage,
  ): Promise<{ users: ProvisionedUser[]; total: number }> {
    const list = listOf(organizationId, filter);
    const users = await this.database.rows<ProvisionedUser>(
      sql`SELECT ${columns} ${list} ORDER BY u.id OFFSET ${offset} LIMIT ${limit}`,
    );
    const row = await this.database.row<{ total: number }>(sql`SELECT count(*)::int AS total ${list}`);
    return { users, total: row?.total ?? 0 };
  }

  findOneOfVisible(organizationId: number, filter: ProvisionedFilter): Promise<ProvisionedUser | undefined> {
    return this.database.row(sql`SELECT ${columns} ${listOf(organizationId, filter)}`);
  }

  /** A member whom SCIM has added or linked: with the subject as the external id, or else with the address. */
  findUnclaimedMember(
    organizationId: number,
    subject: string,
    foldedEmail: string | undefined,
  ): Promise<{ userId: number; role: Role } | undefined> {
    return this.database.row(sql`
      SELECT u.id AS "userId", m.role FROM users u
      JOIN memberships m ON m.user_id = u.id AND m.organization_id = ${organizationId}
      JOIN provisioned_members p ON p.user_id = u.id AND p.organization_id = ${organizationId}
      WHERE (p.external_id = ${subject} OR u.folded_email = ${foldedEmail}::text) AND ${unclaimedOutside(organizationId)}
      ORDER BY p.external_id IS NOT DISTINCT FROM ${subject} DESC, u.id LIMIT 1`);
  }

  /** An unclaimed user without any membership, such as one whom the provider has deleted before. */
  async findUnclaimedUser(organizationId: number, foldedEmail: string): Promise<number | undefined> {
    const row = await this.database.row<{ id: number }>(sql`
      SELECT u.id FROM users u WHERE u.folded_email = ${foldedEmail} AND ${unclaimedOutside(organizationId)}
        AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id)`);
    return row?.id;
  }

  async saveExternalId(organizationId: number, userId: number, externalId: string | null): Promise<void> {
    await this.database.change(sql`
      INSERT INTO provisioned_members (organization_id, user_id, external_id)
      VALUES (${organizationId}, ${userId}, ${externalId})
      ON CONFLICT (organization_id, user_id) DO UPDATE SET external_id = excluded.external_id`);
  }

  async saveRemoved(organizationId: number, userId: number, role: Role): Promise<void> {
    await this.database.change(sql`
      INSERT INTO provisioned_members (organization_id, user_id, removed_role)
      VALUES (${organizationId}, ${userId}, ${role})
      ON CONFLICT (organization_id, user_id) DO UPDATE SET removed_role = excluded.removed_role`);
  }

  async forget(organizationId: number, userId: number): Promise<void> {
    await this.database.change(sql`
      DELETE FROM provisioned_members WHERE organization_id = ${organizationId} AND user_id = ${userId}`);
  }
}

const listOf = (organizationId: number, { userId, foldedEmail, externalId }: ProvisionedFilter): Sql => sql`
  FROM users u
  LEFT JOIN memberships m ON m.user_id = u.id AND m.organization_id = ${organizationId}
  LEFT JOIN provisioned_members p ON p.user_id = u.id AND p.organization_id = ${organizationId}
  WHERE u.id IN (
      SELECT user_id FROM memberships WHERE organization_id = ${organizationId}
      UNION SELECT user_id FROM provisioned_members
        WHERE organization_id = ${organizationId} AND removed_role IS NOT NULL)
    AND (${userId}::int IS NULL OR u.id = ${userId}::int)
    AND (${foldedEmail}::text IS NULL OR u.folded_email = ${foldedEmail}::text)
    AND (${externalId}::text IS NULL OR p.external_id = ${externalId}::text)`;
