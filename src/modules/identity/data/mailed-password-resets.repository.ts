import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { type Sql, sql } from '../../../platform/database/sql';
import type { MailedPasswordReset } from './mailed-password-reset.entity';

/** The newest link of each user, and those before it. */
@Injectable()
export class MailedPasswordResetsRepository {
  constructor(private readonly database: Database) {}

  /** Without a scope, because the token is the credential. */
  findByToken(
    tokenHash: Buffer,
  ): Promise<(Pick<MailedPasswordReset, 'userId' | 'expires'> & { readonly email: string }) | undefined> {
    return this.database.row(sql`
      SELECT p.user_id AS "userId", p.expires, u.email
      FROM (SELECT user_id, token_hash, expires FROM mailed_password_resets
        UNION ALL SELECT user_id, token_hash, expires FROM replaced_password_resets) p
      JOIN users u ON u.id = p.user_id
      WHERE p.token_hash = ${tokenHash}`);
  }

  /** Earlier links of the user stay valid until they expire. The user must be locked. */
  async add({ userId, tokenHash, expires }: MailedPasswordReset): Promise<void> {
    await this.database.change(sql`
      INSERT INTO replaced_password_resets (token_hash, user_id, expires)
      SELECT token_hash, user_id, expires FROM mailed_password_resets WHERE user_id = ${userId}`);
    await this.database.change(sql`
      INSERT INTO mailed_password_resets (user_id, token_hash, expires) VALUES (${userId}, ${tokenHash}, ${expires})
      ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, expires = excluded.expires`);
  }

  /** Returns false if another request has used a link of the user. The user must be locked. */
  async use(tokenHash: Buffer): Promise<boolean> {
    return (await this.remove(sql`token_hash = ${tokenHash}`)) === 1;
  }

  deleteExpiredBefore(date: Date): Promise<number> {
    return this.remove(sql`expires < ${date}`);
  }

  private async remove(condition: Sql): Promise<number> {
    const replaced = await this.database.change(sql`DELETE FROM replaced_password_resets WHERE ${condition}`);
    return replaced + (await this.database.change(sql`DELETE FROM mailed_password_resets WHERE ${condition}`));
  }
}
