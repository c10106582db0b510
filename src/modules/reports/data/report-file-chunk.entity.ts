import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** A chunk of a file. All chunks but the last have the same length. */
@Entity({ name: 'report_file_chunks' })
export class ReportFileChunk extends TenantRow {
  @PrimaryColumn({ name: 'file_id', type: 'int' })
  fileId!: number;

  @PrimaryColumn({ type: 'int' })
  number!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;
}
