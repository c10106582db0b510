import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { ownedIn } from '../../../platform/database/visible';
import { sql } from '../../../platform/database/sql';
import type { CsvMapping } from '../../../scanner-files';
import type { ImportQuestion } from '../domain/import-question';
import type { ImportRow } from './import.entity';

const WAITING_HOURS = 24;

/** The questions, with the format of the file that they are about. */
export interface AskedQuestions extends Pick<ImportRow, 'format'> {
  readonly questions: readonly ImportQuestion[];
}

/** Imports that are waiting for answers. The caller has locked them. */
@Injectable()
export class ImportQuestionsRepository {
  constructor(private readonly database: Database) {}

  async ask(id: number, { questions, format }: AskedQuestions): Promise<void> {
    await this.database.change(sql`
      UPDATE imports SET status = 'PENDING', attempt = 0, questions = ${JSON.stringify(questions)}, format = ${format},
        waits_until = now() + make_interval(hours => ${WAITING_HOURS})
      WHERE id = ${id}`);
  }

  /** Saves the answers. The import then no longer waits. */
  async saveAnswers(id: number, questions: readonly ImportQuestion[], assetValue: string | null = null): Promise<void> {
    await this.database.change(sql`
      UPDATE imports SET questions = ${JSON.stringify(questions)}, waits_until = NULL,
        asset_value = coalesce(${assetValue}, asset_value)
      WHERE id = ${id}`);
  }

  /** Saves the columns. The file is then read again, and may raise questions about rows. */
  async saveColumns(id: number, mapping: CsvMapping): Promise<void> {
    await this.database.change(sql`
      UPDATE imports SET csv_mapping = ${JSON.stringify(mapping)}, questions = NULL, waits_until = NULL WHERE id = ${id}`);
  }

  listExpired(scope: Scope, limit: number): Promise<Pick<ImportRow, 'id' | 'organizationId'>[]> {
    return this.database.rows(sql`
      SELECT i.id, i.organization_id AS "organizationId" FROM imports i
      WHERE i.waits_until <= now() AND ${ownedIn(scope, 'i.organization_id')} ORDER BY i.waits_until LIMIT ${limit}`);
  }
}
