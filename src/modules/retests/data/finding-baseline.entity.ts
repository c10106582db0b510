import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { Baseline } from '../../../engine';

@Entity({ name: 'finding_baselines' })
export class FindingBaseline extends TenantRow {
  @PrimaryColumn({ name: 'finding_id', type: 'int' })
  findingId!: number;

  /** The check that ran when the vulnerability was seen: the baseline is valid for this check only. */
  @Column({ name: 'check_definition', type: 'jsonb' })
  checkDefinition!: unknown;

  @Column({ type: 'json' })
  baseline!: Baseline;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  taken!: Date;
}
