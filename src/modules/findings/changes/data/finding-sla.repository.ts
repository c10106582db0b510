import { Injectable } from '@nestjs/common';
import { SEVERITIES } from '../../../../kernel/severity';
import { Database } from '../../../../platform/database/database';
import { raw, sql } from '../../../../platform/database/sql';
import { LIMIT_OF_SEVERITY, type Sla } from '../../domain/sla';
import { FindingSla } from '../../data/finding-sla.entity';
import { changedByService } from './changed-by-service';

type MovedBatch = { readonly last: number | null; readonly moved: number };
/** The limits in the row `s` of an SLA, by severity number. */
const limits = raw(
  `ARRAY[${SEVERITIES.map((one) => LIMIT_OF_SEVERITY[one])
    .map((limit) => (limit === null ? 'NULL' : `s.${limit}`))
    .join(', ')}]`,
);

@Injectable()
export class FindingSlaRepository {
  private readonly columns = this.database.columns(FindingSla, 's');

  constructor(private readonly database: Database) {}

  /** Undefined if the organization has the default. */
  findOfVisible(organizationId: number): Promise<FindingSla | undefined> {
    return this.database.row<FindingSla>(
      sql`SELECT ${this.columns} FROM finding_sla s WHERE s.organization_id = ${organizationId}`,
    );
  }

  async save(organizationId: number, { critical, high, medium, low }: Sla): Promise<void> {
    const repository = await this.database.repository(FindingSla);
    await repository.upsert({ organizationId, critical, high, medium, low }, ['organizationId']);
  }

  /**
   * Moves the due dates of at most `limit` open findings after an id, unless a person has set them. The row of the SLA is
   * locked, so that this uses the newest one. Returns the last id, and how many due dates have moved.
   */
  async moveDueDates(organizationId: number, after: number, limit: number): Promise<MovedBatch> {
    const moved = sql`SELECT id, status, was::text, due_date::text AS now FROM batch WHERE was IS DISTINCT FROM due_date`;
    const row = await this.database.row<MovedBatch>(sql`
      WITH sla AS (SELECT * FROM finding_sla WHERE organization_id = ${organizationId} FOR SHARE),
      batch AS (
        SELECT f.id, f.status, f.due_date AS was, coalesce(f.deadline_start, (f.created AT TIME ZONE 'UTC')::date)
          + (${limits})[f.severity + 1] AS due_date
        FROM findings f CROSS JOIN sla s
        WHERE f.organization_id = ${organizationId} AND f.status BETWEEN 1 AND 4 AND NOT f.due_by_hand AND f.id > ${after} AND f.merged_into IS NULL
        ORDER BY f.id LIMIT ${limit} FOR NO KEY UPDATE OF f),
      moved AS (
        UPDATE findings f SET due_date = b.due_date FROM batch b
        WHERE f.id = b.id AND f.organization_id = ${organizationId} AND f.due_date IS DISTINCT FROM b.due_date RETURNING 1),
      noted AS (${changedByService(organizationId, 'due_date', 'The SLA was changed.', moved)})
      SELECT (SELECT max(id) FROM batch) AS last, (SELECT count(*)::int FROM moved) AS moved`);
    return row ?? { last: null, moved: 0 };
  }
}
