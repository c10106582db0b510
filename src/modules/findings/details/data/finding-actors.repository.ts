import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../../platform/api/caller';
import { Database } from '../../../../platform/database/database';
import { sql } from '../../../../platform/database/sql';

/** A change of a finding as it is in the feed. */
export interface NamedChange {
  readonly key: string;
  readonly findingId: number;
  readonly at: Date;
  readonly kind: 'created' | 'changed' | 'commented';
  readonly commentId?: number | undefined;
  /** The status before and after. */
  readonly status?: readonly [unknown, unknown] | undefined;
  /** The new values of the changed fields, as the history stores them. */
  readonly values?: Readonly<Record<string, string | null>>;
  /** A LIKE pattern for the start or end of a merge's note. */
  readonly note?: string | undefined;
}

/** Finds in the history who changed findings. */
@Injectable()
export class FindingActorsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the actors by the keys of the changes. The history entry and the change are of one transaction, which lasts less than
   * a minute.
   */
  async listOfVisible(organizationId: number, changes: readonly NamedChange[]): Promise<Map<string, Actor>> {
    if (changes.length === 0) return new Map();
    const rows = await this.database.rows<Actor & { readonly key: string }>(sql`
      SELECT c.key, h.actor_type AS type, h.actor_id AS id
      FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS c (key text, "findingId" int, at timestamptz, kind text,
        "commentId" bigint, status int[], "values" jsonb, note text)
      CROSS JOIN LATERAL (
        SELECT e.actor_type, e.actor_id FROM finding_history e
        WHERE e.finding_id = c."findingId" AND e.organization_id = ${organizationId}
          AND e.created BETWEEN c.at - interval '1 minute' AND c.at
          AND CASE c.kind WHEN 'created' THEN e.previous_status IS NULL WHEN 'commented' THEN e.id = c."commentId"
            ELSE (e.previous_status = c.status[1] AND e.status = c.status[2]) IS TRUE OR (e.comment LIKE c.note) IS TRUE OR EXISTS (
              SELECT 1 FROM jsonb_array_elements(e.changes) f JOIN jsonb_each_text(c."values") v ON v.key = f ->> 'field'
              WHERE v.value IS NOT DISTINCT FROM f ->> 'to') END
        ORDER BY e.id DESC LIMIT 1) h`);
    return new Map(rows.map(({ key, type, id }) => [key, { type, id }]));
  }
}
