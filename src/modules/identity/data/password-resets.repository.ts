import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { ownedIn } from '../../../platform/database/visible';
import { managesMembers } from './manages-members';
import { PasswordReset } from './password-reset.entity';

export type NewPasswordReset = Pick<
  PasswordReset,
  'organizationId' | 'userId' | 'tokenHash' | 'requestedBy' | 'expires'
>;

export interface PasswordResetRecord extends Pick<PasswordReset, 'id' | 'organizationId' | 'userId' | 'expires'> {
  readonly email: string;
  /** Whether the user who created the link still manages the members of the organization. */
  readonly isRequesterAllowed: boolean;
}

@Injectable()
export class PasswordResetsRepository {
  constructor(private readonly database: Database) {}

  /** Without a scope, because the token is the credential. */
  findByToken(tokenHash: Buffer): Promise<PasswordResetRecord | undefined> {
    return this.database.row(sql`
      SELECT p.id, p.organization_id AS "organizationId", p.user_id AS "userId", p.expires, u.email,
        ${managesMembers('p.requested_by', 'p.organization_id')} AS "isRequesterAllowed"
      FROM password_resets p
      JOIN memberships m ON m.user_id = p.user_id AND m.organization_id = p.organization_id
      JOIN users u ON u.id = p.user_id
      WHERE p.token_hash = ${tokenHash}`);
  }

  async save(reset: NewPasswordReset): Promise<number> {
    const repository = await this.database.repository(PasswordReset);
    const { identifiers } = await repository.insert(reset);
    return (identifiers[0] as { id: number }).id;
  }

  /** Returns false if another request has used the link. */
  async use(id: number): Promise<boolean> {
    return (await this.database.change(sql`DELETE FROM password_resets WHERE id = ${id}`)) === 1;
  }

  deleteAllOf(userId: number): Promise<number> {
    return this.database.change(sql`DELETE FROM password_resets WHERE user_id = ${userId}`);
  }

  deleteExpiredBefore(scope: Scope, date: Date): Promise<number> {
    return this.database.change(sql`
      DELETE FROM password_resets WHERE expires < ${date} AND ${ownedIn(scope, 'organization_id')}`);
  }
}
