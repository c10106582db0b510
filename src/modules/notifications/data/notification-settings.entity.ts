import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'notification_settings' })
export class NotificationSettings {
  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_notification_settings' })
  organizationId!: number;

  /** Of the feed, up to which messages were planned. */
  @Column({ type: 'bigint', default: 0 })
  position!: string;

  /** Whether mails show the titles of findings. */
  @Column({ name: 'mail_titles', type: 'boolean', default: true })
  mailTitles!: boolean;
}
