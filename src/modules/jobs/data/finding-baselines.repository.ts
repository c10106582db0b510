import { Injectable } from '@nestjs/common';
import type { Baseline } from '../../../engine';
import type { Scope } from '../../../platform/auth/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';

/** What targets were like when their weakness was last seen, by finding. */
@Injectable()
export class FindingBaselinesRepository {
  constructor(private readonly database: Database) {}

  async find(scope: Scope, findingId: number): Promise<Baseline | null> {
    const row = await this.database.row<{ baseline: Baseline }>(sql`
      SELECT b.baseline FROM finding_baselines b
      WHERE b.finding_id = ${findingId} AND ${visibleTo(scope, 'b.organization_id')}`);
    return row?.baseline ?? null;
  }

  async save(findingId: number, organizationId: number, baseline: Baseline): Promise<void> {
    await this.database.change(sql`
      INSERT INTO finding_baselines (finding_id, organization_id, baseline)
      VALUES (${findingId}, ${organizationId}, ${JSON.stringify(baseline)})
      ON CONFLICT (finding_id) DO UPDATE SET baseline = excluded.baseline, taken = now()`);
  }
}
