import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A call of the listener. Its name belongs to the experiment that sent it. */
@Entity({ name: 'callbacks' })
export class CallbackRow {
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @PrimaryColumn({ type: 'smallint' })
  number!: number;

  @Column({ type: 'text' })
  protocol!: 'dns' | 'http' | 'https';

  @Column({ type: 'inet' })
  source!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  called!: Date;
}
