import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import type { MailedPasswordReset } from './mailed-password-reset.entity';

@Injectable()
export class MailedPasswordResetsRepository {
  constructor(private readonly database: Database) {}

  /** Without a scope, because the token is the credential. */
  findByToken(
    tokenHash: Buffer,
  ): Promise<(Pick<MailedPasswordReset, 'userId' | 'expires'> & { readonly email: string }) | undefined> {
    return this.database.row(sql`
      SELECT p.user_id AS "userId", p.expires, u.email FROM mailed_password_resets p JOIN users u ON u.id = p.user_id
      WHERE p.token_hash = ${tokenHash}`);
  }

  /** Replaces an earlier link of the same user. */
  async replace({ userId, tokenHash, expires }: MailedPasswordReset): Promise<void> {
    await this.database.change(sql`
      INSERT INTO mailed_password_resets (user_id, token_hash, expires) VALUES (${userId}, ${tokenHash}, ${expires})
      ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, expires = excluded.expires`);
  }

  /** Returns false if another request has used the link. */
  async use(tokenHash: Buffer): Promise<boolean> {
    return (await this.database.change(sql`DELETE FROM mailed_password_resets WHERE token_hash = ${tokenHash}`)) === 1;
  }

  deleteAllOf(userId: number): Promise<number> {
    return this.database.change(sql`DELETE FROM mailed_password_resets WHERE user_id = ${userId}`);
  }

  deleteExpiredBefore(date: Date): Promise<number> {
    return this.database.change(sql`DELETE FROM mailed_password_resets WHERE expires < ${date}`);
  }
}
