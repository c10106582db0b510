import { Column } from 'typeorm';
import { NumberedRow } from './tenant-row';

/** A row that work fills. */
export abstract class WorkRow extends NumberedRow {
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  started!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finished!: Date | null;
}

/** One that callers name by its UUID. */
export abstract class NamedWorkRow extends WorkRow {
  @Column({ type: 'uuid' })
  uuid!: string;
}
