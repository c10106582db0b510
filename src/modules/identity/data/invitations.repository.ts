import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { byId, readSlice } from '../../../platform/database/list-order';
import { type Sql, sql } from '../../../platform/database/sql';
import { ownedIn } from '../../../platform/database/visible';
import type { InvitationFacts } from '../domain/invitation-state';
import { Invitation } from './invitation.entity';
import { managesMembers } from './manages-members';

export type NewInvitation = Pick<
  Invitation,
  'organizationId' | 'email' | 'foldedEmail' | 'role' | 'tokenHash' | 'isMailed' | 'invitedBy' | 'expires'
>;

export type InvitationRecord = Omit<Invitation, 'tokenHash'> & InvitationFacts;

const newestFirst = byId<InvitationRecord>('i.id');

@Injectable()
export class InvitationsRepository {
  private readonly columns = sql`${this.database.columns(Invitation, 'i', ['tokenHash'])},
    ${managesMembers('i.invited_by', 'i.organization_id')} AS "isInviterAllowed"`;

  constructor(private readonly database: Database) {}

  listForVisible(organizationId: number, page: Page): Promise<Slice<InvitationRecord>> {
    const list = sql`FROM invitations i WHERE i.organization_id = ${organizationId}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  listOpenForVisible(organizationId: number, now: Date, limit: number): Promise<InvitationRecord[]> {
    return this.database.rows(sql`
      SELECT ${this.columns} FROM invitations i
      WHERE i.organization_id = ${organizationId} AND i.accepted IS NULL AND i.revoked IS NULL AND i.expires > ${now}
      ORDER BY i.id DESC LIMIT ${limit}`);
  }

  lockOneOfVisible(organizationId: number, id: number): Promise<InvitationRecord | undefined> {
    return this.database.row(sql`
      SELECT ${this.columns} FROM invitations i WHERE i.id = ${id} AND i.organization_id = ${organizationId} FOR UPDATE OF i`);
  }

  /** Without a scope, because the token is the credential. */
  findByToken(tokenHash: Buffer): Promise<InvitationRecord | undefined> {
    return this.database.row(this.byToken(tokenHash));
  }

  lockByToken(tokenHash: Buffer): Promise<InvitationRecord | undefined> {
    return this.database.row(sql`${this.byToken(tokenHash)} FOR UPDATE OF i`);
  }

  async countOpenInLocked(organizationId: number, now: Date): Promise<number> {
    const row = await this.database.row<{ open: number }>(sql`
      SELECT count(*)::int AS open FROM invitations
      WHERE organization_id = ${organizationId} AND accepted IS NULL AND revoked IS NULL AND expires > ${now}`);
    return row?.open ?? 0;
  }

  /** How many were sent to an address in the last hour, in any state. */
  countRecentInLocked(organizationId: number, foldedEmail: string): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM invitations
      WHERE organization_id = ${organizationId} AND folded_email = ${foldedEmail} AND created > now() - interval '1 hour'`);
  }

  async save(invitation: NewInvitation): Promise<number> {
    const repository = await this.database.repository(Invitation);
    const { identifiers } = await repository.insert(invitation);
    return (identifiers[0] as { id: number }).id;
  }

  async markAccepted(id: number, at: Date): Promise<void> {
    await this.database.change(sql`UPDATE invitations SET accepted = ${at} WHERE id = ${id}`);
  }

  async revoke(id: number, at: Date): Promise<void> {
    await this.database.change(sql`UPDATE invitations SET revoked = ${at} WHERE id = ${id}`);
  }

  /** Those that a new invitation of the same address replaces. */
  revokeOpenOf(organizationId: number, foldedEmail: string, at: Date): Promise<number> {
    return this.database.change(sql`
      UPDATE invitations SET revoked = ${at}
      WHERE organization_id = ${organizationId} AND folded_email = ${foldedEmail} AND accepted IS NULL AND revoked IS NULL`);
  }

  deleteOfAddress(foldedEmail: string): Promise<number> {
    return this.database.change(sql`DELETE FROM invitations WHERE folded_email = ${foldedEmail}`);
  }

  deleteExpiredBefore(scope: Scope, date: Date): Promise<number> {
    return this.database.change(sql`
      DELETE FROM invitations WHERE expires < ${date} AND ${ownedIn(scope, 'organization_id')}`);
  }

  private byToken(tokenHash: Buffer): Sql {
    return sql`SELECT ${this.columns} FROM invitations i WHERE i.token_hash = ${tokenHash}`;
  }
}
