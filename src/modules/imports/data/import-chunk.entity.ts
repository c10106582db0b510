import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A part of a file, until its import has ended. */
@Entity({ name: 'import_chunks' })
export class ImportChunk {
  @PrimaryColumn({ name: 'import_id', type: 'int', primaryKeyConstraintName: 'pk_import_chunks' })
  importId!: number;

  @PrimaryColumn({ type: 'int', primaryKeyConstraintName: 'pk_import_chunks' })
  number!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_import_chunks' })
  organizationId!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;
}
