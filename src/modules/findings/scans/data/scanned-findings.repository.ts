import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { forEachRow, raw, sql } from '../../../../platform/database/sql';
import { copiedToEvents } from '../../changes/data/belief-columns';
import type { BeforeReopening } from '../../data/finding-sighting.entity';
import type { FindingEdits } from '../../domain/pins';
import { titleKeyOf } from '../../domain/fingerprint';
import { NOT_REQUESTED } from '../../domain/verification';
import {
  DATABASE_ONLY_COLUMNS,
  FindingRow,
  type LockedFinding,
  LONG_COLUMNS,
  type ScannedFinding,
  type StatedFields,
} from '../../data/finding.entity';
import type { Markdown } from '../../rendering/markdown-renderer';
import type { SeenInFiles } from './finding-sightings.repository';
import { idsWithParts } from './merged-findings.repository';

/** The finding with a fingerprint. */
export type KnownFinding = ScannedFinding & {
  /** The finding that has the fingerprint itself: this one, or one merged into it. */
  readonly ownId: number;
  readonly ownBeaconId: number | null;
};

/** Columns that are NULL or have their default in a new finding. */
type UnsetColumn =
  | 'id'
  | 'searched'
  | 'titleKey'
  | 'status'
  | 'previousStatus'
  | 'acceptedUntil'
  | 'assigneeId'
  | 'assignedBy'
  | 'dueByHand'
  | 'deadlineStart'
  | 'labels'
  | 'dueOrder'
  | 'otherCves'
  | 'fixedAt'
  | 'statedAt'
  | 'mergedInto'
  | 'believedSince'
  | 'edits'
  | 'created';

type Score = 'requestedScore' | 'score';

export type NewFinding = Omit<FindingRow, UnsetColumn | Score | 'lastSeen' | keyof StatedFields> &
  StatedFields &
  Partial<Record<Score, number | null>> & {
    /** Null for now. */
    readonly lastSeen: Date | null;
  };

/** Findings that agree in these columns are the same finding (uq_findings_identity). */
export type FindingIdentity = Pick<FindingRow, 'organizationId' | 'fingerprint' | 'assetValue' | 'beaconId'>;

export type AmendedFinding = Pick<
  FindingRow,
  'id' | 'severity' | 'score' | 'cvssVector' | 'priority' | 'dueDate' | 'cve' | 'otherCves' | 'epss' | 'kev' | 'edits'
>;

/** A finding that may be missing from a newer file of its scanner. */
export type SeenBefore = Pick<FindingRow, 'id' | 'title' | 'assetValue'> & {
  /** The ids of the finding and of those merged into it. */
  readonly allIds: readonly number[];
  /** The finding itself or a part of it, with the scanner and the place where that scanner saw it. */
  readonly seenId: number;
  readonly scanner: string;
  readonly place: string;
};

/** The clock of a scanner may be ahead. NULL is now. */
const lastSeen = raw(`least(r."lastSeen", now())`);

/** A new finding goes to the member who owns its asset. */
const ownerOfAsset = raw(`user_owning_asset(r."organizationId", r."assetId")`);

const ownColumns = raw(
  `encode(own.fingerprint, 'hex') AS "scanFingerprint", own.id AS "ownId", own.beacon_id AS "ownBeaconId"`,
);

const mainOfOwn = raw(
  'FROM findings own JOIN findings f ON f.id = coalesce(own.merged_into, own.id) AND f.organization_id = own.organization_id',
);

/** Reads and writes the findings of a batch of results, with one statement for all of them. */
@Injectable()
export class ScannedFindingsRepository {
  private readonly columns = this.database.columns(FindingRow, 'f', [...DATABASE_ONLY_COLUMNS, ...LONG_COLUMNS]);
  private readonly allColumns = this.database.columns(FindingRow, 'f', DATABASE_ONLY_COLUMNS);

  constructor(private readonly database: Database) {}

  /** The findings with these fingerprints, or the main findings of those that are merged. */
  listByFingerprints(organizationId: number, fingerprints: readonly string[], isLocked: boolean) {
    const lock = raw(isLocked ? 'FOR NO KEY UPDATE OF f' : '');
    return this.database.rows<KnownFinding>(sql`
      SELECT ${this.columns}, ${ownColumns} ${mainOfOwn}
      WHERE own.organization_id = ${organizationId} AND own.fingerprint = ANY(${buffersOf(fingerprints)}::bytea[])
      ORDER BY f.id ${lock}`);
  }

  /** The finding with this identity, or its main finding, with its texts and its check. */
  lockByIdentity({
    organizationId,
    fingerprint,
    assetValue,
    beaconId,
  }: FindingIdentity): Promise<(KnownFinding & LockedFinding) | undefined> {
    return this.database.row<KnownFinding & LockedFinding>(sql`
      SELECT ${this.allColumns}, ${ownColumns} ${mainOfOwn}
      WHERE own.organization_id = ${organizationId} AND own.fingerprint = ${fingerprint} AND own.asset_value = ${assetValue}
        AND own.beacon_id IS NOT DISTINCT FROM ${beaconId} FOR NO KEY UPDATE OF f`);
  }

  /** The findings with these fingerprints, and the titles that scanners gave them. */
  listTitles(
    organizationId: number,
    fingerprints: readonly string[],
  ): Promise<{ readonly fingerprint: string; readonly beaconId: number | null; readonly title: string }[]> {
    return this.database.rows(sql`
      SELECT encode(f.fingerprint, 'hex') AS fingerprint, f.beacon_id AS "beaconId",
        coalesce(f.edits #>> '{pins,title}', f.title) AS title FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.fingerprint = ANY(${buffersOf(fingerprints)}::bytea[])`);
  }

  /** Those of these findings that are open, not limited to an import. For a merged one, its main finding. */
  listOpen(organizationId: number, seen: readonly SeenInFiles[]): Promise<SeenBefore[]> {
    const [ids, scanners] = [seen.map(({ findingId }) => findingId), seen.map(({ scanner }) => scanner)];
    const own = sql`SELECT asset_value AS "assetValue", coalesce(merged_into, id) AS main, organization_id
      FROM findings WHERE id = wanted.id`;
    const main = sql`SELECT id, title, status, organization_id FROM findings WHERE id = own.main`;
    return this.database.rows<SeenBefore>(sql`
      SELECT f.id, f.title, own."assetValue", wanted.id AS "seenId", wanted.scanner, wanted.place, ${idsWithParts(sql`f.id`)} AS "allIds"
      FROM unnest(${ids}::int[], ${scanners}::text[], ${seen.map(({ place }) => place)}::text[]) AS wanted (id, scanner, place)
        ${forEachRow(own, 'own', sql`own.organization_id = ${organizationId}`)}
        ${forEachRow(main, 'f', sql`f.organization_id = ${organizationId}`)}
      WHERE f.status BETWEEN 1 AND 4 ORDER BY wanted.id, wanted.scanner`);
  }

  /** Adds the findings that do not exist yet, and returns them. Waits for concurrent inserts of the same findings. */
  add(findings: readonly NewFinding[]): Promise<ScannedFinding[]> {
    const rows = findings.map((one) => ({ ...one, titleKey: titleKeyOf(one.title) }));
    return this.database.rows<ScannedFinding>(sql`
      INSERT INTO findings AS f ${this.database.insertedRows(FindingRow, rows, { lastSeen, assigneeId: ownerOfAsset })}
      ON CONFLICT ON CONSTRAINT uq_findings_identity DO NOTHING
      RETURNING ${this.columns}, encode(f.fingerprint, 'hex') AS "scanFingerprint"`);
  }

  /** Binds checks to those of these findings that have none. */
  async bind(
    organizationId: number,
    checks: readonly { readonly id: number; readonly checkId: string | null; readonly checkDefinition: unknown }[],
  ): Promise<void> {
    await this.database.change(sql`
      UPDATE findings f SET check_id = r."checkId", check_definition = r."checkDefinition", allow_unsafe = false,
        verification_reason = CASE f.verification WHEN 'untested' THEN ${NOT_REQUESTED} ELSE f.verification_reason END
      FROM jsonb_to_recordset(${JSON.stringify(checks)}::jsonb) AS r (id int, "checkId" text, "checkDefinition" jsonb)
      WHERE f.id = r.id AND f.organization_id = ${organizationId} AND f.check_id IS NULL`);
  }

  async saveSeen(
    organizationId: number,
    seen: readonly (Pick<FindingRow, 'id' | 'isSupported'> & {
      readonly times: number;
      readonly lastSeen: Date | null;
    })[],
  ): Promise<void> {
    await this.database.change(sql`
      UPDATE findings f SET times_seen = f.times_seen + r.times, last_seen = greatest(f.last_seen, ${lastSeen}),
        is_supported = f.is_supported OR r."isSupported"
      FROM jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) AS r (id int, times int, "lastSeen" timestamptz, "isSupported" boolean)
      WHERE f.id = r.id AND f.organization_id = ${organizationId}`);
  }

  async attach({
    id,
    assetId,
    assetTier,
    priority,
  }: Pick<LockedFinding, 'id' | 'assetId' | 'assetTier' | 'priority'>): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET asset_id = ${assetId}, asset_tier = ${assetTier}, priority = ${priority} WHERE id = ${id}`);
  }

  /** If `text` is null, the stored text is kept. */
  async saveRestated(id: number, edits: FindingEdits, text: Markdown | null): Promise<void> {
    await this.database.change(sql`UPDATE findings SET edits = ${JSON.stringify(edits)} WHERE id = ${id}`);
    if (text === null) return;
    await this.database.change(
      sql`UPDATE finding_texts SET stated_md = ${text.md}, stated_html = ${text.html} WHERE finding_id = ${id}`,
    );
  }

  /**
   * After an import is undone, the severity of the last remaining sighting is stored for pinned fields. It does not lower a
   * severity that a check has proved, because a retest leaves no sighting.
   */
  async restateFromSightings(ids: readonly number[]): Promise<void> {
    await this.database.change(sql`
      UPDATE findings f SET edits = jsonb_set(f.edits, '{pins,severity}',
        jsonb_build_object('severity', last.severity, 'score', NULL, 'cvssVector', NULL))
      FROM (
        SELECT DISTINCT ON (s.finding_id) s.finding_id, s.severity FROM finding_sightings s
        WHERE s.finding_id = ANY(${ids}::int[]) AND (s.import_id IS NOT NULL OR s.job_uuid IS NOT NULL)
        ORDER BY s.finding_id, s.seen_at DESC, s.id DESC) last
      WHERE f.id = last.finding_id AND (f.edits #>> '{pins,severity,severity}')::int <> last.severity
        AND (f.verification <> 'confirmed' OR (f.edits #>> '{pins,severity,severity}')::int < last.severity)`);
  }

  /** Also updates its events. */
  async saveAmended(finding: AmendedFinding): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET severity = ${finding.severity}, score = ${finding.score}, cvss_vector = ${finding.cvssVector},
        priority = ${finding.priority}, due_date = ${finding.dueDate}, cve = ${finding.cve}, other_cves = ${finding.otherCves}::text[],
        epss = ${finding.epss}, kev = ${finding.kev}, edits = ${finding.edits === null ? null : JSON.stringify(finding.edits)}
      WHERE id = ${finding.id}`);
    await this.database.change(copiedToEvents([finding.id]));
  }

  /** One statement each, because a batch reopens few findings. */
  async saveReopened(id: number, { status, previousStatus, deadlineStart, dueDate }: BeforeReopening): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET status = ${status}, previous_status = ${previousStatus}, deadline_start = ${deadlineStart},
        due_date = ${dueDate}
      WHERE id = ${id}`);
  }

  async remove(organizationId: number, ids: readonly number[]): Promise<void> {
    await this.database.change(
      sql`DELETE FROM findings WHERE organization_id = ${organizationId} AND id = ANY(${ids}::int[])`,
    );
  }
}

const buffersOf = (fingerprints: readonly string[]): Buffer[] => fingerprints.map((text) => Buffer.from(text, 'hex'));
