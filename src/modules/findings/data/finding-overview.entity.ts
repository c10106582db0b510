import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FindingOverview } from '../domain/finding-overview';

/** The stored overview of an organization with many findings. */
@Entity({ name: 'finding_overviews' })
export class StoredOverview {
  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_finding_overviews' })
  organizationId!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  computed!: Date;

  @Column({ type: 'jsonb' })
  overview!: FindingOverview;
}
