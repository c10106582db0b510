import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { type EvidenceKey, SigningKeyRow } from './signing-key.entity';

/** The keys are the service's and no tenant's: no read of them takes a scope. */
@Injectable()
export class SigningKeysRepository {
  private readonly columns = this.database.columns(SigningKeyRow, 'k');
  private readonly shownColumns = this.database.columns(SigningKeyRow, 'k', ['privateKey']);

  constructor(private readonly database: Database) {}

  findCurrent(): Promise<SigningKeyRow | undefined> {
    return this.database.row<SigningKeyRow>(sql`SELECT ${this.columns} FROM signing_keys k WHERE k.retired IS NULL`);
  }

  /** Retired ones too: what they have signed can still be checked. */
  listPublic(): Promise<EvidenceKey[]> {
    return this.database.rows<EvidenceKey>(
      sql`SELECT ${this.shownColumns} FROM signing_keys k ORDER BY k.created DESC, k.id`,
    );
  }

  /** Answers false if somebody has made the current one in the moment between. */
  async add({ id, publicKey, privateKey }: Pick<SigningKeyRow, 'id' | 'publicKey' | 'privateKey'>): Promise<boolean> {
    const added = await this.database.change(sql`
      INSERT INTO signing_keys (id, public_key, private_key) VALUES (${id}, ${publicKey}, ${privateKey})
      ON CONFLICT DO NOTHING`);
    return added === 1;
  }

  /** Answers the id of the one that was current. */
  async retireCurrent(): Promise<string | undefined> {
    const row = await this.database.row<{ id: string }>(
      sql`UPDATE signing_keys SET retired = now() WHERE retired IS NULL RETURNING id`,
    );
    return row?.id;
  }
}
