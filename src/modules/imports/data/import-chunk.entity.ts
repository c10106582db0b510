import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** A part of a file, kept until its import has ended. */
@Entity({ name: 'import_chunks' })
export class ImportChunk extends TenantRow {
  @PrimaryColumn({ name: 'import_id', type: 'int' })
  importId!: number;

  @PrimaryColumn({ type: 'int' })
  number!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;
}
