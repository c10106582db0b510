import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';

/** Which addresses are proved, and what ends with a proof or without one. */
@Injectable()
export class AddressProofsRepository {
  constructor(private readonly database: Database) {}

  async isProved(userId: number): Promise<boolean> {
    return (await this.database.row(sql`SELECT 1 FROM address_proofs WHERE user_id = ${userId}`)) !== undefined;
  }

  /** Returns false if the address was proved before. */
  async save(userId: number): Promise<boolean> {
    const saved = await this.database.change(
      sql`INSERT INTO address_proofs (user_id) VALUES (${userId}) ON CONFLICT DO NOTHING`,
    );
    return saved === 1;
  }

  async remove(userId: number): Promise<void> {
    await this.database.change(sql`DELETE FROM address_proofs WHERE user_id = ${userId}`);
  }

  /** Returns the labels of the keys. */
  async endKeysInLocked(userId: number): Promise<string[]> {
    const ended = await this.database.rows<{ label: string }>(sql`
      UPDATE api_keys SET revoked = now()
      WHERE user_id = ${userId} AND revoked IS NULL AND (expires IS NULL OR expires > now()) RETURNING label`);
    return ended.map(({ label }) => label);
  }

  /** Also those that a newer link replaced. */
  async endPasswordLinksInLocked(userId: number): Promise<void> {
    await this.database.change(sql`DELETE FROM mailed_password_resets WHERE user_id = ${userId}`);
    await this.database.change(sql`DELETE FROM replaced_password_resets WHERE user_id = ${userId}`);
    await this.database.change(sql`DELETE FROM password_resets WHERE user_id = ${userId}`);
  }

  /** An app without a first code: its set-up would end as a second factor. */
  async removeUnconfirmedSecondFactor(userId: number): Promise<void> {
    await this.database.change(sql`DELETE FROM second_factors WHERE user_id = ${userId} AND confirmed IS NULL`);
  }

  /** Those that the user has sent, and links for new passwords that the user has created. */
  async endInvitationsInLocked(userId: number): Promise<number> {
    await this.database.change(sql`DELETE FROM password_resets WHERE requested_by = ${userId}`);
    return this.database.change(sql`
      UPDATE invitations SET revoked = now()
      WHERE invited_by = ${userId} AND accepted IS NULL AND revoked IS NULL AND expires > now()`);
  }

  /** An app or a passkey that was set up while the address was proved stays: no link may remove it. */
  async removeUnprovedSecondFactor(userId: number): Promise<boolean> {
    const removed = await this.database.change(
      sql`DELETE FROM second_factors WHERE user_id = ${userId} AND is_unproved`,
    );
    if (removed > 0) await this.database.change(sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`);
    const passkeys = await this.database.change(sql`DELETE FROM passkeys WHERE user_id = ${userId} AND is_unproved`);
    return removed + passkeys > 0;
  }
}
