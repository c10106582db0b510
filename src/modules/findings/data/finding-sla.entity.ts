import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Sla } from '../domain/sla';

/** The days in which the findings of an organization are to be fixed; null for no limit. */
@Entity({ name: 'finding_sla' })
export class FindingSla implements Sla {
  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_finding_sla' })
  organizationId!: number;

  @Column({ type: 'int', nullable: true })
  critical!: number | null;

  @Column({ type: 'int', nullable: true })
  high!: number | null;

  @Column({ type: 'int', nullable: true })
  medium!: number | null;

  @Column({ type: 'int', nullable: true })
  low!: number | null;
}
