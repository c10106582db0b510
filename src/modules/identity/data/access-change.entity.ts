import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Something that a key may do has changed. Only triggers write them. */
@Entity({ name: 'access_changes' })
export class AccessChange {
  @PrimaryColumn({ type: 'bigint', generated: 'identity' })
  id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;
}
