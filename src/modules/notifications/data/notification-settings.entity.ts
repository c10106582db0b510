import { Column, Entity } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

@Entity({ name: 'notification_settings' })
export class NotificationSettings extends TenantRow {
  /** Of the feed, up to which messages were planned. */
  @Column({ type: 'bigint', default: 0 })
  position!: string;

  /** Whether mails show the titles of findings. */
  @Column({ name: 'mail_titles', type: 'boolean', default: true })
  mailTitles!: boolean;
}
