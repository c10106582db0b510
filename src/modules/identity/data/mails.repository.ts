import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { Mail } from './mail.entity';

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

  deleteCreatedBefore(date: Date): Promise<number> {
    return this.database.change(sql`DELETE FROM mails WHERE created < ${date}`);
  }
}
