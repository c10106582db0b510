import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/api/caller';
import { Database } from '../../../platform/database/database';
import { raw, sql } from '../../../platform/database/sql';
import type { BeforeReopening } from './finding-sighting.entity';
import { NOT_REQUESTED } from '../domain/verification';
import { DATABASE_ONLY_COLUMNS, FindingRow, type LockedFinding } from './finding.entity';
import { idsWithParts } from './merged-findings.repository';

/** Columns with long texts, which no batch needs: reading them would take much of its memory. */
const LONG_COLUMNS = ['md', 'html', 'checkDefinition'] as const satisfies readonly (keyof FindingRow)[];

/** A finding without its texts, and with its fingerprint in hex. */
export type ScannedFinding = Omit<LockedFinding, (typeof LONG_COLUMNS)[number]> & { readonly scanFingerprint: string };

/** A finding for a fingerprint. */
export type KnownFinding = ScannedFinding & {
  /** The finding that has the fingerprint: this one, or one that is merged into it. */
  readonly ownId: number;
  readonly ownBeaconId: number | null;
};

type Stated =
  | 'organizationId'
  | 'eventId'
  | 'assetId'
  | 'assetValue'
  | 'beaconId'
  | 'title'
  | 'md'
  | 'html'
  | 'severity'
  | 'priority'
  | 'cve'
  | 'otherCves'
  | 'cwe'
  | 'cvssVector'
  | 'references'
  | 'assetTier'
  | 'epss'
  | 'kev'
  | 'dueDate'
  | 'timesSeen'
  | 'checkId'
  | 'checkDefinition'
  | 'lastSeen';

export type NewScannedFinding = Pick<FindingRow, Stated> & {
  readonly score: number | null;
  /** In hex. */
  readonly fingerprint: string;
};

export type AmendedFinding = Pick<
  FindingRow,
  'id' | 'severity' | 'score' | 'cvssVector' | 'priority' | 'dueDate' | 'cve' | 'otherCves' | 'epss' | 'kev'
>;

/** A finding that a file of a scanner may no longer contain. */
export type SeenBefore = Pick<FindingRow, 'id' | 'title' | 'assetValue'> & {
  /** Its id and those of the findings that are merged into it. */
  readonly allIds: readonly number[];
};

/** A finding of an import with the check that tests it. */
export type BoundFinding = Pick<FindingRow, 'id' | 'organizationId' | 'assetId' | 'checkId' | 'checkDefinition'>;

/** A scanner may have a clock that is ahead. */
const lastSeen = raw(`CASE WHEN r."lastSeen" > now() THEN now() ELSE r."lastSeen" END`);

/** The findings of a batch of results, each statement for all of them. */
@Injectable()
export class ScannedFindingsRepository {
  private readonly columns = sql`
    ${this.database.columns(FindingRow, 'f', [...DATABASE_ONLY_COLUMNS, ...LONG_COLUMNS])}, encode(f.fingerprint, 'hex') AS "scanFingerprint"`;

  constructor(private readonly database: Database) {}

  /** The findings that count for these fingerprints: those that have them, or those into which these are merged. */
  listByFingerprints(organizationId: number, fingerprints: readonly string[], isLocked: boolean) {
    const lock = raw(isLocked ? 'FOR NO KEY UPDATE OF f' : '');
    return this.database.rows<KnownFinding>(sql`
      SELECT ${this.database.columns(FindingRow, 'f', [...DATABASE_ONLY_COLUMNS, ...LONG_COLUMNS])},
        encode(own.fingerprint, 'hex') AS "scanFingerprint", own.id AS "ownId", own.beacon_id AS "ownBeaconId"
      FROM findings own JOIN findings f ON f.id = coalesce(own.merged_into, own.id) AND f.organization_id = own.organization_id
      WHERE own.organization_id = ${organizationId} AND own.fingerprint = ANY(${buffersOf(fingerprints)}::bytea[])
      ORDER BY f.id ${lock}`);
  }

  /** The findings with these fingerprints. */
  listTitles(
    organizationId: number,
    fingerprints: readonly string[],
  ): Promise<{ readonly fingerprint: string; readonly beaconId: number | null; readonly title: string }[]> {
    return this.database.rows(sql`
      SELECT encode(f.fingerprint, 'hex') AS fingerprint, f.beacon_id AS "beaconId", f.title FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.fingerprint = ANY(${buffersOf(fingerprints)}::bytea[])`);
  }

  /** With the findings into which they are merged. */
  lockByIds(organizationId: number, ids: readonly number[]): Promise<ScannedFinding[]> {
    return this.database.rows<ScannedFinding>(sql`
      SELECT ${this.columns} FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.id = ANY(ARRAY(
        SELECT unnest(ARRAY[own.id, own.merged_into]) FROM findings own
        WHERE own.organization_id = ${organizationId} AND own.id = ANY(${ids}::int[])))
      ORDER BY f.id FOR NO KEY UPDATE OF f`);
  }

  /** Those of these findings that are open, outside of an import. For a merged one its main finding. */
  listOpen(organizationId: number, ids: readonly number[]): Promise<SeenBefore[]> {
    return this.database.rows<SeenBefore>(sql`
      SELECT f.id, f.title, own.asset_value AS "assetValue", ${idsWithParts(sql`f.id`)} AS "allIds" FROM findings own
      JOIN findings f ON f.id = coalesce(own.merged_into, own.id) AND f.organization_id = own.organization_id
      WHERE own.organization_id = ${organizationId} AND own.id = ANY(${ids}::int[]) AND f.status BETWEEN 1 AND 4
      ORDER BY f.id, own.id`);
  }

  add(findings: readonly NewScannedFinding[]): Promise<ScannedFinding[]> {
    return this.database.rows<ScannedFinding>(sql`
      INSERT INTO findings AS f (organization_id, event_id, asset_id, asset_value, beacon_id, title, md, html, severity,
        priority, score, cve, other_cves, cwe, cvss_vector, check_id, check_definition, verification_reason, reference_urls, asset_tier, epss, kev, due_date, times_seen, last_seen,
        fingerprint)
      SELECT r."organizationId", r."eventId", r."assetId", r."assetValue", r."beaconId", r.title, r.md, r.html, r.severity,
        r.priority, r.score, r.cve, r."otherCves", r.cwe, r."cvssVector", r."checkId", r."checkDefinition",
        CASE WHEN r."checkId" IS NOT NULL THEN ${NOT_REQUESTED} END, r."references", r."assetTier", r.epss, r.kev, r."dueDate",
        r."timesSeen", ${lastSeen}, decode(r.fingerprint, 'hex')
      FROM jsonb_to_recordset(${JSON.stringify(findings)}::jsonb) AS r ("organizationId" int, "eventId" int, "assetId" int,
        "assetValue" text, "beaconId" int, title text, md text, html text, severity int, priority int, score numeric(3, 1),
        cve text, "otherCves" text[], cwe int, "cvssVector" text, "checkId" text, "checkDefinition" jsonb, "references" text[], "assetTier" int, epss float8, kev boolean, "dueDate" date, "timesSeen" int, "lastSeen" timestamptz, fingerprint text)
      RETURNING ${this.columns}`);
  }

  /**
   * Open findings that the import has seen and that a check can test, unless one has shown them before or the import has asked
   * for the test: the most severe first.
   */
  listBound(
    organizationId: number,
    importId: number,
    requested: readonly number[],
    limit: number,
  ): Promise<BoundFinding[]> {
    return this.database.rows<BoundFinding>(sql`
      SELECT f.id, f.organization_id AS "organizationId", f.asset_id AS "assetId", f.check_id AS "checkId", f.check_definition AS "checkDefinition"
      FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.check_id IS NOT NULL AND f.verification <> 'confirmed'
        AND f.status BETWEEN 1 AND 4 AND f.merged_into IS NULL AND f.id <> ALL(${requested}::int[])
        AND f.id IN (SELECT s.finding_id FROM finding_sightings s WHERE s.import_id = ${importId})
      ORDER BY f.severity DESC, f.id LIMIT ${limit}`);
  }

  listWithCheck(organizationId: number, ids: readonly number[]): Promise<BoundFinding[]> {
    return this.database.rows<BoundFinding>(sql`
      SELECT f.id, f.organization_id AS "organizationId", f.asset_id AS "assetId", f.check_id AS "checkId", f.check_definition AS "checkDefinition"
      FROM findings f WHERE f.organization_id = ${organizationId} AND f.id = ANY(${ids}::int[]) ORDER BY f.id`);
  }

  /** Only of findings that were not tested. In the order of their ids, so that there is no deadlock. */
  async saveUntestedReason(organizationId: number, ids: readonly number[], reason: string): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET verification_reason = ${reason} WHERE organization_id = ${organizationId} AND id IN (
        SELECT f.id FROM findings f WHERE f.id = ANY(${ids}::int[]) AND f.organization_id = ${organizationId}
          AND f.verification = 'untested' ORDER BY f.id FOR NO KEY UPDATE)`);
  }

  /** The same for the findings of an import whose test was not asked for, some of them. */
  saveMissingReason(organizationId: number, importId: number, reason: string, limit: number): Promise<number> {
    return this.database.change(sql`
      UPDATE findings SET verification_reason = ${reason} WHERE organization_id = ${organizationId} AND id IN (
        SELECT f.id FROM findings f
        WHERE f.organization_id = ${organizationId} AND f.check_id IS NOT NULL AND f.verification = 'untested'
          AND f.verification_reason = ${NOT_REQUESTED} AND f.status BETWEEN 1 AND 4
          AND f.id IN (SELECT s.finding_id FROM finding_sightings s WHERE s.import_id = ${importId})
        ORDER BY f.id LIMIT ${limit} FOR NO KEY UPDATE)`);
  }

  /** Why open findings of an import were not tested, the most frequent reason first. */
  countUntested(
    organizationId: number,
    importId: number,
    requested: readonly number[],
  ): Promise<{ reason: string | null; findings: number }[]> {
    return this.database.rows(sql`
      SELECT f.verification_reason AS reason, count(*)::int AS findings FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.verification = 'untested' AND f.status BETWEEN 1 AND 4 AND f.merged_into IS NULL
        AND f.id <> ALL(${requested}::int[])
        AND f.id IN (SELECT s.finding_id FROM finding_sightings s WHERE s.import_id = ${importId})
      GROUP BY 1 ORDER BY 2 DESC, 1`);
  }

  /** Binds checks to those of these findings that have none. */
  async bind(
    organizationId: number,
    checks: readonly { readonly id: number; readonly checkId: string; readonly checkDefinition: unknown }[],
  ): Promise<void> {
    await this.database.change(sql`
      UPDATE findings f SET check_id = r."checkId", check_definition = r."checkDefinition", allow_unsafe = false,
        verification_reason = CASE f.verification WHEN 'untested' THEN ${NOT_REQUESTED} ELSE f.verification_reason END
      FROM jsonb_to_recordset(${JSON.stringify(checks)}::jsonb) AS r (id int, "checkId" text, "checkDefinition" jsonb)
      WHERE f.id = r.id AND f.organization_id = ${organizationId} AND f.check_id IS NULL`);
  }

  async saveSeen(
    organizationId: number,
    seen: readonly { readonly id: number; readonly times: number; readonly lastSeen: Date }[],
  ): Promise<void> {
    await this.database.change(sql`
      UPDATE findings f SET times_seen = f.times_seen + r.times, last_seen = greatest(f.last_seen, ${lastSeen})
      FROM jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) AS r (id int, times int, "lastSeen" timestamptz)
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

  /** Also in all its events. */
  async saveAmended(finding: AmendedFinding): Promise<void> {
    const { id, severity, priority } = finding;
    await this.database.change(sql`
      UPDATE findings SET severity = ${severity}, score = ${finding.score}, cvss_vector = ${finding.cvssVector},
        priority = ${priority}, due_date = ${finding.dueDate}, cve = ${finding.cve}, other_cves = ${finding.otherCves}::text[],
        epss = ${finding.epss}, kev = ${finding.kev}
      WHERE id = ${id}`);
    await this.database.change(
      sql`UPDATE event_findings SET severity = ${severity}, priority = ${priority} WHERE finding_id = ${id}`,
    );
  }

  /** A batch has few of them. */
  async saveReopened(id: number, { status, previousStatus, deadlineStart, dueDate }: BeforeReopening): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET status = ${status}, previous_status = ${previousStatus}, deadline_start = ${deadlineStart},
        due_date = ${dueDate}
      WHERE id = ${id}`);
  }

  /** When each of these findings was last resolved. */
  async listResolved(ids: readonly number[]): Promise<Map<number, Date>> {
    const rows = await this.database.rows<{ id: number; at: Date }>(sql`
      SELECT h.finding_id AS id, max(h.created) AS at FROM finding_history h
      WHERE h.finding_id = ANY(${ids}::int[]) AND h.status = 5 AND h.previous_status IS DISTINCT FROM 5 GROUP BY 1`);
    return new Map(rows.map(({ id, at }) => [id, at]));
  }

  /** The first entry of each history. Returns the ids of the entries by those of their findings. */
  async addHistory(actor: Actor, organizationId: number, findingIds: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.database.rows<{ id: string; findingId: number }>(sql`
      INSERT INTO finding_history AS h (organization_id, finding_id, status, actor_type, actor_id)
      SELECT ${organizationId}, id, 1, ${actor.type}, ${actor.id} FROM unnest(${findingIds}::int[]) AS created (id) ORDER BY id
      RETURNING h.id, h.finding_id AS "findingId"`);
    return new Map(rows.map(({ id, findingId }) => [findingId, id]));
  }

  async linkToEvent(eventId: number, findings: readonly Pick<LockedFinding, 'id'>[]): Promise<void> {
    await this.database.change(sql`
      INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority)
      SELECT ${eventId}, f.id, f.organization_id, f.severity, f.priority FROM findings f
      WHERE f.id = ANY(${findings.map(({ id }) => id)}::int[]) ORDER BY f.id
      ON CONFLICT (event_id, finding_id, organization_id) DO UPDATE SET last_seen = excluded.last_seen`);
  }

  async remove(organizationId: number, ids: readonly number[]): Promise<void> {
    await this.database.change(
      sql`DELETE FROM findings WHERE organization_id = ${organizationId} AND id = ANY(${ids}::int[])`,
    );
  }
}

const buffersOf = (fingerprints: readonly string[]): Buffer[] => fingerprints.map((text) => Buffer.from(text, 'hex'));
