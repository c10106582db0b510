import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { Contradiction } from '../../retests';
import type { RowResult } from '../domain/import-status';

/** The outcome of a result of the file. */
@Entity({ name: 'import_rows' })
export class ImportResult extends TenantRow {
  @PrimaryColumn({ name: 'import_id', type: 'int' })
  importId!: number;

  /** The position in the file, from 1. Findings that the file no longer has follow the last result. */
  @PrimaryColumn({ type: 'int' })
  number!: number;

  @Column({ type: 'int', nullable: true })
  line!: number | null;

  @Column({ type: 'text' })
  result!: RowResult;

  /** Why it was refused, or which earlier row has the same finding with another title or severity. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ name: 'finding_id', type: 'int', nullable: true })
  findingId!: number | null;

  @Column({ type: 'text', nullable: true })
  title!: string | null;

  @Column({ name: 'asset_value', type: 'text', nullable: true })
  assetValue!: string | null;

  @Column({ type: 'text', nullable: true })
  scanner!: string | null;

  /** The host and port of a recorded result. */
  @Column({ type: 'text', nullable: true })
  place!: string | null;

  /** The highest severity of the finding up to this row. */
  @Column({ type: 'int', nullable: true })
  severity!: number | null;

  /** Set for the first row of each finding; in a dry run, for all its sightings. */
  @Column({ type: 'bytea', nullable: true })
  fingerprint!: Buffer | null;

  @Column({ name: 'seen_at', type: 'timestamptz', precision: 3, nullable: true })
  seenAt!: Date | null;

  /** Set if its finding stays resolved, and no test has decided since. */
  @Column({ type: 'text', nullable: true })
  contradiction!: Contradiction | null;
}
