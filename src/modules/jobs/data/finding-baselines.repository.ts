import { Injectable } from '@nestjs/common';
import type { Baseline } from '../../../engine';
import type { Scope } from '../../../platform/auth/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';

/** A baseline belongs to a finding and to what was run on it; where a finding's check was replaced there is none yet. */
export interface Tested {
  readonly findingId: number;
  readonly checkDefinition: unknown;
}

/** What targets were like when their weakness was last seen, by finding. */
@Injectable()
export class FindingBaselinesRepository {
  constructor(private readonly database: Database) {}

  async find(scope: Scope, { findingId, checkDefinition }: Tested): Promise<Baseline | null> {
    const row = await this.database.row<{ baseline: Baseline }>(sql`
      SELECT b.baseline FROM finding_baselines b
      WHERE b.finding_id = ${findingId} AND b.recipe = ${JSON.stringify(checkDefinition)} AND ${visibleTo(scope, 'b.organization_id')}`);
    return row?.baseline ?? null;
  }

  /** Only while it is the finding's own check still: what was found out with another says nothing of this one. */
  async save({ findingId, checkDefinition }: Tested, baseline: Baseline): Promise<void> {
    await this.database.change(sql`
      INSERT INTO finding_baselines (finding_id, organization_id, recipe, baseline)
      SELECT f.id, f.organization_id, f.recipe, ${JSON.stringify(baseline)} FROM findings f
      WHERE f.id = ${findingId} AND f.recipe = ${JSON.stringify(checkDefinition)}
      ON CONFLICT (finding_id) DO UPDATE SET recipe = excluded.recipe, baseline = excluded.baseline, taken = now()`);
  }
}
