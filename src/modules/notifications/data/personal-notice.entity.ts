import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { MailKind } from '../domain/mail-kinds';

/** What concerns a member, once: an entry of the inbox, which mail may repeat. Kept for 90 days. */
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

  /** When a worker took it to send it, or when it was added if it is not sent. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  taken!: Date | null;

  /** When the member has marked it as read. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  read!: Date | null;
}
