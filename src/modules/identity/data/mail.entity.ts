import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A mail that waits to be sent. The row is deleted when it was sent. */
@Entity({ name: 'mails' })
export class Mail {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  /** A `MailDraft`, encrypted with SECRET_KEY, because it contains links. */
  @Column({ type: 'bytea' })
  sealed!: Buffer;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
