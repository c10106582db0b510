import { Column, Entity } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { Sla } from '../domain/sla';

/** The days in which the findings of an organization are to be fixed; null for no limit. */
@Entity({ name: 'finding_sla' })
export class FindingSla extends TenantRow implements Sla {
  @Column({ type: 'int', nullable: true })
  critical!: number | null;

  @Column({ type: 'int', nullable: true })
  high!: number | null;

  @Column({ type: 'int', nullable: true })
  medium!: number | null;

  @Column({ type: 'int', nullable: true })
  low!: number | null;
}
