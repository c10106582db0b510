import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** A generated report as it is downloaded, known by what it holds. */
@Entity({ name: 'report_files' })
export class ReportFile {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT', primaryKeyConstraintName: 'pk_report_files' })
  id!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_report_files' })
  organizationId!: number;

  @Column({ type: 'bytea' })
  sha256!: Buffer;

  /** In bytes. */
  @Column({ type: 'int' })
  size!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
