import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { ProbeSummary } from '../../evidence';

@Entity({ name: 'scan_evidence' })
export class ScanEvidence extends TenantRow {
  @PrimaryColumn({ name: 'finding_id', type: 'int' })
  findingId!: number;

  @Column({ type: 'json' })
  probe!: ProbeSummary;
}
