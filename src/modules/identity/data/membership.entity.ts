import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../../../kernel/role';

@Entity({ name: 'memberships' })
export class Membership {
  @PrimaryColumn({ name: 'user_id', type: 'int', primaryKeyConstraintName: 'pk_memberships' })
  userId!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_memberships' })
  organizationId!: number;

  @Column({ type: 'text' })
  role!: Role;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
