import { Column } from 'typeorm';

/** The times of a row that work fills. */
export abstract class WorkTimes {
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  started!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finished!: Date | null;
}
