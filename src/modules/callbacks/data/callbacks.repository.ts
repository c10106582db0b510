import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import type { CallbackRow } from './callback.entity';

/** Only the function of the listener adds rows. Nobody can read those of others, because nobody can guess a name. */
@Injectable()
export class CallbacksRepository {
  constructor(private readonly database: Database) {}

  listOf(_scope: Scope, names: readonly string[]): Promise<Omit<CallbackRow, 'number'>[]> {
    return this.database.rows<Omit<CallbackRow, 'number'>>(sql`
      SELECT name, protocol, host(source) AS source, called FROM callbacks WHERE name = ANY(${names}::text[])
      ORDER BY called, number`);
  }

  deletePast(_scope: Scope): Promise<number> {
    return this.database.change(sql`DELETE FROM callbacks WHERE called < now() - interval '8 days'`);
  }
}
