import { ACTOR_TYPES } from '../../../platform/api/caller';
import { ResponseField } from '../../../platform/api/response-field';
import type { AuditLog } from '../data/audit-log.entity';

export class AuditLogResponse {
  @ResponseField.string({ description: 'A UUIDv7.' })
  id!: string;

  @ResponseField.instant()
  timestamp!: string;

  @ResponseField.string({ enum: ACTOR_TYPES })
  actor_type!: string;

  @ResponseField.string()
  actor_id!: string;

  @ResponseField.string()
  operation!: string;

  @ResponseField.string()
  operation_category!: string;

  @ResponseField.string()
  resource_type!: string;

  @ResponseField.string({ description: 'Empty if there is none.' })
  resource_id!: string;

  @ResponseField.string({ enum: ['success', 'failure'] })
  status!: string;

  @ResponseField.object({ nullable: true })
  metadata!: Record<string, unknown> | null;
}

export class AuditLogListResponse {
  @ResponseField.integer({ description: 'The number of entries that match the filters.' })
  total!: number;

  @ResponseField.integer()
  page!: number;

  @ResponseField.integer()
  per_page!: number;

  @ResponseField.list(AuditLogResponse)
  audit_logs!: AuditLogResponse[];
}

export const presentAuditLog = (entry: AuditLog): AuditLogResponse => ({
  id: entry.id,
  timestamp: entry.timestamp.toISOString(),
  actor_type: entry.actorType,
  actor_id: entry.actorId,
  operation: entry.operation,
  operation_category: entry.operationCategory,
  resource_type: entry.resourceType,
  resource_id: entry.resourceId,
  status: entry.status,
  metadata: entry.metadata,
});
