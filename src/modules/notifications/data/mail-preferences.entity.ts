import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MailKind } from '../domain/mail-kinds';

/** What a member gets by mail. Nothing without a row. A trigger adds it for new members. */
@Entity({ name: 'mail_preferences' })
export class MailPreferences {
  @PrimaryColumn({ name: 'user_id', type: 'int', primaryKeyConstraintName: 'pk_mail_preferences' })
  userId!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_mail_preferences' })
  organizationId!: number;

  @Column({ type: 'text', array: true })
  kinds!: MailKind[];
}
