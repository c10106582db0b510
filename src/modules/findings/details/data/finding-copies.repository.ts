import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { type Sql, raw, sql } from '../../../../platform/database/sql';
import { copiedToEvents } from '../../changes/data/belief-columns';
import type { FindingRow } from '../../data/finding.entity';
import { titleKeyOf } from '../../domain/fingerprint';
import { isSupporting } from '../../scans/data/finding-sightings.repository';
import { idsWithParts } from '../../scans/data/merged-findings.repository';

export type VulnerabilityCopy = Pick<FindingRow, 'id' | 'organizationId' | 'epss' | 'kev' | 'priority'>;

export interface TitledFinding {
  readonly id: number;
  readonly checkId: string;
  readonly title: string;
  readonly location: string;
}

export type CopiedFinding = VulnerabilityCopy &
  Pick<FindingRow, 'cve' | 'otherCves' | 'severity' | 'assetTier' | 'verification'>;

const columns = raw(
  'f.id, f.organization_id AS "organizationId", f.cve, f.other_cves AS "otherCves", f.severity, f.asset_tier AS "assetTier", f.verification, f.epss, f.kev, f.priority',
);

/**
 * The copies of public data in findings of all organizations. Only the worker uses this; nothing read here is returned to users.
 */
@Injectable()
export class FindingCopiesRepository {
  constructor(private readonly database: Database) {}

  listWithCve(after: number, limit: number): Promise<CopiedFinding[]> {
    return this.read(sql`f.cve IS NOT NULL AND f.id > ${after} ORDER BY f.id LIMIT ${limit}`);
  }

  listAfter(after: number, limit: number): Promise<CopiedFinding[]> {
    return this.read(sql`f.id > ${after} ORDER BY f.id LIMIT ${limit}`);
  }

  lock(ids: readonly number[]): Promise<CopiedFinding[]> {
    return this.read(sql`f.id = ANY(${ids}::int[]) ORDER BY f.id FOR NO KEY UPDATE OF f`);
  }

  /** Sets whether a sighting supports the findings, which the caller has locked. */
  async saveSupport(ids: readonly number[]): Promise<void> {
    await this.database.change(sql`
      UPDATE findings f SET is_supported = true WHERE f.id = ANY(${ids}::int[]) AND NOT f.is_supported AND EXISTS (
        SELECT 1 FROM finding_sightings s WHERE s.finding_id = ANY(${idsWithParts(sql`f.id`)}) AND ${isSupporting('s')})`);
    await this.database.change(copiedToEvents(ids));
  }

  /**
   * The findings among these that still have the title from an earlier version of their check. A title that a user has edited is
   * a different one.
   */
  listFormerlyTitled(ids: readonly number[], titles: Readonly<Record<string, string>>): Promise<TitledFinding[]> {
    return this.database.rows<TitledFinding>(sql`
      SELECT f.id, f.check_id AS "checkId", f.title, f.check_definition->>'location' AS location FROM findings f
      WHERE f.id = ANY(${ids}::int[]) AND f.title = ${titles}::jsonb->>f.check_id AND f.check_definition->>'location' IS NOT NULL`);
  }

  listWithoutTitleKey(ids: readonly number[]): Promise<Pick<TitledFinding, 'id' | 'title'>[]> {
    return this.database.rows(
      sql`SELECT f.id, f.title FROM findings f WHERE f.id = ANY(${ids}::int[]) AND f.title_key IS NULL`,
    );
  }

  async saveTitles(titled: readonly Pick<TitledFinding, 'id' | 'title'>[]): Promise<void> {
    if (titled.length === 0) return;
    await this.database.change(sql`
      UPDATE findings f SET title = n.title, title_key = n.key
      FROM unnest(${titled.map(({ id }) => id)}::int[], ${titled.map(({ title }) => title)}::text[],
        ${titled.map(({ title }) => titleKeyOf(title))}::bigint[]) AS n (id, title, key)
      WHERE f.id = n.id`);
  }

  async save(copies: readonly VulnerabilityCopy[]): Promise<void> {
    if (copies.length === 0) return;
    const changed = sql`unnest(${copies.map(({ id }) => id)}::int[], ${copies.map((copy) => copy.organizationId)}::int[],
      ${copies.map(({ epss }) => epss)}::float8[], ${copies.map(({ kev }) => kev)}::boolean[],
      ${copies.map(({ priority }) => priority)}::int[]) AS n (id, organization_id, epss, kev, priority)`;
    await this.database.change(sql`
      UPDATE findings f SET epss = n.epss, kev = n.kev, priority = n.priority FROM ${changed}
      WHERE f.id = n.id AND f.organization_id = n.organization_id`);
    await this.database.change(copiedToEvents(copies.map(({ id }) => id)));
  }

  private read(condition: Sql): Promise<CopiedFinding[]> {
    return this.database.rows<CopiedFinding>(sql`SELECT ${columns} FROM findings f WHERE ${condition}`);
  }
}
