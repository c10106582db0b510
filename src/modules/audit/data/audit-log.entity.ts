import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { AuditStatus } from '../../../platform/audit/audit-entry';
import type { ResourceType } from '../../../platform/api/resource-type';
import type { ActorType } from '../../../platform/api/caller';

/** The organization of entries without one: the column is part of the key and not nullable. */
export const NO_ORGANIZATION = 0;

@Entity({ name: 'audit_logs' })
export class AuditLog extends TenantRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  timestamp!: Date;

  @Column({ name: 'actor_type', type: 'text' })
  actorType!: ActorType;

  @Column({ name: 'actor_id', type: 'text' })
  actorId!: string;

  @Column({ type: 'text' })
  operation!: string;

  @Column({ name: 'operation_category', type: 'text' })
  operationCategory!: string;

  @Column({ name: 'resource_type', type: 'text' })
  resourceType!: ResourceType;

  @Column({ name: 'resource_id', type: 'text' })
  resourceId!: string;

  @Column({ type: 'text' })
  status!: AuditStatus;

  @Column({ type: 'jsonb', nullable: true })
  metadata!: Record<string, unknown> | null;
}
