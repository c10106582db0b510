import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { MailKind } from '../domain/mail-kinds';

/** What a member is told by mail, once. Kept for 30 days, so that it is not told again. */
@Entity({ name: 'personal_notices' })
export class PersonalNotice extends TenantRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column({ name: 'user_id', type: 'int' })
  userId!: number;

  @Column({ type: 'text' })
  kind!: MailKind;

  /** The change that it is about. */
  @Column({ type: 'text' })
  reference!: string;

  @Column({ name: 'finding_id', type: 'int', nullable: true })
  findingId!: number | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created!: Date;

  /** When a worker took it to send it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  taken!: Date | null;
}
