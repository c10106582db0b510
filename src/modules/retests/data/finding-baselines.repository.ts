import { Injectable } from '@nestjs/common';
import type { Baseline } from '../../../engine';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';

/** A baseline belongs to a finding and the check that ran: after the check was replaced there is none yet. */
export interface TestedCheck {
  readonly findingId: number;
  readonly checkDefinition: unknown;
}

/** By finding: the state of the target when the vulnerability was last seen. */
@Injectable()
export class FindingBaselinesRepository {
  constructor(private readonly database: Database) {}

  async find(scope: Scope, { findingId, checkDefinition }: TestedCheck): Promise<Baseline | null> {
    const row = await this.database.row<{ baseline: Baseline }>(sql`
      SELECT b.baseline FROM finding_baselines b
      WHERE b.finding_id = ${findingId} AND b.check_definition = ${JSON.stringify(checkDefinition)} AND ${visibleTo(scope, 'b.organization_id')}`);
    return row?.baseline ?? null;
  }

  /** Only while the finding still has this check: the baseline of another check is not valid for it. */
  async save({ findingId, checkDefinition }: TestedCheck, baseline: Baseline): Promise<void> {
    await this.database.change(sql`
      INSERT INTO finding_baselines (finding_id, organization_id, check_definition, baseline)
      SELECT f.id, f.organization_id, f.check_definition, ${JSON.stringify(baseline)} FROM findings f
      WHERE f.id = ${findingId} AND f.check_definition = ${JSON.stringify(checkDefinition)}
      ON CONFLICT (finding_id, organization_id)
      DO UPDATE SET check_definition = excluded.check_definition, baseline = excluded.baseline, taken = excluded.taken`);
  }
}
