import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { Mail } from './mail.entity';
import type { SealedRow } from './sealed-row';

@Injectable()
export class MailsRepository {
  constructor(private readonly database: Database) {}

  async find(id: number): Promise<Pick<Mail, 'sealed'> | undefined> {
    return this.database.row(sql`SELECT sealed FROM mails WHERE id = ${id}`);
  }

  async save(sealed: Buffer): Promise<number> {
    const repository = await this.database.repository(Mail);
    const { identifiers } = await repository.insert({ sealed });
    return (identifiers[0] as { id: number }).id;
  }

  async remove(id: number): Promise<void> {
    await this.database.change(sql`DELETE FROM mails WHERE id = ${id}`);
  }

  listAfter(id: number, limit: number): Promise<SealedRow[]> {
    return this.database.rows(sql`SELECT id, sealed FROM mails WHERE id > ${id} ORDER BY id LIMIT ${limit}`);
  }

  /** Returns false if the mail was sent meanwhile. */
  async reencrypt({ id }: SealedRow, sealed: Buffer): Promise<boolean> {
    return (await this.database.change(sql`UPDATE mails SET sealed = ${sealed} WHERE id = ${id}`)) === 1;
  }

  deleteCreatedBefore(date: Date): Promise<number> {
    return this.database.change(sql`DELETE FROM mails WHERE created < ${date}`);
  }
}
