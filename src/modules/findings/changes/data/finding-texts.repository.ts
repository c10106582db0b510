import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { sql } from '../../../../platform/database/sql';
import { FindingTexts } from '../../data/finding-texts.entity';

/** The caller has read the findings in scope. */
@Injectable()
export class FindingTextsRepository {
  private readonly columns = this.database.columns(FindingTexts, 't');

  constructor(private readonly database: Database) {}

  listOfVisible(findingIds: readonly number[]): Promise<FindingTexts[]> {
    return this.database.rows<FindingTexts>(
      sql`SELECT ${this.columns} FROM finding_texts t WHERE t.finding_id = ANY(${findingIds}::int[])`,
    );
  }

  /** Whether a job or an imported file has seen the finding. */
  async wasScanned(findingId: number): Promise<boolean> {
    const row = await this.database.row(sql`
      SELECT 1 FROM finding_sightings s
      WHERE s.finding_id = ${findingId} AND (s.import_id IS NOT NULL OR s.job_uuid IS NOT NULL) LIMIT 1`);
    return row !== undefined;
  }

  async save(texts: FindingTexts): Promise<void> {
    const repository = await this.database.repository(FindingTexts);
    await repository.upsert(texts, ['findingId', 'organizationId']);
  }
}
