import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A CVE in the catalog of known exploited vulnerabilities of CISA. */
@Entity({ name: 'kev_entries' })
export class KevEntry {
  @PrimaryColumn({ type: 'text' })
  cve!: string;

  @Column({ name: 'date_added', type: 'date' })
  dateAdded!: string;

  /** The day until which federal agencies of the United States must fix it. */
  @Column({ name: 'due_date', type: 'date', nullable: true })
  dueDate!: string | null;

  /** Ransomware is known to use it. */
  @Column({ type: 'boolean' })
  ransomware!: boolean;
}
