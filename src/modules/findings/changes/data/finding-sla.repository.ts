import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { sql } from '../../../../platform/database/sql';
import type { Sla } from '../../domain/sla';
import { FindingSla } from '../../data/finding-sla.entity';

@Injectable()
export class FindingSlaRepository {
  private readonly columns = this.database.columns(FindingSla, 's');

  constructor(private readonly database: Database) {}

  /** Undefined if the organization has the default. */
  findOfVisible(organizationId: number): Promise<FindingSla | undefined> {
    return this.database.row<FindingSla>(
      sql`SELECT ${this.columns} FROM finding_sla s WHERE s.organization_id = ${organizationId}`,
    );
  }

  async save(organizationId: number, { critical, high, medium, low }: Sla): Promise<void> {
    const repository = await this.database.repository(FindingSla);
    await repository.upsert({ organizationId, critical, high, medium, low }, ['organizationId']);
  }
}
