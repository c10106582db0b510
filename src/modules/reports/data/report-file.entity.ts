import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';

/** The file of a generated report, identified by its content. */
@Entity({ name: 'report_files' })
export class ReportFile extends NumberedRow {
  @Column({ type: 'bytea' })
  sha256!: Buffer;

  /** In bytes. */
  @Column({ type: 'int' })
  size!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
