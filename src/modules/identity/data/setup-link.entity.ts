import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The link with which the first owner of an installation is created: at most one row, with the id 1. */
@Entity({ name: 'setup_links' })
export class SetupLink {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  /** The token itself is only in the link. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  expires!: Date;
}
