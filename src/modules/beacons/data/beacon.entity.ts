import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { BeaconStatus } from '../domain/beacon-status';

@Entity({ name: 'beacons' })
export class Beacon extends NumberedRow {
  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'allowed_cidrs', type: 'text', array: true })
  allowedCidrs!: string[];

  @Column({ name: 'dns_server', type: 'text', nullable: true })
  dnsServer!: string | null;

  @Column({ name: 'interface_name', type: 'text', nullable: true })
  interfaceName!: string | null;

  @Column({ type: 'int', default: 0 })
  status!: BeaconStatus;

  @Column({ type: 'int', default: 1 })
  version!: number;

  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ name: 'previous_token_hash', type: 'bytea', nullable: true })
  previousTokenHash!: Buffer | null;

  @Column({ name: 'previous_token_until', type: 'timestamptz', precision: 3, nullable: true })
  previousTokenUntil!: Date | null;

  @Column({ name: 'registration_hash', type: 'bytea', nullable: true })
  registrationHash!: Buffer | null;

  @Column({ name: 'registration_until', type: 'timestamptz', precision: 3, nullable: true })
  registrationUntil!: Date | null;

  /** The user who made the token. */
  @Column({ name: 'registration_by', type: 'int', nullable: true })
  registrationBy!: number | null;

  @Column({ name: 'registration_used', type: 'boolean', default: false })
  registrationUsed!: boolean;

  @Column({ name: 'deletion_hash', type: 'bytea', nullable: true })
  deletionHash!: Buffer | null;

  @Column({ name: 'deletion_until', type: 'timestamptz', precision: 3, nullable: true })
  deletionUntil!: Date | null;

  @Column({ name: 'deletion_by', type: 'int', nullable: true })
  deletionBy!: number | null;

  /** Of the agent that connected last. */
  @Column({ name: 'agent_version', type: 'text', nullable: true })
  agentVersion!: string | null;

  @Column({ name: 'wireguard_public_key', type: 'text' })
  wireguardPublicKey!: string;

  @Column({ name: 'rathole_public_port', type: 'int', nullable: true })
  ratholePublicPort!: number | null;

  /** Whether the assets behind it are observed. */
  @Column({ name: 'observation_enabled', type: 'boolean', default: true })
  observe!: boolean;

  @Column({ name: 'last_report', type: 'timestamptz', precision: 3, nullable: true })
  lastReport!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
