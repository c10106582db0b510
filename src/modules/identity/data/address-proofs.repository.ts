import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';

/** Which addresses are proved. */
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
}
