import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { type Sql, raw, sql } from '../../../../platform/database/sql';
import type { FindingRow } from '../../data/finding.entity';

export type VulnerabilityCopy = Pick<FindingRow, 'id' | 'organizationId' | 'epss' | 'kev' | 'priority'>;

export interface FindingWithCve extends VulnerabilityCopy, Pick<FindingRow, 'otherCves' | 'severity' | 'assetTier'> {
  readonly cve: string;
}

const columns = raw(
  'f.id, f.organization_id AS "organizationId", f.cve, f.other_cves AS "otherCves", f.severity, f.asset_tier AS "assetTier", f.epss, f.kev, f.priority',
);

/** The copies of public data in findings of all organizations. What is read here never leaves the worker. */
@Injectable()
export class FindingCopiesRepository {
  constructor(private readonly database: Database) {}

  listWithCve(after: number, limit: number): Promise<FindingWithCve[]> {
    return this.read(sql`f.cve IS NOT NULL AND f.id > ${after} ORDER BY f.id LIMIT ${limit}`);
  }

  lock(ids: readonly number[]): Promise<FindingWithCve[]> {
    return this.read(sql`f.cve IS NOT NULL AND f.id = ANY(${ids}::int[]) ORDER BY f.id FOR NO KEY UPDATE OF f`);
  }

  async save(copies: readonly VulnerabilityCopy[]): Promise<void> {
    if (copies.length === 0) return;
    const changed = sql`unnest(${copies.map(({ id }) => id)}::int[], ${copies.map((copy) => copy.organizationId)}::int[],
      ${copies.map(({ epss }) => epss)}::float8[], ${copies.map(({ kev }) => kev)}::boolean[],
      ${copies.map(({ priority }) => priority)}::int[]) AS n (id, organization_id, epss, kev, priority)`;
    await this.database.change(sql`
      UPDATE findings f SET epss = n.epss, kev = n.kev, priority = n.priority FROM ${changed}
      WHERE f.id = n.id AND f.organization_id = n.organization_id`);
    await this.database.change(sql`
      UPDATE event_findings l SET priority = n.priority FROM ${changed}
      WHERE l.finding_id = n.id AND l.organization_id = n.organization_id AND l.priority <> n.priority`);
  }

  private read(condition: Sql): Promise<FindingWithCve[]> {
    return this.database.rows<FindingWithCve>(sql`SELECT ${columns} FROM findings f WHERE ${condition}`);
  }
}
