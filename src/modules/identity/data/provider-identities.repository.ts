import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { sql } from '../../../platform/database/sql';
import { ownedIn } from '../../../platform/database/visible';
import { identityTaken } from '../domain/provider-sign-in.errors';
import { ProviderIdentity } from './provider-identity.entity';
import { ProviderRequirement } from './provider-requirement.entity';
import type { SealedRow } from './sealed-row';

export type NewIdentity = Omit<ProviderIdentity, 'id' | 'created' | 'ended' | 'admittedEmail' | 'reviewSince'>;

/** Who a provider says that a user is. */
export type ProviderSubject = Pick<ProviderIdentity, 'organizationId' | 'issuer' | 'subject'>;

/** The sessions that a provider has ended: one of its own, or all of a subject. */
export interface EndedAtProvider {
  readonly organizationId: number | null;
  readonly issuer: string;
  readonly subject?: string;
  readonly sid?: string;
}

@Injectable()
export class ProviderIdentitiesRepository {
  private readonly columns = this.database.columns(ProviderIdentity, 'i');

  constructor(private readonly database: Database) {}

  find({ organizationId, issuer, subject }: ProviderSubject): Promise<ProviderIdentity | undefined> {
    return this.database.row(sql`
      SELECT ${this.columns} FROM provider_identities i
      WHERE i.organization_id IS NOT DISTINCT FROM ${organizationId} AND i.issuer = ${issuer} AND i.subject = ${subject}`);
  }

  async findLocked(subject: ProviderSubject): Promise<ProviderIdentity | undefined> {
    const found = await this.find(subject);
    if (found === undefined) return undefined;
    await this.database.row(sql`SELECT 1 FROM users WHERE id = ${found.userId} FOR NO KEY UPDATE`);
    return this.find(subject);
  }

  /** Returns false if the session has ended. */
  /** Without a scope: the service checks the identities of all users. */
  findById(id: number): Promise<ProviderIdentity | undefined> {
    return this.database.row(sql`SELECT ${this.columns} FROM provider_identities i WHERE i.id = ${id}`);
  }

  listOf(userId: number): Promise<ProviderIdentity[]> {
    return this.database.rows(
      sql`SELECT ${this.columns} FROM provider_identities i WHERE i.user_id = ${userId} ORDER BY i.id`,
    );
  }

  listOfOrganization(organizationId: number): Promise<ProviderIdentity[]> {
    return this.database.rows(
      sql`SELECT ${this.columns} FROM provider_identities i WHERE i.organization_id = ${organizationId}`,
    );
  }

  /** Those with sessions or keys that work, and a refresh token to ask with. */
  listUnconfirmed(
    scope: Scope,
    before: Date,
    limit: number,
  ): Promise<Pick<ProviderIdentity, 'id' | 'organizationId'>[]> {
    return this.database.rows(sql`
      SELECT i.id, i.organization_id AS "organizationId" FROM provider_identities i
      WHERE i.ended IS NULL AND i.checked < ${before} AND i.sealed IS NOT NULL AND ${ownedIn(scope, 'i.organization_id')} AND (
        EXISTS (SELECT 1 FROM session_identities s WHERE s.identity_id = i.id)
        OR EXISTS (SELECT 1 FROM api_keys k WHERE k.identity_id = i.id AND k.revoked IS NULL))
      ORDER BY i.checked LIMIT ${limit}`);
  }

  async save(identity: NewIdentity, isAdmitted: boolean): Promise<number> {
    const repository = await this.database.repository(ProviderIdentity);
    const saved = repository.insert(identity);
    const { identifiers } = await onViolation(saved, { uq_provider_identities_subject: identityTaken });
    const { id } = identifiers[0] as { id: number };
    if (isAdmitted)
      await this.database.change(sql`
        UPDATE provider_identities i SET admitted_email = u.folded_email FROM users u WHERE i.id = ${id} AND u.id = i.user_id`);
    return id;
  }

  async change(
    id: number,
    change: Partial<Pick<ProviderIdentity, 'checked' | 'ended' | 'sealed' | 'reviewSince'>>,
  ): Promise<void> {
    const repository = await this.database.repository(ProviderIdentity);
    await repository.update({ id }, change);
  }

  async remove(id: number): Promise<void> {
    const repository = await this.database.repository(ProviderIdentity);
    await repository.delete({ id });
  }

  revokeKeysOf(id: number): Promise<number> {
    return this.database.change(sql`
      UPDATE api_keys SET revoked = now() WHERE identity_id = ${id} AND revoked IS NULL`);
  }

  async addToSession(sessionId: number, identityId: number, sid: string | null): Promise<void> {
    await this.database.change(sql`
      INSERT INTO session_identities (session_id, identity_id, sid) VALUES (${sessionId}, ${identityId}, ${sid})
      ON CONFLICT (session_id, identity_id) DO UPDATE SET sid = excluded.sid`);
  }

  /** Takes identities out of sessions, and ends those that nothing else keeps open. Returns the identities. */
  async closeSessions({ organizationId, issuer, subject, sid }: EndedAtProvider): Promise<number[]> {
    const closed = await this.database.rows<{ id: number; sessionId: number }>(sql`
      DELETE FROM session_identities s USING provider_identities i
      WHERE i.id = s.identity_id AND i.organization_id IS NOT DISTINCT FROM ${organizationId} AND i.issuer = ${issuer}
        AND (${subject}::text IS NULL OR i.subject = ${subject}::text) AND (${sid}::text IS NULL OR s.sid = ${sid}::text)
      RETURNING i.id, s.session_id AS "sessionId"`);
    await this.database.change(sql`
      DELETE FROM sessions s WHERE s.id = ANY(${closed.map(({ sessionId }) => sessionId)}::int[]) AND NOT s.is_own
        AND NOT EXISTS (SELECT 1 FROM session_identities i WHERE i.session_id = s.id)`);
    return [...new Set(closed.map(({ id }) => id))];
  }

  findRequirement(organizationId: number): Promise<ProviderRequirement | undefined> {
    return this.database.row(sql`
      SELECT organization_id AS "organizationId", since, break_glass_user_id AS "breakGlassUserId"
      FROM provider_requirements WHERE organization_id = ${organizationId}`);
  }

  /** `since` stays from the first time. */
  async require({ organizationId, since, breakGlassUserId }: ProviderRequirement): Promise<void> {
    await this.database.change(sql`
      INSERT INTO provider_requirements (organization_id, since, break_glass_user_id)
      VALUES (${organizationId}, ${since}, ${breakGlassUserId})
      ON CONFLICT (organization_id) DO UPDATE SET break_glass_user_id = excluded.break_glass_user_id`);
  }

  async requireNoLonger(organizationId: number): Promise<void> {
    const repository = await this.database.repository(ProviderRequirement);
    await repository.delete({ organizationId });
  }

  listAfter(id: number, limit: number): Promise<SealedRow[]> {
    return this.database.rows(sql`
      SELECT id, sealed FROM provider_identities WHERE id > ${id} AND sealed IS NOT NULL ORDER BY id LIMIT ${limit}`);
  }

  /** Returns false if the token was replaced meanwhile. */
  async reencrypt({ id, sealed }: SealedRow, resealed: Buffer): Promise<boolean> {
    const changed = await this.database.change(
      sql`UPDATE provider_identities SET sealed = ${resealed} WHERE id = ${id} AND sealed = ${sealed}`,
    );
    return changed === 1;
  }
}
