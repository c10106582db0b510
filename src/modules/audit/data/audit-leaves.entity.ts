import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** Consecutive leaves of the tree of an organization and month. Rows are only added; operators remove those of archived months. */
@Entity({ name: 'audit_leaves' })
export class AuditLeaves extends TenantRow {
  @PrimaryColumn({ type: 'text' })
  month!: string;

  /** The number of leaves before these. */
  @PrimaryColumn({ type: 'int' })
  start!: number;

  /** The number of leaves with these. */
  @Column({ type: 'int' })
  size!: number;

  /** The entries of the leaves. */
  @Column({ type: 'uuid', array: true })
  ids!: string[];

  /** The largest of them. */
  @Column({ name: 'last_id', type: 'uuid' })
  lastId!: string;

  /** The hashes of the leaves, 32 bytes each. */
  @Column({ type: 'bytea' })
  hashes!: Buffer;

  /** The `Frontier` of the tree with these leaves, 32 bytes each. */
  @Column({ type: 'bytea' })
  frontier!: Buffer;
}
