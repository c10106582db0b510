import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { MailKind } from '../domain/mail-kinds';

/** What a member gets by mail. Nothing without a row. A trigger adds it for new members. */
@Entity({ name: 'mail_preferences' })
export class MailPreferences extends TenantRow {
  @PrimaryColumn({ name: 'user_id', type: 'int' })
  userId!: number;

  @Column({ type: 'text', array: true })
  kinds!: MailKind[];
}
