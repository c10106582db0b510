import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Baseline } from '../../../engine';

@Entity({ name: 'finding_baselines' })
export class FindingBaseline {
  @PrimaryColumn({ name: 'finding_id', type: 'int', primaryKeyConstraintName: 'pk_finding_baselines' })
  findingId!: number;

  @Column({ name: 'organization_id', type: 'int' })
  organizationId!: number;

  /** What was run when the weakness was seen: the baseline is one for this alone. */
  @Column({ name: 'recipe', type: 'jsonb' })
  checkDefinition!: unknown;

  @Column({ type: 'json' })
  baseline!: Baseline;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  taken!: Date;
}
