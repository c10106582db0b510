import type { Client } from 'pg';
import { storableJson } from '../../kernel/storable-json';
import { uuidV7 } from '../../kernel/uuid-v7';
import { system } from '../../platform/api/caller';
import { RESOURCE_CATEGORIES } from '../../platform/api/resource-type';
import type { AuditDescription } from '../../platform/audit/audit-entry';

/**
 * Commits a change of the operator and its audit entry together. It needs no module of the domain, whose loading takes most of
 * the time of a short command. A change that returns undefined had nothing to do and leaves no entry.
 */
export async function auditedChange<T>(
  client: Client,
  { operation, resourceType, resourceId = '', organizationId, metadata }: Omit<AuditDescription, 'actor'>,
  change: () => Promise<T>,
): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await change();
    if (result !== undefined) {
      const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
      const now = rows[0]?.now ?? new Date();
      await client.query(
        `INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category,
           resource_type, resource_id, status, metadata) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'success', $10)`,
        [
          uuidV7(now.getTime()),
          now,
          organizationId ?? 0,
          system.type,
          system.id,
          operation,
          RESOURCE_CATEGORIES[resourceType],
          resourceType,
          resourceId,
          storableJson({ ...metadata, via: 'cli' }),
        ],
      );
    }
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
