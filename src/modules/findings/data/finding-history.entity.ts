import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { ActorType } from '../../../platform/api/caller';
import type { FieldChange } from '../domain/field-change';
import type { FindingStatus } from '../domain/finding-status';
import type { VexJustification } from '../domain/vex-justification';

/** A transition or note of a finding. The first entry names the actor that recorded it. */
@Entity({ name: 'finding_history' })
export class FindingHistory extends TenantRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column({ name: 'finding_id', type: 'int' })
  findingId!: number;

  @Column({ type: 'int' })
  status!: FindingStatus;

  @Column({ name: 'previous_status', type: 'int', nullable: true })
  previousStatus!: FindingStatus | null;

  @Column({ name: 'actor_type', type: 'text' })
  actorType!: ActorType;

  @Column({ name: 'actor_id', type: 'text' })
  actorId!: string;

  @Column({ type: 'text', nullable: true })
  comment!: string | null;

  /** Written by a person without a change of the status. */
  @Column({ name: 'is_comment', type: 'boolean', default: false })
  isComment!: boolean;

  /** A comment that an agent wrote for the actor, through the MCP server. */
  @Column({ name: 'by_agent', type: 'boolean', default: false })
  byAgent!: boolean;

  /** Fields that changed besides the status, by a person or by the service. */
  @Column({ type: 'jsonb', nullable: true })
  changes!: readonly FieldChange[] | null;

  /** The rendered comment; null for comments of earlier versions, which are plain text. */
  @Column({ type: 'text', nullable: true })
  html!: string | null;

  /** When its author last edited the comment. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  edited!: Date | null;

  /**
   * When the deciding response arrived, for a change by a test or a scan; null for other changes and those of earlier versions.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  decided!: Date | null;

  /** Why the finding does not affect its product, of a change that dismisses it. */
  @Column({ type: 'text', nullable: true })
  justification!: VexJustification | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
