import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { SignedHead } from '../domain/signed-head';

@Entity({ name: 'audit_heads' })
export class AuditHead extends TenantRow {
  @PrimaryColumn({ type: 'text' })
  month!: string;

  @PrimaryColumn({ type: 'int' })
  size!: number;

  @Column({ type: 'json' })
  document!: SignedHead;
}
