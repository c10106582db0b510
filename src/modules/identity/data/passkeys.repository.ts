import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { sql } from '../../../platform/database/sql';
import { passkeyTaken } from '../domain/identity.errors';
import { endCodesOfNoFactor } from './own-factors';
import { Passkey } from './passkey.entity';

export type NewPasskey = Omit<Passkey, 'id' | 'isUnproved' | 'lastUsed' | 'created'>;

@Injectable()
export class PasskeysRepository {
  private readonly columns = this.database.columns(Passkey, 'p');

  constructor(private readonly database: Database) {}

  listOf(userId: number): Promise<Passkey[]> {
    return this.database.rows(sql`SELECT ${this.columns} FROM passkeys p WHERE p.user_id = ${userId} ORDER BY p.id`);
  }

  /** Without a scope, because its signature is the credential. */
  findByCredential(credentialId: Buffer): Promise<Passkey | undefined> {
    return this.database.row(sql`SELECT ${this.columns} FROM passkeys p WHERE p.credential_id = ${credentialId}`);
  }

  async exists(userId: number, id: number): Promise<boolean> {
    return (
      (await this.database.row(sql`SELECT 1 FROM passkeys WHERE user_id = ${userId} AND id = ${id}`)) !== undefined
    );
  }

  async save(passkey: NewPasskey): Promise<number> {
    const repository = await this.database.repository(Passkey);
    const { identifiers } = await onViolation(repository.insert(passkey), { uq_passkeys_credential: passkeyTaken });
    const { id } = identifiers[0] as { id: number };
    await this.database.change(sql`
      UPDATE passkeys SET is_unproved = true
      WHERE id = ${id} AND NOT EXISTS (SELECT 1 FROM address_proofs a WHERE a.user_id = passkeys.user_id)`);
    return id;
  }

  /**
   * Returns false if it has signed this challenge or a newer one before, or if a copy of it has counted as far.
   * Concurrent answers count too.
   */
  async acceptUse(
    id: number,
    { counter, issued, now }: { counter: number; issued: Date; now: Date },
  ): Promise<boolean> {
    const accepted = await this.database.change(sql`
      UPDATE passkeys SET counter = ${counter}, last_challenge = ${issued}, last_used = ${now}
      WHERE id = ${id} AND last_challenge < ${issued} AND (counter < ${counter} OR (counter = 0 AND ${counter}::bigint = 0))`);
    return accepted === 1;
  }

  async rename(userId: number, id: number, name: string): Promise<boolean> {
    const renamed = await this.database.change(
      sql`UPDATE passkeys SET name = ${name} WHERE user_id = ${userId} AND id = ${id}`,
    );
    return renamed === 1;
  }

  /** With the recovery codes if no factor is left. */
  async remove(userId: number, id: number): Promise<void> {
    await this.database.change(sql`DELETE FROM passkeys WHERE user_id = ${userId} AND id = ${id}`);
    await this.database.change(endCodesOfNoFactor(userId));
  }
}
