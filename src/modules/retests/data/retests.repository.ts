import { Injectable } from '@nestjs/common';
import type { Baseline, NewSite, Refusal, SignedEvidence } from '../../../engine';
import { storableJson } from '../../../kernel/storable-json';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import type { LockedFinding } from '../../findings';
import { retestUnderWay } from '../domain/retest.errors';
import type { RetestResult, RetestStatus } from '../domain/retest-status';
import { type Retest, RetestRow } from './retest.entity';

export type NewRetest = Pick<
  Retest,
  'uuid' | 'organizationId' | 'findingId' | 'beaconId' | 'eventSlug' | 'checkId' | 'checkDefinition' | 'startedBy'
>;

/** A retest that ended, for the user who started it. */
export type StartedRetest = Pick<
  Retest,
  'uuid' | 'findingId' | 'status' | 'result' | 'startedBy' | 'judgedBy' | 'secondLookResult' | 'unproved'
>;

export interface RefusedFinding extends Pick<Retest, 'findingId' | 'checkDefinition'> {
  readonly finding: Pick<LockedFinding, 'id' | 'organizationId' | 'status'>;
  readonly baseline: Baseline;
  readonly refusal: Refusal;
}

export interface RetestEnd {
  readonly status: Extract<RetestStatus, 'finished' | 'error' | 'canceled'>;
  readonly result: RetestResult | null;
  readonly reason: string | null;
  readonly evidence: SignedEvidence | null;
  /** The user who gave the result by hand. */
  readonly judgedBy?: number | null;
  readonly newSite?: NewSite | null;
  readonly decided?: Date | null;
  readonly refusal?: Refusal | null;
  readonly byRefusal?: Retest['byRefusal'];
  readonly unproved?: number | null | undefined;
}

const requestsIn = ({ evidence }: SignedEvidence): number =>
  evidence.probes.reduce((sum, { exchanges }) => sum + exchanges.length, 0);

@Injectable()
export class RetestsRepository {
  private readonly columns = sql`${this.database.columns(RetestRow, 'r', ['evidence', 'newSite', 'refusal'])},
    CASE WHEN r.refusal IS NOT NULL THEN 'refusal' WHEN r.new_site IS NOT NULL THEN 'site' END AS offer`;

  constructor(private readonly database: Database) {}

  /** The last retest of a finding that is in the caller's scope. */
  findLastOfVisible(findingId: number): Promise<Retest | undefined> {
    return this.database.row<Retest>(
      sql`SELECT ${this.columns} FROM retests r WHERE r.finding_id = ${findingId} ORDER BY r.id DESC LIMIT 1`,
    );
  }

  async findEvidenceOfVisible(id: number): Promise<SignedEvidence | null> {
    const row = await this.database.row<Pick<RetestRow, 'evidence'>>(
      sql`SELECT r.evidence FROM retests r WHERE r.id = ${id}`,
    );
    return row?.evidence ?? null;
  }

  /** What a person may confirm after it. */
  async findOfferOfVisible(id: number): Promise<Pick<RetestRow, 'newSite' | 'refusal'>> {
    const row = await this.database.row<Pick<RetestRow, 'newSite' | 'refusal'>>(
      sql`SELECT r.new_site AS "newSite", r.refusal FROM retests r WHERE r.id = ${id}`,
    );
    return row ?? { newSite: null, refusal: null };
  }

  /** Those of the findings whose last retest was refused, with its response. The caller has found them in scope. */
  listRefusedOfVisible(findingIds: readonly number[]): Promise<RefusedFinding[]> {
    return this.database.rows<RefusedFinding>(sql`
      SELECT f.id AS "findingId", f.check_definition AS "checkDefinition", b.baseline, r.refusal,
        json_build_object('id', f.id, 'organizationId', f.organization_id, 'status', f.status) AS finding
      FROM unnest(${findingIds}::int[]) AS wanted (id) JOIN findings f ON f.id = wanted.id
      JOIN finding_baselines b ON b.finding_id = f.id AND b.organization_id = f.organization_id AND b.check_definition = f.check_definition
      CROSS JOIN LATERAL (SELECT * FROM retests mine WHERE mine.finding_id = f.id ORDER BY mine.id DESC LIMIT 1) r
      WHERE r.result = 'blocked' AND r.refusal IS NOT NULL ORDER BY f.id`);
  }

  async listFixedByRefusal(scope: Scope, uuids: readonly string[]): Promise<string[]> {
    const rows = await this.database.rows<{ uuid: string }>(sql`
      SELECT r.uuid FROM retests r WHERE r.uuid = ANY(${uuids}::uuid[]) AND r.by_refusal IS NOT NULL AND ${visibleTo(scope, 'r.organization_id')}`);
    return rows.map(({ uuid }) => uuid);
  }

  /** The newest `maxEach` retests of each finding, newest first; with `finishedOnly` of those that have a result. */
  listLastFor(scope: Scope, findingIds: readonly number[], maxEach: number, finishedOnly = false): Promise<Retest[]> {
    return this.database.rows<Retest>(sql`
      SELECT ${this.columns} FROM unnest(${findingIds}::int[]) AS wanted (id)
      CROSS JOIN LATERAL (
        SELECT * FROM retests mine WHERE mine.finding_id = wanted.id AND (mine.status = 'finished' OR NOT ${finishedOnly}::boolean)
        ORDER BY mine.id DESC LIMIT ${maxEach}) r
      WHERE ${visibleTo(scope, 'r.organization_id')} ORDER BY r.id DESC`);
  }

  /**
   * Open findings whose last retest could not be decided, of the last `considered` such retests. The bound keeps the read
   * short where a target was down for long and everything was retested since.
   */
  async listUndecided(scope: Scope, organizationId: number, considered: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT f.id
      FROM (
        SELECT * FROM retests recent
        WHERE recent.organization_id = ${organizationId} AND recent.result IN ('inconclusive', 'blocked')
        ORDER BY recent.id DESC LIMIT ${considered}) r
      JOIN findings f ON f.id = r.finding_id AND f.organization_id = r.organization_id AND f.status <= 4
        AND f.merged_into IS NULL
      WHERE NOT EXISTS (SELECT 1 FROM retests newer WHERE newer.finding_id = r.finding_id AND newer.id > r.id)
        AND ${visibleTo(scope, 'r.organization_id')}`);
    return rows.map(({ id }) => id);
  }

  /** The findings of unfinished retests, with a check or without. There are few. */
  async listUnfinished(scope: Scope, organizationId: number, hasCheck: boolean): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT r.finding_id AS id FROM retests r
      WHERE r.organization_id = ${organizationId} AND r.status IN ('pending', 'in_progress') AND (r.check_id IS NOT NULL) = ${hasCheck}
        AND ${visibleTo(scope, 'r.organization_id')}`);
    return rows.map(({ id }) => id);
  }

  listEvidenceOfVisible(retestIds: readonly number[]): Promise<Pick<RetestRow, 'id' | 'evidence'>[]> {
    return this.database.rows(
      sql`SELECT r.id, r.evidence FROM retests r WHERE r.id = ANY(${retestIds}::int[]) AND r.evidence IS NOT NULL`,
    );
  }

  findOne(scope: Scope, uuid: string): Promise<Retest | undefined> {
    return this.database.row<Retest>(sql`
      SELECT ${this.columns} FROM retests r WHERE r.uuid = ${uuid} AND ${visibleTo(scope, 'r.organization_id')}`);
  }

  lockOne(scope: Scope, uuid: string): Promise<Retest | undefined> {
    return this.database.row<Retest>(sql`
      SELECT ${this.columns} FROM retests r WHERE r.uuid = ${uuid} AND ${visibleTo(scope, 'r.organization_id')} FOR UPDATE`);
  }

  /** Of an organization that the caller has checked. */
  listStartedOfVisible(organizationId: number, uuids: readonly string[]): Promise<StartedRetest[]> {
    return this.database.rows<StartedRetest>(sql`
      SELECT r.uuid, r.finding_id AS "findingId", r.status, r.result, r.started_by AS "startedBy", r.judged_by AS "judgedBy",
        r.second_look_result AS "secondLookResult", r.unproved FROM retests r
      WHERE r.organization_id = ${organizationId} AND r.uuid = ANY(${uuids}::uuid[])`);
  }

  /** The findings that were retested, or are to be, since a time. */
  async listTestedSince(organizationId: number, since: Date): Promise<number[]> {
    const rows = await this.database.rows<{ findingId: number }>(sql`
      SELECT DISTINCT r.finding_id AS "findingId" FROM retests r
      WHERE r.organization_id = ${organizationId}
        AND (r.finished IS NULL OR greatest(r.finished, r.second_look_finished) >= ${since})`);
    return rows.map(({ findingId }) => findingId);
  }

  /** Merged findings are left out, because they are not retested. */
  async isResolvedWithoutTestSince(findingId: number, since: Date): Promise<boolean> {
    const row = await this.database.row(sql`
      SELECT 1 FROM findings f WHERE f.id = ${findingId} AND f.status = 5 AND f.merged_into IS NULL
        AND (f.fixed_at IS NULL OR f.fixed_at <= ${since})`);
    return row !== undefined;
  }

  /** The caller has locked the organization for counting, so that no other retest starts meanwhile. */
  countUnfinishedOfLocked(organizationId: number): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM retests
      WHERE organization_id = ${organizationId} AND status IN ('pending', 'in_progress')`);
  }

  /** Of a finding of an organization that the caller has locked for counting. */
  async hasUnfinishedOfLocked(findingId: number): Promise<boolean> {
    const row = await this.database.row(sql`
      SELECT 1 FROM retests WHERE finding_id = ${findingId} AND status IN ('pending', 'in_progress')`);
    return row !== undefined;
  }

  /** Removes those of a finding that ended before its newest ones. The caller has locked the finding. */
  async removeOld(findingId: number, kept: number): Promise<void> {
    await this.database.change(sql`
      DELETE FROM retests WHERE finding_id = ${findingId} AND status NOT IN ('pending', 'in_progress') AND second_look_due IS NULL AND id <= (
        SELECT id FROM retests WHERE finding_id = ${findingId} ORDER BY id DESC OFFSET ${kept} LIMIT 1)`);
  }

  /** A finding has one unfinished retest at most: the second of two concurrent inserts is a conflict. */
  async add(retest: NewRetest): Promise<Retest> {
    const checkDefinition = retest.checkDefinition === null ? null : JSON.stringify(retest.checkDefinition);
    const added = this.database.row<Retest>(sql`
      INSERT INTO retests AS r (uuid, organization_id, finding_id, beacon_id, event_slug, check_id, check_definition, started_by)
      VALUES (${retest.uuid}, ${retest.organizationId}, ${retest.findingId}, ${retest.beaconId}, ${retest.eventSlug}, ${retest.checkId}, ${checkDefinition}, ${retest.startedBy})
      RETURNING ${this.columns}`);
    const row = await onViolation(added, { uq_retests_unfinished: retestUnderWay });
    if (row === undefined) throw new Error('INSERT ... RETURNING without ON CONFLICT returned no row');
    return row;
  }

  /** With `due` null, no look is planned any more. */
  async planSecondLook(id: number, due: Date | null): Promise<void> {
    await this.database.change(sql`UPDATE retests SET second_look_due = ${due} WHERE id = ${id}`);
  }

  async endSecondLook(
    id: number,
    { result, reason, unproved = null }: Pick<RetestEnd, 'result' | 'reason' | 'unproved'>,
  ): Promise<void> {
    await this.database.change(sql`
      UPDATE retests SET second_look_due = NULL, second_look_finished = now(), second_look_result = ${result},
        second_look_reason = ${reason}, unproved = ${unproved}
      WHERE id = ${id}`);
  }

  /** Whether no later retest has decided. */
  async isLastWordOnFinding({ id, findingId }: Pick<Retest, 'id' | 'findingId'>): Promise<boolean> {
    const newer = await this.database.row(sql`
      SELECT 1 FROM retests WHERE finding_id = ${findingId} AND id > ${id} AND result IN ('fixed', 'still_vulnerable')`);
    return newer === undefined;
  }

  /** Returns the retest; undefined if it has begun before. */
  async begin(uuid: string): Promise<Retest | undefined> {
    return this.database.row<Retest>(sql`
      UPDATE retests r SET status = 'in_progress', started = now() WHERE r.uuid = ${uuid} AND r.status = 'pending'
      RETURNING ${this.columns}`);
  }

  async end(id: number, ended: RetestEnd): Promise<void> {
    const { status, result, reason, evidence, judgedBy, newSite, refusal, byRefusal, decided, unproved } = ended;
    await this.database.change(sql`
      UPDATE retests SET status = ${status}, result = ${result}, reason = ${reason}, finished = now(),
        evidence = ${evidence === null ? null : JSON.stringify(evidence)},
        requests = ${evidence === null ? null : requestsIn(evidence)}, judged_by = ${judgedBy ?? null},
        new_site = ${newSite == null ? null : JSON.stringify(newSite)}, decided = ${decided ?? null},
        refusal = ${refusal == null ? null : storableJson(refusal)}, by_refusal = ${byRefusal ?? null}, unproved = ${unproved ?? null}
      WHERE id = ${id}`);
  }
}
