import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** A retest that the plan has started; without a UUID, one that was stopped and starts again. */
export interface PlannedRetest {
  readonly findingId: number;
  readonly uuid: string | null;
  /** When one that was refused is tried again. */
  readonly again?: string;
}

/** What a machine event does by itself. */
@Entity({ name: 'event_plans' })
export class EventPlan extends TenantRow {
  @PrimaryColumn({ name: 'event_id', type: 'int' })
  eventId!: number;

  /** When the plan is looked at again; null once the event is over. */
  @Column({ name: 'next_turn', type: 'timestamptz', precision: 3, nullable: true })
  nextTurn!: Date | null;

  /** When its assets were last compared with the scope. */
  @Column({ name: 'scope_read', type: 'timestamptz', precision: 3, nullable: true })
  scopeRead!: Date | null;

  /** The last finding whose retest was started, in the order of their ids. */
  @Column({ name: 'retested_to', type: 'int', default: 0 })
  retestedTo!: number;

  @Column({ type: 'jsonb', default: '[]' })
  retests!: readonly PlannedRetest[];

  /** Of the scope that the targets were compared with. */
  @Column({ name: 'scope_version', type: 'text', nullable: true })
  scopeVersion!: string | null;

  /** How many assets of the scope it does not test, because they are too many. */
  @Column({ name: 'assets_left_out', type: 'int', default: 0 })
  assetsLeftOut!: number;

  /** On which the due times of the targets depend. */
  @Column({ type: 'text', nullable: true })
  terms!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  reported!: Date | null;
}
