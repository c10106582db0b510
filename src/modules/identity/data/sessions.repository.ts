import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import {
  DEFAULT_IDLE_MINUTES,
  DEFAULT_SESSION_MINUTES,
  type ReachableMembership,
  type RuledMembership,
  type ShownFactors,
} from '../domain/sign-in-rules';
import { type CallerRecord, callerColumns } from './caller-record';
import { ownFactors } from './own-factors';
import { requiresProvider } from './requires-provider';
import { Session } from './session.entity';

/** A session with its user and the user's memberships, read in one query. */
export interface SessionRecord extends Omit<CallerRecord, 'memberships'>, ShownFactors {
  readonly memberships: ReachableMembership[];
  readonly id: number;
  readonly created: Date;
  readonly lastUsed: Date;
  /** Whether it reaches all that its user may: by the user's own means, or by the provider of the installation. */
  readonly reachesAll: boolean;
}

export type NewSession = Pick<Session, 'tokenHash' | 'userId' | 'ip' | 'userAgent' | 'hasUsedPasskey' | 'isOwn'>;

export interface SessionOfUser extends Omit<Session, 'tokenHash'> {
  readonly memberships: RuledMembership[];
}

/** Of `users u`, with the rules of their organizations, and more about each membership `m`. */
const memberships = (more = sql``, joined = sql``) => sql`(SELECT coalesce(json_agg(json_build_object(
    'organization_id', m.organization_id, 'role', m.role, 'name', o.name, 'second_factor', r.second_factor,
    'second_factor_from', r.second_factor_from, 'idle_minutes', r.idle_minutes, 'session_minutes', r.session_minutes${more})), '[]')
  FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
  LEFT JOIN sign_in_rules r ON r.organization_id = m.organization_id ${joined} WHERE m.user_id = u.id)`;

@Injectable()
export class SessionsRepository {
  private readonly columns = this.database.columns(Session, 's', ['tokenHash']);

  constructor(private readonly database: Database) {}

  /**
   * A membership is reached through an identity that its provider has confirmed since, or by the user's own means where the
   * organization does not require its provider.
   */
  findByToken(tokenHash: Buffer, confirmedSince: Date): Promise<SessionRecord | undefined> {
    this.database.readFromPrimary();
    const confirmed = sql`FROM session_identities si JOIN provider_identities i ON i.id = si.identity_id
      WHERE si.session_id = s.id AND i.ended IS NULL AND i.checked > ${confirmedSince}`;
    return this.database.row<SessionRecord>(sql`
      SELECT s.id, s.created, s.last_used AS "lastUsed", s.has_used_passkey AS "hasUsedPasskey", s.is_own AS "isOwn",
        ${callerColumns}, s.is_own OR EXISTS (SELECT 1 ${confirmed} AND i.organization_id IS NULL) AS "reachesAll",
        ${memberships(
          sql`, 'identity_id', opened.id, 'is_by_own_provider', opened.organization_id IS NOT NULL,
            'is_reached', opened.id IS NOT NULL OR (s.is_own AND NOT ${requiresProvider})`,
          sql`LEFT JOIN LATERAL (
            SELECT i.id, i.organization_id ${confirmed} AND (i.organization_id = m.organization_id OR i.organization_id IS NULL)
            ORDER BY i.organization_id LIMIT 1) opened ON true`,
        )} AS memberships,
        ${ownFactors(sql`u.id`)}
      FROM sessions s
      JOIN users u ON u.id = s.user_id
      LEFT JOIN integrators i ON i.id = u.integrator_id
      WHERE s.token_hash = ${tokenHash}`);
  }

  /** Returns false if the session has ended, or the user was erased, since the request was authenticated. */
  async lockUserOf(sessionId: number | undefined, userId: number): Promise<boolean> {
    const user = await this.database.row(sql`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
    if (sessionId === undefined) return user !== undefined;
    const session = sql`SELECT 1 FROM sessions WHERE id = ${sessionId} AND user_id = ${userId}`;
    return (await this.database.row(session)) !== undefined;
  }

  listOf(userId: number): Promise<SessionOfUser[]> {
    return this.database.rows(sql`
      SELECT ${this.columns}, ${memberships()} AS memberships FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE s.user_id = ${userId} ORDER BY s.last_used DESC, s.id DESC`);
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

  /** By the smallest limits of the user's organizations. */
  deleteExpired(now: Date): Promise<number> {
    return this.database.change(sql`
      DELETE FROM sessions s USING (
        SELECT u.id,
          coalesce(min(coalesce(r.session_minutes, ${DEFAULT_SESSION_MINUTES})), ${DEFAULT_SESSION_MINUTES}) AS longest,
          coalesce(min(coalesce(r.idle_minutes, ${DEFAULT_IDLE_MINUTES})), ${DEFAULT_IDLE_MINUTES}) AS idle
        FROM users u LEFT JOIN memberships m ON m.user_id = u.id LEFT JOIN sign_in_rules r USING (organization_id)
        GROUP BY u.id) limits
      WHERE s.user_id = limits.id AND (s.created <= ${now}::timestamptz - limits.longest * interval '1 minute'
        OR s.last_used <= ${now}::timestamptz - limits.idle * interval '1 minute')`);
  }
}
