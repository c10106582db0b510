import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProbeSummary } from '../../evidence';

@Entity({ name: 'scan_evidence' })
export class ScanEvidence {
  @PrimaryColumn({ name: 'finding_id', type: 'int', primaryKeyConstraintName: 'pk_scan_evidence' })
  findingId!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_scan_evidence' })
  organizationId!: number;

  @Column({ type: 'json' })
  probe!: ProbeSummary;
}
