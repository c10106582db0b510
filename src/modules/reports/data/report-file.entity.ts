import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** The file of a generated report, identified by its content. */
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
