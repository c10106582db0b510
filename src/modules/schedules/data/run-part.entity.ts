import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { PartStatus } from '../domain/vocabulary';

/** A job, an observation, a retest or a report of a run that is not over. */
@Entity({ name: 'schedule_run_parts' })
export class RunPart extends TenantRow {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT', type: 'bigint' })
  id!: string;

  @Column({ name: 'run_id', type: 'int' })
  runId!: number;

  @Column({ name: 'asset_id', type: 'int', nullable: true })
  assetId!: number | null;

  @Column({ name: 'finding_id', type: 'int', nullable: true })
  findingId!: number | null;

  @Column({ type: 'text', default: 'waiting' })
  status!: PartStatus;

  /** The UUID or the id of what was started. */
  @Column({ type: 'text', nullable: true })
  reference!: string | null;

  @Column({ type: 'text', nullable: true })
  result!: string | null;

  /** Why it did not start, or did not end well. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** How often the end of a window stopped it. */
  @Column({ type: 'int', default: 0 })
  interruptions!: number;

  /** Those of a job that the end of a window has left; null for all. */
  @Column({ name: 'checks_left', type: 'text', array: true, nullable: true })
  checksLeft!: readonly string[] | null;
}
