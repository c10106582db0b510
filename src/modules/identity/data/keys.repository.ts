import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { KeyScope } from '../../../platform/api/caller';
import type { KeyUse } from '../../../platform/auth/authenticator';
import { Database } from '../../../platform/database/database';
import { byId, readSlice } from '../../../platform/database/list-order';
import { type Sql, raw, sql } from '../../../platform/database/sql';
import { ApiKey } from './api-key.entity';
import type { ReviewReason } from './api-key-review.entity';
import { type CallerRecord, callerColumns } from './caller-record';
import { requiresProvider } from './requires-provider';

/** A key with its user and the user's memberships, read in one query. */
export interface KeyRecord extends CallerRecord {
  readonly id: number;
  readonly accessKey: string;
  readonly secretHash: Buffer;
  readonly previousSecretHash: Buffer | null;
  readonly previousSecretUntil: Date | null;
  readonly label: string;
  readonly scopes: KeyScope[];
  readonly organizationId: number | null;
  readonly expires: Date | null;
  readonly revoked: Date | null;
  readonly limitedToDeleted: boolean;
  readonly identityId: number | null;
  /** When the provider last confirmed the identity that the key ends with. */
  readonly identityChecked: Date | null;
  /** When the key next ceases to open an organization. */
  readonly nextEnd: Date | null;
}

export type NewKey = Pick<
  ApiKey,
  | 'accessKey'
  | 'secretHash'
  | 'userId'
  | 'label'
  | 'scopes'
  | 'organizationId'
  | 'expires'
  | 'parentId'
  | 'identityId'
  | 'userAgent'
>;

/** A key as its user sees it. */
export interface KeyOfUser extends Omit<ApiKey, 'secretHash' | 'previousSecretHash'> {
  /** The access key of the key that created it. */
  readonly createdBy: string | null;
  /** The organizations that it opens; null for a key of an integrator without a limit, which opens all of the integrator's. */
  readonly organizationIds: readonly number[] | null;
  /** Why its user is asked to keep or to end it; null if it needs no decision. */
  readonly review: ReviewReason | null;
}

/** A key as owners of an organization see it. */
export interface KeyOfMember extends Pick<ApiKey, 'id' | 'accessKey' | 'label' | 'scopes' | 'created' | 'lastUsed'> {
  readonly email: string;
}

/** The keys that a user, or one of its keys, may see. */
export interface KeyOwner {
  readonly userId: number;
  /** Only keys that are limited to one of these organizations, if set. */
  readonly limitedTo: readonly number[] | null;
}

const newestFirst = byId<KeyOfUser>('k.id');

const opened = raw(`CASE WHEN k.organization_id IS NOT NULL THEN json_build_array(k.organization_id)
  WHEN owner.integrator_id IS NULL THEN (SELECT coalesce(json_agg(c.organization_id ORDER BY c.organization_id), '[]')
    FROM api_key_organizations c WHERE c.key_id = k.id AND (c.ends IS NULL OR c.ends > now())) END`);

@Injectable()
export class KeysRepository {
  private readonly columns = sql`
    ${this.database.columns(ApiKey, 'k', ['secretHash', 'previousSecretHash'])}, parent.access_key AS "createdBy",
    ${opened} AS "organizationIds", review.reason AS review`;

  constructor(private readonly database: Database) {}

  findByAccessKey(accessKey: string): Promise<KeyRecord | undefined> {
    this.database.readFromPrimary();
    return this.database.row<KeyRecord>(sql`
      SELECT k.id, k.access_key AS "accessKey", k.secret_hash AS "secretHash",
        k.previous_secret_hash AS "previousSecretHash", k.previous_secret_until AS "previousSecretUntil", k.label, k.scopes,
        k.organization_id AS "organizationId", k.expires, k.revoked,
        ${callerColumns}, coalesce(limited.deleted_at IS NOT NULL, false) AS "limitedToDeleted",
        k.identity_id AS "identityId", identity.checked AS "identityChecked",
        (SELECT min(c.ends) FROM api_key_organizations c WHERE c.key_id = k.id AND c.ends > now()) AS "nextEnd",
        (SELECT coalesce(json_agg(json_build_object('organization_id', m.organization_id, 'role', m.role)), '[]')
           FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
          WHERE m.user_id = u.id AND (k.organization_id = m.organization_id OR (k.organization_id IS NULL AND EXISTS (
            SELECT 1 FROM api_key_organizations c
              WHERE c.key_id = k.id AND c.organization_id = m.organization_id AND (c.ends IS NULL OR c.ends > now()))))
            AND (k.identity_id IS NOT NULL OR NOT ${requiresProvider} OR k.created <= (
              SELECT r.since FROM provider_requirements r WHERE r.organization_id = m.organization_id))
        ) AS memberships
      FROM api_keys k
      JOIN users u ON u.id = k.user_id
      LEFT JOIN integrators i ON i.id = u.integrator_id
      LEFT JOIN organizations limited ON limited.id = k.organization_id
      LEFT JOIN provider_identities identity ON identity.id = k.identity_id
      WHERE k.access_key = ${accessKey}`);
  }

  /** A key without a limit opens the organizations that its user is in now, and that the key that creates it opens. */
  async save(key: NewKey): Promise<number> {
    const repository = await this.database.repository(ApiKey);
    const { identifiers } = await repository.insert(key);
    const { id } = identifiers[0] as { id: number };
    if (key.organizationId !== null) return id;
    const { userId, parentId } = key;
    await this.database.change(sql`
      INSERT INTO api_key_organizations (key_id, organization_id, user_id, ends)
      SELECT ${id}, m.organization_id, m.user_id, c.ends FROM memberships m
      LEFT JOIN api_key_organizations c ON c.key_id = ${parentId}::int AND c.organization_id = m.organization_id
      WHERE m.user_id = ${userId} AND NOT ${requiresProvider} AND (
        ${parentId}::int IS NULL OR (c.key_id IS NOT NULL AND (c.ends IS NULL OR c.ends > now())))`);
    return id;
  }

  async opensAny(id: number): Promise<boolean> {
    const row = await this.database.row<{ ids: number[] | null }>(sql`
      SELECT ${opened} AS ids FROM api_keys k JOIN users owner ON owner.id = k.user_id WHERE k.id = ${id}`);
    return row?.ids?.length !== 0;
  }

  listOf(owner: KeyOwner, page: Page): Promise<Slice<KeyOfUser>> {
    const list = this.ofOwner(owner);
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  findOneOf(owner: KeyOwner, id: number): Promise<KeyOfUser | undefined> {
    return this.database.row(sql`SELECT ${this.columns} ${this.ofOwner(owner)} AND k.id = ${id}`);
  }

  async hasToReview(userId: number, now: Date): Promise<boolean> {
    const found = await this.database.row(sql`
      SELECT 1 FROM api_keys k JOIN api_key_reviews r ON r.key_id = k.id WHERE k.user_id = ${userId} AND ${usable(now)} LIMIT 1`);
    return found !== undefined;
  }

  /** Returns false if the user was not asked. */
  async keep(id: number): Promise<boolean> {
    return (await this.database.change(sql`DELETE FROM api_key_reviews WHERE key_id = ${id}`)) === 1;
  }

  async countUsableInLocked(userId: number, now: Date): Promise<number> {
    const row = await this.database.row<{ keys: number }>(sql`
      SELECT count(*)::int AS keys FROM api_keys k WHERE k.user_id = ${userId} AND ${usable(now)}`);
    return row?.keys ?? 0;
  }

  /** Removes keys of the user that have ended, except the newest. Keys that they created have ended with them. */
  async removeOldEndedInLocked(userId: number, now: Date, kept: number): Promise<void> {
    const ended = sql`user_id = ${userId} AND (revoked IS NOT NULL OR expires <= ${now})`;
    await this.database.change(sql`
      DELETE FROM api_keys WHERE ${ended} AND id <= (
        SELECT id FROM api_keys WHERE ${ended} ORDER BY id DESC OFFSET ${kept} LIMIT 1)`);
  }

  async isRevoked(id: number): Promise<boolean> {
    const found = await this.database.row(sql`SELECT 1 FROM api_keys WHERE id = ${id} AND revoked IS NULL`);
    return found === undefined;
  }

  /** Whether a key is another one, or was created by it, also through other keys. */
  async isInFamilyOf(ancestorId: number, id: number): Promise<boolean> {
    const found = await this.database.row(sql`${family(ancestorId)} SELECT 1 FROM family WHERE id = ${id}`);
    return found !== undefined;
  }

  async replaceSecret(id: number, secretHash: Buffer, previousUntil: Date | null): Promise<void> {
    await this.database.change(sql`
      UPDATE api_keys SET secret_hash = ${secretHash}, previous_secret_until = ${previousUntil}::timestamptz,
        previous_secret_hash = CASE WHEN ${previousUntil}::timestamptz IS NULL THEN NULL ELSE secret_hash END
      WHERE id = ${id}`);
  }

  listNotShownForVisible(organizationId: number): Promise<KeyOfMember[]> {
    return this.database.rows(sql`
      SELECT k.id, k.access_key AS "accessKey", k.label, k.scopes, k.created, k.last_used AS "lastUsed", u.email
      FROM api_key_organizations c JOIN api_keys k ON k.id = c.key_id JOIN users u ON u.id = k.user_id
      WHERE c.organization_id = ${organizationId} AND NOT c.shown_to_owners AND k.revoked IS NULL
      ORDER BY k.last_used DESC NULLS LAST, k.id DESC LIMIT 100`);
  }

  markShown(organizationId: number): Promise<number> {
    return this.database.change(sql`
      UPDATE api_key_organizations SET shown_to_owners = true
      WHERE organization_id = ${organizationId} AND NOT shown_to_owners`);
  }

  /** Returns the key; undefined if it does not open the organization. */
  async closeOrganization(id: number, organizationId: number): Promise<string | undefined> {
    const closed = await this.database.row<{ accessKey: string }>(sql`
      DELETE FROM api_key_organizations c USING api_keys k
      WHERE k.id = c.key_id AND c.key_id = ${id} AND c.organization_id = ${organizationId}
      RETURNING k.access_key AS "accessKey"`);
    return closed?.accessKey;
  }

  /** Revokes a key and all keys that it created, also through other keys. Returns how many; 0 if it was already revoked. */
  revokeFamilyInLocked(id: number): Promise<number> {
    return this.database.change(sql`
      ${family(id)} UPDATE api_keys SET revoked = now() WHERE id IN (SELECT id FROM family) AND revoked IS NULL`);
  }

  /** At most once a minute for all processes, so that requests with one key do not contend for its row. */
  async touch(id: number): Promise<void> {
    await this.database.change(sql`
      UPDATE api_keys SET last_used = now()
      WHERE id = ${id} AND (last_used IS NULL OR last_used < now() - interval '1 minute')`);
  }

  /** At most once an hour for all processes. */
  async recordUse(id: number, use: KeyUse): Promise<void> {
    await this.database.change(sql`
      UPDATE api_keys SET uses = uses || jsonb_build_object(${use}::text, now())
      WHERE id = ${id} AND coalesce((uses ->> ${use}::text)::timestamptz < now() - interval '1 hour', true)`);
  }

  async changeScopes(id: number, scopes: KeyScope[]): Promise<void> {
    const repository = await this.database.repository(ApiKey);
    await repository.update({ id }, { scopes });
  }

  private ofOwner({ userId, limitedTo }: KeyOwner): Sql {
    return sql`FROM api_keys k JOIN users owner ON owner.id = k.user_id
      LEFT JOIN api_keys parent ON parent.id = k.parent_id LEFT JOIN api_key_reviews review ON review.key_id = k.id
      WHERE k.user_id = ${userId} AND (${limitedTo}::int[] IS NULL OR k.organization_id = ANY(${limitedTo}::int[]))`;
  }
}

/** Neither revoked nor expired. */
const usable = (now: Date): Sql => sql`k.revoked IS NULL AND (k.expires IS NULL OR k.expires > ${now})`;

/** A key with all keys that it created. */
const family = (id: number): Sql => sql`
  WITH RECURSIVE family AS (
    SELECT k.id FROM api_keys k WHERE k.id = ${id}
    UNION ALL SELECT k.id FROM api_keys k JOIN family ON k.parent_id = family.id)`;
