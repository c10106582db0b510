import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { type CallerRecord, callerColumns } from './caller-record';
import { requiresProvider } from './requires-provider';
import { Session } from './session.entity';

/** A session with its user and the user's memberships, read in one query. */
export interface SessionRecord extends CallerRecord {
  readonly id: number;
  readonly created: Date;
  readonly lastUsed: Date;
  readonly isOwn: boolean;
  /** Whether it reaches all that its user may: by the user's own means, or by the provider of the installation. */
  readonly reachesAll: boolean;
}

export type NewSession = Pick<Session, 'tokenHash' | 'userId' | 'ip' | 'userAgent'> & Partial<Pick<Session, 'isOwn'>>;

@Injectable()
export class SessionsRepository {
  private readonly columns = this.database.columns(Session, 's', ['tokenHash']);

  constructor(private readonly database: Database) {}

  /**
   * With the memberships that the session reaches: through an identity that its provider has confirmed since, or by the user's
   * own means where the organization does not require its provider.
   */
  findByToken(tokenHash: Buffer, confirmedSince: Date): Promise<SessionRecord | undefined> {
    const confirmed = sql`FROM session_identities si JOIN provider_identities i ON i.id = si.identity_id
      WHERE si.session_id = s.id AND i.ended IS NULL AND i.checked > ${confirmedSince}`;
    return this.database.row<SessionRecord>(sql`
      SELECT s.id, s.created, s.last_used AS "lastUsed", s.is_own AS "isOwn", ${callerColumns},
        s.is_own OR EXISTS (SELECT 1 ${confirmed} AND i.organization_id IS NULL) AS "reachesAll",
        (SELECT coalesce(json_agg(json_build_object(
             'organization_id', m.organization_id, 'role', m.role, 'identity_id', opened.id)), '[]')
           FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
           LEFT JOIN LATERAL (SELECT i.id ${confirmed} AND (i.organization_id = m.organization_id OR i.organization_id IS NULL)
             ORDER BY i.organization_id LIMIT 1) opened ON true
          WHERE m.user_id = u.id
            AND (opened.id IS NOT NULL OR (s.is_own AND NOT ${requiresProvider}))) AS memberships
      FROM sessions s
      JOIN users u ON u.id = s.user_id
      LEFT JOIN integrators i ON i.id = u.integrator_id
      WHERE s.token_hash = ${tokenHash}`);
  }

  listOf(userId: number): Promise<Omit<Session, 'tokenHash'>[]> {
    return this.database.rows(sql`
      SELECT ${this.columns} FROM sessions s WHERE s.user_id = ${userId} ORDER BY s.last_used DESC, s.id DESC`);
  }

  async save(session: NewSession): Promise<number> {
    const repository = await this.database.repository(Session);
    const { identifiers } = await repository.insert(session);
    return (identifiers[0] as { id: number }).id;
  }

  /** Returns false if it has ended. */
  async replaceToken(id: number, tokenHash: Buffer): Promise<boolean> {
    const repository = await this.database.repository(Session);
    return (await repository.update({ id }, { tokenHash })).affected === 1;
  }

  /** Ends those of a user that began before the newest. */
  async endOldest(userId: number, kept: number): Promise<void> {
    await this.database.change(sql`
      DELETE FROM sessions WHERE user_id = ${userId} AND id <= (
        SELECT id FROM sessions WHERE user_id = ${userId} ORDER BY id DESC OFFSET ${kept} LIMIT 1)`);
  }

  /** At most once a minute, so that the requests of one browser do not contend for the row. */
  async touch(id: number): Promise<void> {
    await this.database.change(sql`
      UPDATE sessions SET last_used = now() WHERE id = ${id} AND last_used < now() - interval '1 minute'`);
  }

  async end(userId: number, id: number): Promise<boolean> {
    return (await this.database.change(sql`DELETE FROM sessions WHERE user_id = ${userId} AND id = ${id}`)) === 1;
  }

  endOthers(userId: number, id: number): Promise<number> {
    return this.database.change(sql`DELETE FROM sessions WHERE user_id = ${userId} AND id <> ${id}`);
  }

  /** Also the sign-ins that wait for a code. Returns the number of sessions. */
  async endAll(userId: number): Promise<number> {
    await this.database.change(sql`DELETE FROM sign_in_challenges WHERE user_id = ${userId}`);
    return this.database.change(sql`DELETE FROM sessions WHERE user_id = ${userId}`);
  }

  deleteUnused(createdBefore: Date, lastUsedBefore: Date): Promise<number> {
    return this.database.change(sql`
      DELETE FROM sessions WHERE created < ${createdBefore} OR last_used < ${lastUsedBefore}`);
  }
}
