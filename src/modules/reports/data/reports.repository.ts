import { Injectable } from '@nestjs/common';
import { type Page, type Slice, offsetOf, sliceOf } from '../../../kernel/page';
import type { Scope } from '../../../platform/auth/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { upTo } from '../../../platform/database/up-to';
import { visibleTo } from '../../../platform/database/visible';
import { Report } from './report.entity';

export type NewReport = Pick<Report, 'organizationId' | 'eventId' | 'options' | 'startDate' | 'endDate'>;

@Injectable()
export class ReportsRepository {
  private readonly columns = this.database.columns(Report, 'r');

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, id: number): Promise<Report | undefined> {
    return this.database.row<Report>(
      sql`SELECT ${this.columns} FROM reports r WHERE r.id = ${id} AND ${visibleTo(scope, 'r.organization_id')}`,
    );
  }

  async listFor(scope: Scope, page: Page): Promise<Slice<Report>> {
    const rows = await this.database.rows<Report>(sql`
      SELECT ${this.columns} FROM (
        SELECT id FROM reports WHERE ${visibleTo(scope, 'reports.organization_id')}${upTo(page, 'reports.id')}
        ORDER BY id DESC LIMIT ${page.perPage + 1} OFFSET ${offsetOf(page)}
      ) page JOIN reports r USING (id) ORDER BY r.id DESC`);
    return sliceOf(rows, page);
  }

  async save(report: NewReport): Promise<number> {
    const repository = await this.database.repository(Report);
    const { identifiers } = await repository.insert(report);
    return (identifiers[0] as { id: number }).id;
  }
}
