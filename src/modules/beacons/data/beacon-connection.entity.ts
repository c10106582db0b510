import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** A connection of an agent, held by one API process while it renews the lease. */
@Entity({ name: 'beacon_connections' })
export class BeaconConnection extends TenantRow {
  /** The newest connection has the highest one. A bigint, so a string. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column({ name: 'beacon_id', type: 'int' })
  beaconId!: number;

  @Column({ name: 'process_id', type: 'uuid' })
  processId!: string;

  /** Where workers reach the relay of the process. */
  @Column({ name: 'relay_host', type: 'text' })
  relayHost!: string;

  @Column({ name: 'relay_port', type: 'int' })
  relayPort!: number;

  @Column({ name: 'agent_version', type: 'text' })
  agentVersion!: string;

  @Column({ name: 'agent_address', type: 'text' })
  agentAddress!: string;

  /** The agent is stopping: its streams continue, and new ones use another connection. */
  @Column({ type: 'boolean', default: false })
  draining!: boolean;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  connected!: Date;

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3 })
  leaseUntil!: Date;
}
