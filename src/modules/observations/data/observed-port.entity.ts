import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { CertificateFacts } from '../../../engine';
import type { KnownTechnology } from '../domain/asset-change';

/** A port that was open at least once. */
@Entity({ name: 'observed_ports' })
export class ObservedPortRow extends TenantRow {
  @PrimaryColumn({ name: 'host_id', type: 'int' })
  hostId!: number;

  @PrimaryColumn({ type: 'int' })
  port!: number;

  @Column({ type: 'text' })
  state!: 'open' | 'closed';

  @Column({ type: 'text', nullable: true })
  service!: string | null;

  @Column({ type: 'text', nullable: true })
  security!: 'tls' | 'starttls' | null;

  @Column({ type: 'jsonb', nullable: true })
  certificate!: CertificateFacts | null;

  /** How many days before its end a change last reported that the certificate expires. */
  @Column({ name: 'certificate_told', type: 'int', nullable: true })
  notifiedDays!: number | null;

  @Column({ type: 'jsonb', default: '[]' })
  technologies!: readonly KnownTechnology[];

  /** How many looks in a row did not show it open. */
  @Column({ type: 'int', default: 0 })
  misses!: number;

  @Column({ name: 'first_seen', type: 'timestamptz', precision: 3 })
  firstSeen!: Date;

  @Column({ name: 'last_seen', type: 'timestamptz', precision: 3 })
  lastSeen!: Date;
}
