import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The YAML of each version of a loaded template. Versions are never changed or deleted. */
@Entity({ name: 'library_check_versions' })
export class LibraryCheckVersion {
  @PrimaryColumn({ name: 'check_id', type: 'text' })
  checkId!: string;

  @PrimaryColumn({ type: 'int' })
  version!: number;

  @Column({ type: 'bytea' })
  sha256!: Buffer;

  @Column({ type: 'text' })
  source!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  loaded!: Date;
}
