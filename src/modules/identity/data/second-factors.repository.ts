import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { endCodesOfNoFactor, type OwnFactors, ownFactors } from './own-factors';
import { RecoveryCode } from './recovery-code.entity';
import type { SealedRow } from './sealed-row';
import { SecondFactor } from './second-factor.entity';

@Injectable()
export class SecondFactorsRepository {
  private readonly columns = this.database.columns(SecondFactor, 'f');

  constructor(private readonly database: Database) {}

  find(userId: number): Promise<SecondFactor | undefined> {
    return this.database.row(sql`SELECT ${this.columns} FROM second_factors f WHERE f.user_id = ${userId}`);
  }

  async isConfirmed(userId: number): Promise<boolean> {
    return (await this.find(userId))?.confirmed instanceof Date;
  }

  /** What a sign-in accepts after the password. */
  async factorsOf(userId: number): Promise<OwnFactors> {
    const found = await this.database.row<OwnFactors>(sql`SELECT ${ownFactors(userId)}`);
    return found ?? { hasCode: false, hasPasskey: false };
  }

  /** Replaces a secret that was not confirmed. Returns false if one is confirmed. */
  async saveUnconfirmed(userId: number, secret: Buffer): Promise<boolean> {
    const isUnproved = sql`NOT EXISTS (SELECT 1 FROM address_proofs p WHERE p.user_id = ${userId})`;
    const saved = await this.database.change(sql`
      INSERT INTO second_factors (user_id, secret, is_unproved) VALUES (${userId}, ${secret}, ${isUnproved})
      ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, is_unproved = excluded.is_unproved
      WHERE second_factors.confirmed IS NULL`);
    return saved === 1;
  }

  /**
   * Counts an attempt of the user before its code is checked, so that concurrent attempts count too. Returns false if there
   * were too many since `windowStart`.
   */
  async countAttempt(userId: number, limit: number, now: Date, windowStart: Date): Promise<boolean> {
    const counted = await this.database.change(sql`
      INSERT INTO code_attempts AS a (user_id, failures, last_attempt) VALUES (${userId}, 1, ${now})
      ON CONFLICT (user_id) DO UPDATE SET last_attempt = excluded.last_attempt,
        failures = CASE WHEN a.last_attempt < ${windowStart} THEN 1 ELSE a.failures + 1 END
      WHERE a.failures < ${limit} OR a.last_attempt < ${windowStart}`);
    return counted === 1;
  }

  /** After a code that was right. */
  async clearAttempts(userId: number): Promise<void> {
    await this.database.change(sql`DELETE FROM code_attempts WHERE user_id = ${userId}`);
  }

  /** Returns false if a code of this time step or a later one was accepted before, or the secret was replaced. */
  async acceptStep(userId: number, secret: Buffer, step: number): Promise<boolean> {
    const accepted = await this.database.change(sql`
      UPDATE second_factors SET last_step = ${step}
      WHERE user_id = ${userId} AND secret = ${secret} AND (last_step IS NULL OR last_step < ${step})`);
    return accepted === 1;
  }

  /** Returns false if one is confirmed, or the secret was replaced. */
  async confirm(userId: number, secret: Buffer, at: Date): Promise<boolean> {
    const confirmed = await this.database.change(sql`
      UPDATE second_factors SET confirmed = ${at} WHERE user_id = ${userId} AND secret = ${secret} AND confirmed IS NULL`);
    return confirmed === 1;
  }

  /** With the recovery codes if no passkey is left. Returns false if there is none. */
  async remove(userId: number): Promise<boolean> {
    const removed = await this.database.change(sql`DELETE FROM second_factors WHERE user_id = ${userId}`);
    await this.database.change(endCodesOfNoFactor(userId));
    return removed === 1;
  }

  removePasskeys(userId: number): Promise<number> {
    return this.database.change(sql`DELETE FROM passkeys WHERE user_id = ${userId}`);
  }

  async replaceCodes(userId: number, hashes: readonly Buffer[]): Promise<void> {
    await this.removeCodes(userId);
    const repository = await this.database.repository(RecoveryCode);
    await repository.insert(hashes.map((codeHash) => ({ userId, codeHash })));
  }

  /** Returns false if the code is wrong or was used before. */
  async useCode(userId: number, codeHash: Buffer): Promise<boolean> {
    const used = await this.database.change(
      sql`DELETE FROM recovery_codes WHERE user_id = ${userId} AND code_hash = ${codeHash}`,
    );
    return used === 1;
  }

  async countCodes(userId: number): Promise<number> {
    const row = await this.database.row<{ codes: number }>(
      sql`SELECT count(*)::int AS codes FROM recovery_codes WHERE user_id = ${userId}`,
    );
    return row?.codes ?? 0;
  }

  listAfter(userId: number, limit: number): Promise<SealedRow[]> {
    return this.database.rows(sql`
      SELECT user_id AS id, secret AS sealed FROM second_factors WHERE user_id > ${userId} ORDER BY user_id LIMIT ${limit}`);
  }

  /** Returns false if the user has removed or replaced the secret meanwhile. */
  async reencrypt({ id, sealed }: SealedRow, secret: Buffer): Promise<boolean> {
    const changed = await this.database.change(
      sql`UPDATE second_factors SET secret = ${secret} WHERE user_id = ${id} AND secret = ${sealed}`,
    );
    return changed === 1;
  }

  async removeCodes(userId: number): Promise<void> {
    await this.database.change(sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`);
  }
}
