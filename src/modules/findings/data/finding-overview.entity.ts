import { Column, Entity } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { FindingOverview } from '../domain/finding-overview';

/** The stored overview of an organization with many findings. */
@Entity({ name: 'finding_overviews' })
export class StoredOverview extends TenantRow {
  @Column({ type: 'timestamptz', precision: 3 })
  computed!: Date;

  @Column({ type: 'jsonb' })
  overview!: FindingOverview;
}
