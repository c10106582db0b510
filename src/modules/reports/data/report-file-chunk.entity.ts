import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A chunk of a file. All chunks but the last have the same length. */
@Entity({ name: 'report_file_chunks' })
export class ReportFileChunk {
  @PrimaryColumn({ name: 'file_id', type: 'int', primaryKeyConstraintName: 'pk_report_file_chunks' })
  fileId!: number;

  @PrimaryColumn({ type: 'int', primaryKeyConstraintName: 'pk_report_file_chunks' })
  number!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_report_file_chunks' })
  organizationId!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;
}
