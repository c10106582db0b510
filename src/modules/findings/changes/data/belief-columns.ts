import { type Sql, raw, sql } from '../../../../platform/database/sql';
import { beliefRankIn } from '../../domain/belief';
import type { VerificationResult } from '../../domain/verification';

/** The columns of a finding `f` that `event_findings` copies for sorting. */
export const copiedColumns = raw(`f.severity, f.priority, ${beliefRankIn('f')}`);

/** Updates the copies in all events of these findings. */
export const copiedToEvents = (ids: readonly number[]): Sql => sql`
  UPDATE event_findings l SET (severity, priority, belief_rank) = (${copiedColumns}) FROM findings f
  WHERE f.id = ANY(${ids}::int[]) AND l.finding_id = f.id AND l.organization_id = f.organization_id
    AND (l.severity, l.priority, l.belief_rank) <> (${copiedColumns})`;

/** `believed_since` after a test: unchanged while the finding stays proved, refuted or neither. */
export const believedAfter = (result: VerificationResult, at: Sql): Sql =>
  result === 'confirmed' || result === 'refuted'
    ? sql`CASE f.verification WHEN ${result} THEN coalesce(f.believed_since, f.verified_at) ELSE ${at} END`
    : sql`CASE WHEN f.verification IN ('untested', 'inconclusive') THEN f.believed_since ELSE ${at} END`;
