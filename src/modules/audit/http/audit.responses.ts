import { actorTypes } from '../../../platform/api/caller';
import { Shown } from '../../../platform/api/shown';
import type { AuditLog } from '../data/audit-log.entity';

export class AuditLogResponse {
  @Shown.string({ description: 'A UUIDv7.' })
  id!: string;

  @Shown.instant()
  timestamp!: string;

  @Shown.string({ enum: actorTypes })
  actor_type!: string;

  @Shown.string()
  actor_id!: string;

  @Shown.string()
  operation!: string;

  @Shown.string()
  operation_category!: string;

  @Shown.string()
  resource_type!: string;

  @Shown.string({ description: 'Empty if there is none.' })
  resource_id!: string;

  @Shown.string({ enum: ['success', 'failure'] })
  status!: string;

  @Shown.object({ nullable: true })
  metadata!: Record<string, unknown> | null;
}

export class AuditLogListResponse {
  @Shown.integer({ description: 'The number of entries that match the filters.' })
  total!: number;

  @Shown.integer()
  page!: number;

  @Shown.integer()
  per_page!: number;

  @Shown.list(AuditLogResponse)
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
