import { Injectable } from '@nestjs/common';
import type { Baseline } from '../../../engine';
import { storableJson } from '../../../kernel/storable-json';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';

/** A baseline belongs to a finding and the check that ran: after the check was replaced there is none yet. */
export interface TestedCheck {
  readonly findingId: number;
  readonly checkDefinition: unknown;
}

/** A stored baseline, with the finding that it belongs to. */
export interface BaselineOfFinding extends TestedCheck {
  readonly checkId: string | null;
  readonly allowUnsafe: boolean;
  readonly baseline: Baseline;
}

/** A site that findings are about: of one organization, directly or behind one beacon. */
export interface SiteOfFindings {
  readonly organizationId: number;
  readonly beaconId: number | null;
  readonly origin: string;
}

/** Findings of one site whose baselines are changed at once. */
const MAX_OF_SITE = 1_000;

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

  /** Whether an experiment showed the weakness. */
  async hasExperiment(scope: Scope, { findingId, checkDefinition }: TestedCheck): Promise<boolean> {
    const row = await this.database.row(sql`
      SELECT 1 FROM finding_baselines b WHERE b.finding_id = ${findingId} AND json_typeof(b.baseline -> 'experiment') = 'object'
        AND b.check_definition = ${JSON.stringify(checkDefinition)} AND ${visibleTo(scope, 'b.organization_id')}`);
    return row !== undefined;
  }

  async findWithTime(
    scope: Scope,
    { findingId, checkDefinition }: TestedCheck,
  ): Promise<{ baseline: Baseline; taken: Date } | null> {
    const row = await this.database.row<{ baseline: Baseline; taken: Date }>(sql`
      SELECT b.baseline, b.taken FROM finding_baselines b
      WHERE b.finding_id = ${findingId} AND b.check_definition = ${JSON.stringify(checkDefinition)} AND ${visibleTo(scope, 'b.organization_id')}`);
    return row ?? null;
  }

  /** The baselines of all findings on the site, those of the oldest findings first. */
  listOfSite(scope: Scope, { organizationId, beaconId, origin }: SiteOfFindings): Promise<BaselineOfFinding[]> {
    return this.database.rows<BaselineOfFinding>(sql`
      SELECT f.id AS "findingId", f.check_definition AS "checkDefinition", f.check_id AS "checkId",
        f.allow_unsafe AS "allowUnsafe", b.baseline
      FROM findings f
      JOIN finding_baselines b ON b.finding_id = f.id AND b.organization_id = f.organization_id AND b.check_definition = f.check_definition
      WHERE f.organization_id = ${organizationId} AND f.beacon_id IS NOT DISTINCT FROM ${beaconId}
        AND ((f.check_definition ->> 'location') COLLATE "C") >= ${`${origin}/`}
        AND ((f.check_definition ->> 'location') COLLATE "C") < ${`${origin}0`}
        AND ${visibleTo(scope, 'f.organization_id')}
      ORDER BY f.id LIMIT ${MAX_OF_SITE}`);
  }

  /** Only while it is stored as it was read. */
  async replace({ findingId, checkDefinition }: TestedCheck, before: Baseline, after: Baseline): Promise<void> {
    await this.database.change(sql`
      UPDATE finding_baselines SET baseline = ${storableJson(after)}
      WHERE finding_id = ${findingId} AND check_definition = ${JSON.stringify(checkDefinition)}
        AND baseline::jsonb = ${JSON.stringify(before)}::jsonb`);
  }

  /** Only while the finding still has this check: the baseline of another check is not valid for it. */
  async save({ findingId, checkDefinition }: TestedCheck, baseline: Baseline): Promise<void> {
    await this.database.change(sql`
      INSERT INTO finding_baselines (finding_id, organization_id, check_definition, baseline)
      SELECT f.id, f.organization_id, f.check_definition, ${storableJson(baseline)} FROM findings f
      WHERE f.id = ${findingId} AND f.check_definition = ${JSON.stringify(checkDefinition)}
      ON CONFLICT (finding_id, organization_id)
      DO UPDATE SET check_definition = excluded.check_definition, baseline = excluded.baseline, taken = excluded.taken`);
  }
}
