import type { Config } from '../../platform/config/load-config';
import { asTableOwner } from './as-table-owner';
import { auditPartitions, dropPartition } from './audit-partitions';
import {
  type Age,
  deletePiece,
  expiredRows,
  hasNoKeptRow,
  removeUnusedProofs,
  retentionOf,
  valuesOf,
} from './history-rows';
import { auditedChange } from './audited-change';

export interface DroppedHistory {
  /** Months that were dropped whole. */
  readonly partitions: readonly string[];
  /** Rows that were deleted beside them. */
  readonly auditLogs: number;
  readonly findingHistory: number;
}

/** Deletes what archive-history would archive, without an archive. */
export async function dropHistory(config: Config, age: Age): Promise<DroppedHistory> {
  return asTableOwner(config, async (owner) => {
    const retention = await retentionOf(owner, age);
    const metadata = { before: retention.before, older_than_days: retention.days };
    const entry = { operation: 'audit_log.drop', resourceType: 'audit_log', resourceId: '', metadata } as const;
    await auditedChange(owner, { ...entry, organizationId: null }, async () => true);
    const partitions: string[] = [];
    for (const partition of await auditPartitions(owner, retention.before))
      if (await dropPartition(owner, partition, hasNoKeptRow(partition.name), valuesOf(retention)))
        partitions.push(partition.name);
    const deleted = { audit_logs: 0, finding_history: 0 };
    for (const table of ['audit_logs', 'finding_history'] as const)
      for await (const rows of expiredRows(owner, table, retention))
        if (rows.length > 0) deleted[table] += await deletePiece(owner, table, rows);
    await removeUnusedProofs(owner, retention.before);
    return { partitions, auditLogs: deleted.audit_logs, findingHistory: deleted.finding_history };
  });
}
