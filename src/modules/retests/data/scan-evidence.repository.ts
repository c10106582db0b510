import { Injectable } from '@nestjs/common';
import type { Sighting } from '../../../engine';
import { Clock } from '../../../kernel/clock';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { type ProbeSummary, summarizeExchange } from '../../evidence';

/** The last exchanges of one finding: a check that sends more ends with the one that shows the weakness. */
const MAX_EXCHANGES = 4;

/** By finding: what the last scan that saw it sent and received. */
@Injectable()
export class ScanEvidenceRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async find(scope: Scope, findingId: number): Promise<ProbeSummary | null> {
    const row = await this.database.row<{ probe: ProbeSummary }>(sql`
      SELECT e.probe FROM scan_evidence e
      WHERE e.finding_id = ${findingId} AND ${visibleTo(scope, 'e.organization_id')}`);
    return row?.probe ?? null;
  }

  async save(
    { findingId, organizationId }: { findingId: number; organizationId: number },
    { detail, exchanges, seenAt }: Sighting,
  ): Promise<void> {
    if (exchanges.length === 0) return;
    const probe: ProbeSummary = {
      at: seenAt ?? this.clock.now().toISOString(),
      state: 'vulnerable',
      detail,
      exchanges: exchanges.slice(-MAX_EXCHANGES).map(summarizeExchange),
    };
    await this.database.change(sql`
      INSERT INTO scan_evidence (finding_id, organization_id, probe)
      VALUES (${findingId}, ${organizationId}, ${JSON.stringify(probe)})
      ON CONFLICT (finding_id, organization_id) DO UPDATE SET probe = excluded.probe
      WHERE scan_evidence.probe ->> 'at' <= excluded.probe ->> 'at'`);
  }
}
