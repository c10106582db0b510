import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../../platform/api/caller';
import type { Scope } from '../../../../platform/api/scope';
import { Database } from '../../../../platform/database/database';
import { type Sql, emptySql, raw, sql } from '../../../../platform/database/sql';
import { visibleTo } from '../../../../platform/database/visible';
import { titleKeyOf } from '../../domain/fingerprint';
import type { Markdown } from '../../rendering/markdown-renderer';
import { priorityFactsOf, priorityOf, type StoredFacts } from '../../domain/priority';
import type { FindingVerification, SavedVerification, VerificationResult } from '../../domain/verification';
import { changeOfTotals, isNoChange } from '../../domain/asset-totals';
import { AssetTotalsRepository } from './asset-totals.repository';
import { changedBy } from './changed-by-service';
import { believedAfter, copiedToEvents } from './belief-columns';
import {
  type Finding,
  FindingRow,
  type FindingWithCheck,
  type LockedFinding,
  type WithAcceptingOrganization,
  DATABASE_ONLY_COLUMNS,
  INTERNAL_COLUMNS,
} from '../../data/finding.entity';

/** The assignee, the due date, the labels, the references, and what the check may do. */
export type WorkFields = Pick<
  FindingRow,
  'assigneeId' | 'assignedBy' | 'dueDate' | 'dueByHand' | 'deadlineStart' | 'labels' | 'references' | 'allowUnsafe'
>;

export type EditedFinding = Pick<
  LockedFinding,
  'id' | 'title' | 'md' | 'html' | 'severity' | 'score' | 'cvssVector' | 'priority' | 'dueDate' | 'cwe' | 'cve'
> &
  Pick<LockedFinding, 'otherCves' | 'epss' | 'kev' | 'edits'>;

/** A finding as it was tested. The result does not apply if its asset or check has changed since. */
export type TestedFinding = Pick<FindingRow, 'id' | 'assetId'> & { readonly checkDefinition?: unknown };

export type ChangedStatus = Pick<
  LockedFinding,
  'id' | 'status' | 'previousStatus' | 'acceptedUntil' | 'deadlineStart' | 'dueDate'
>;

/** Includes the result before the change, if the statement returns it. */
interface ChangedBelief
  extends StoredFacts, Pick<FindingRow, 'id' | 'priority' | 'mergedInto' | 'organizationId' | 'status'> {
  readonly testedBefore: VerificationResult;
}

/** The lock that an UPDATE takes. It still allows writing rows that refer to the finding. */
const forNoKeyUpdate = raw('FOR NO KEY UPDATE OF f');

@Injectable()
export class FindingsRepository {
  private readonly columns = this.database.columns(FindingRow, 'f', INTERNAL_COLUMNS);
  private readonly lockedColumns = this.database.columns(FindingRow, 'f', DATABASE_ONLY_COLUMNS);

  constructor(
    private readonly database: Database,
    private readonly totals: AssetTotalsRepository,
  ) {}

  findOne(scope: Scope, id: number): Promise<(Finding & WithAcceptingOrganization) | undefined> {
    return this.database.shortRow<Finding & WithAcceptingOrganization>(sql`
      SELECT ${this.columns}, ${acceptingOrganization(sql`f.organization_id`)} FROM findings f
      WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')}`);
  }

  findWithCheck(scope: Scope, id: number): Promise<FindingWithCheck | undefined> {
    return this.database.row<FindingWithCheck>(sql`
      SELECT ${this.columns}, f.check_id AS "checkId", f.check_definition AS "checkDefinition" FROM findings f
      WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')}`);
  }

  /** Returns undefined if the finding was not seen in this event. A merged one is in the events of its main finding. */
  findInEvent(scope: Scope, eventId: number, id: number): Promise<Finding | undefined> {
    return this.database.row<Finding>(sql`
      SELECT ${this.columns} FROM findings f JOIN event_findings l ON l.finding_id = coalesce(f.merged_into, f.id) AND l.organization_id = f.organization_id AND l.event_id = ${eventId}
      WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')}`);
  }

  async findOrganization(scope: Scope, id: number): Promise<number | undefined> {
    const row = await this.database.row<{ organizationId: number }>(sql`
      SELECT f.organization_id AS "organizationId" FROM findings f
      WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')}`);
    return row?.organizationId;
  }

  lockOne(scope: Scope, id: number): Promise<LockedFinding | undefined> {
    return this.database.row<LockedFinding>(sql`
      SELECT ${this.lockedColumns} FROM findings f WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')} ${forNoKeyUpdate}`);
  }

  /** The findings that are merged into one that the caller has read in scope. */
  listPartsOfVisible(id: number): Promise<Pick<FindingRow, 'id' | 'assetValue'>[]> {
    return this.database.rows(
      sql`SELECT f.id, f.asset_value AS "assetValue" FROM findings f WHERE f.merged_into = ${id} ORDER BY f.id`,
    );
  }

  /** The findings whose acceptance has expired, longest overdue first. */
  listExpiredAcceptances(scope: Scope, now: Date, limit: number): Promise<Pick<Finding, 'id' | 'organizationId'>[]> {
    return this.database.rows(sql`
      SELECT f.id, f.organization_id AS "organizationId" FROM findings f
      WHERE f.accepted_until <= ${now} AND f.merged_into IS NULL AND ${visibleTo(scope, 'f.organization_id')}
      ORDER BY f.accepted_until LIMIT ${limit}`);
  }

  async saveWorkFields(
    id: number,
    { assigneeId, assignedBy, dueDate, dueByHand, deadlineStart, labels, references, allowUnsafe }: WorkFields,
  ): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET assignee_id = ${assigneeId}, assigned_by = ${assignedBy}, due_date = ${dueDate},
        due_by_hand = ${dueByHand}, deadline_start = ${deadlineStart}, labels = ${labels}::text[], reference_urls = ${references}::text[],
        allow_unsafe = ${allowUnsafe}
      WHERE id = ${id}`);
  }

  /** What a person has edited, also in all its events. */
  async saveEdited(finding: EditedFinding): Promise<void> {
    const { id, severity, edits } = finding;
    await this.database.change(sql`
      UPDATE findings SET title = ${finding.title}, title_key = ${titleKeyOf(finding.title)}, md = ${finding.md}, html = ${finding.html}, severity = ${severity},
        score = ${finding.score}, cvss_vector = ${finding.cvssVector}, priority = ${finding.priority}, due_date = ${finding.dueDate},
        cwe = ${finding.cwe}, cve = ${finding.cve}, other_cves = ${finding.otherCves}::text[], epss = ${finding.epss},
        kev = ${finding.kev}, edits = ${JSON.stringify(edits)}
      WHERE id = ${id}`);
    await this.database.change(copiedToEvents([id]));
  }

  async saveCheckDefinition(id: number, checkDefinition: unknown, allowUnsafe: boolean): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET check_definition = ${JSON.stringify(checkDefinition)}, allow_unsafe = ${allowUnsafe}
      WHERE id = ${id}`);
  }

  async saveText(id: number, jobUuid: string, { md, html }: Markdown): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET md = ${md}, html = ${html} WHERE id = ${id} AND edits IS NULL AND EXISTS (
        SELECT 1 FROM finding_sightings s WHERE s.finding_id = findings.id AND s.outcome = 'created' AND s.job_uuid = ${jobUuid})`);
  }

  /** Gives the finding another location and fingerprint. Returns false if another finding has that fingerprint. */
  async saveLocation(id: number, location: string, fingerprint: Buffer): Promise<boolean> {
    const row = await this.database.row<{ id: number }>(sql`
      UPDATE findings f SET fingerprint = ${fingerprint},
        check_definition = jsonb_set(f.check_definition, '{location}', to_jsonb(${location}::text))
      WHERE f.id = ${id} AND NOT EXISTS (
        SELECT 1 FROM findings other WHERE other.organization_id = f.organization_id AND other.fingerprint = ${fingerprint}
          AND other.asset_value = f.asset_value AND other.beacon_id IS NOT DISTINCT FROM f.beacon_id)
      RETURNING f.id`);
    return row !== undefined;
  }

  /**
   * A confirmed finding stays confirmed: only another check changes that. A test that could not run does not replace a result.
   * With `waits: false`, a finding that another transaction has locked is left as it is.
   */
  async saveVerification(
    { id, checkDefinition, assetId }: TestedFinding,
    { result, reason }: FindingVerification,
    { waits, at = null }: SavedVerification,
  ): Promise<void> {
    const lock = raw(waits ? 'FOR NO KEY UPDATE' : 'FOR NO KEY UPDATE SKIP LOCKED');
    const ofCheck =
      checkDefinition === undefined
        ? emptySql
        : sql` AND t.check_definition = ${JSON.stringify(checkDefinition)}::jsonb`;
    const testedAt =
      result === 'untested'
        ? raw('NULL')
        : sql`greatest(CASE WHEN f.verification = ${result} THEN f.verified_at END, coalesce(${at}::timestamptz, now()))`;
    const changed = await this.saveBelief(sql`
      WITH was AS (
        SELECT t.id, t.verification FROM findings t
        WHERE t.id = ${id} AND t.asset_id IS NOT DISTINCT FROM ${assetId}${ofCheck} ${lock})
      UPDATE findings f SET verification = ${result}, verification_reason = ${reason}, verified_at = ${testedAt},
        believed_since = ${believedAfter(result, sql`coalesce(${at}::timestamptz, now())`)}
      FROM was WHERE f.id = was.id
        AND (CASE f.verification WHEN 'confirmed' THEN ${result} = 'confirmed' WHEN 'untested' THEN true
          ELSE ${result} <> 'untested' END)
      RETURNING was.verification AS "testedBefore", f.merged_into AS "mergedInto", f.organization_id AS "organizationId", f.status`);
    if (changed === undefined || assetId === null || changed.mergedInto !== null) return;
    const change = changeOfTotals({ ...changed, verification: changed.testedBefore }, changed);
    if (!isNoChange(change)) await this.totals.add(assetId, changed.organizationId, change);
  }

  /**
   * With another check, earlier results no longer apply. Otherwise a confirmed finding keeps its result and time. The caller
   * updates the totals of the asset together with those of its batch.
   */
  async resetVerification(
    id: number,
    { result, reason }: FindingVerification,
    { checkReplaced }: { readonly checkReplaced: boolean },
  ): Promise<void> {
    const testedAt = raw(result === 'untested' ? 'NULL' : 'now()');
    await this.saveBelief(sql`
      UPDATE findings f SET verification = ${result}, verification_reason = ${reason}, verified_at = ${testedAt},
        believed_since = ${believedAfter(result, raw('now()'))}
      WHERE f.id = ${id} AND (${checkReplaced} OR f.verification <> 'confirmed') RETURNING f.status`);
  }

  /** Updates the priority, which depends on whether the finding is proved, and the sort columns in its events. */
  private async saveBelief(change: Sql): Promise<ChangedBelief | undefined> {
    const changed = await this.database.row<ChangedBelief>(
      sql`${change}, f.id, f.priority, f.severity, f.asset_tier AS "assetTier", f.verification, f.epss, f.kev`,
    );
    if (changed === undefined) return undefined;
    const priority = priorityOf(priorityFactsOf(changed));
    if (priority !== changed.priority)
      await this.database.change(sql`UPDATE findings SET priority = ${priority} WHERE id = ${changed.id}`);
    await this.database.change(copiedToEvents([changed.id]));
    return changed;
  }

  async saveStatus(finding: ChangedStatus, isStated: boolean): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET status = ${finding.status}, previous_status = ${finding.previousStatus},
        accepted_until = ${finding.acceptedUntil}, deadline_start = ${finding.deadlineStart}, due_date = ${finding.dueDate},
        stated_at = CASE WHEN ${isStated}::boolean THEN now() ELSE stated_at END
      WHERE id = ${finding.id}`);
  }

  async saveFixed(id: number, at: Date): Promise<void> {
    await this.database.change(sql`UPDATE findings SET fixed_at = greatest(fixed_at, ${at}) WHERE id = ${id}`);
  }

  /** Detaches at most `limit` findings from an asset, and returns how many it detached. */
  detachSome(actor: Actor, assetId: number, limit: number): Promise<number> {
    const detached = sql`SELECT id, organization_id, status, asset_value AS was, NULL::text AS now FROM detached`;
    return this.database.change(sql`
      WITH detached AS (
        UPDATE findings SET asset_id = NULL
        WHERE id = ANY(ARRAY(SELECT id FROM findings WHERE asset_id = ${assetId} ORDER BY id LIMIT ${limit}))
        RETURNING id, organization_id, status, asset_value)
      ${changedBy(actor, 'asset', 'The asset was deleted.', detached)}`);
  }
}

/** If `organization` is a value and not a column, the database runs this subquery once for the whole statement. */
export const acceptingOrganization = (organization: Sql): Sql =>
  sql`coalesce((SELECT c.organization_id FROM accepted_checks c WHERE c.organization_id = ${organization} LIMIT 1),
    (SELECT c.organization_id FROM accepted_checks_on_many c WHERE c.organization_id = ${organization} LIMIT 1)) AS "acceptingOrganization"`;
