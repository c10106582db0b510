import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { type EvidenceKey, SigningKeyRow } from './signing-key.entity';

/** The keys belong to the service and to no organization, so reads take no scope. */
@Injectable()
export class SigningKeysRepository {
  private readonly columns = this.database.columns(SigningKeyRow, 'k');
  private readonly shownColumns = this.database.columns(SigningKeyRow, 'k', ['privateKey']);

  constructor(private readonly database: Database) {}

  findCurrent(): Promise<SigningKeyRow | undefined> {
    return this.database.row<SigningKeyRow>(sql`SELECT ${this.columns} FROM signing_keys k WHERE k.retired IS NULL`);
  }

  /** Including retired keys, which verify earlier signatures. */
  listPublic(): Promise<EvidenceKey[]> {
    return this.database.rows<EvidenceKey>(
      sql`SELECT ${this.shownColumns} FROM signing_keys k ORDER BY k.created DESC, k.id`,
    );
  }

  /** With the encrypted private keys. There are few. */
  listAll(): Promise<SigningKeyRow[]> {
    return this.database.rows<SigningKeyRow>(sql`SELECT ${this.columns} FROM signing_keys k ORDER BY k.id`);
  }

  /** The key itself never changes, only its encryption. */
  async replacePrivateKey(id: string, privateKey: Buffer): Promise<void> {
    await this.database.change(sql`UPDATE signing_keys SET private_key = ${privateKey} WHERE id = ${id}`);
  }

  /** Returns false if another process has created the current key meanwhile. */
  async add({ id, publicKey, privateKey }: Pick<SigningKeyRow, 'id' | 'publicKey' | 'privateKey'>): Promise<boolean> {
    const added = await this.database.change(sql`
      INSERT INTO signing_keys (id, public_key, private_key) VALUES (${id}, ${publicKey}, ${privateKey})
      ON CONFLICT DO NOTHING`);
    return added === 1;
  }

  /** Returns the id of the key that was current. */
  async retireCurrent(): Promise<string | undefined> {
    const row = await this.database.row<{ id: string }>(
      sql`UPDATE signing_keys SET retired = now() WHERE retired IS NULL RETURNING id`,
    );
    return row?.id;
  }
}
