import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** Whether one asset may be tested in an event or must not be. */
@Entity({ name: 'event_scope' })
export class EventScope extends TenantRow {
  @PrimaryColumn({ name: 'event_id', type: 'int' })
  eventId!: number;

  @PrimaryColumn({ name: 'asset_id', type: 'int' })
  assetId!: number;

  @Column({ name: 'in_scope', type: 'boolean', default: true })
  inScope!: boolean;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'boolean', nullable: true })
  wildcard!: boolean | null;

  @Column({ name: 'attachment_url', type: 'text', nullable: true })
  attachmentUrl!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
