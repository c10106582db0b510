import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Whether one asset may be tested in an event or must not be. */
@Entity({ name: 'event_scope' })
export class EventScope {
  @PrimaryColumn({ name: 'event_id', type: 'int', primaryKeyConstraintName: 'pk_event_scope' })
  eventId!: number;

  @PrimaryColumn({ name: 'asset_id', type: 'int', primaryKeyConstraintName: 'pk_event_scope' })
  assetId!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_event_scope' })
  organizationId!: number;

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
