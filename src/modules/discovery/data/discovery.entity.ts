import { Column, Entity } from 'typeorm';
import { NamedWorkRow } from '../../../platform/database/work-row';
import type { DiscoveryStatus } from '../domain/discovery-status';

/** A host with open ports. */
export interface Candidate {
  readonly address: string;
  readonly ports: readonly number[];
}

@Entity({ name: 'beacon_discoveries' })
export class DiscoveryRow extends NamedWorkRow {
  @Column({ name: 'beacon_id', type: 'int' })
  beaconId!: number;

  @Column({ type: 'text', array: true })
  cidrs!: string[];

  @Column({ type: 'int', array: true })
  ports!: number[];

  @Column({ type: 'text', default: 'PENDING' })
  status!: DiscoveryStatus;

  /** Why it ended in ERROR. */
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  /** The attempt of the work that may save its progress. */
  @Column({ type: 'int', default: 0 })
  attempt!: number;

  @Column({ type: 'int' })
  hosts!: number;

  /** All hosts before this position were tried or skipped. */
  @Column({ name: 'hosts_done', type: 'int', default: 0 })
  hostsDone!: number;

  /** The number of those that were not tried, because they are outside of the CIDRs of the beacon or its agent. */
  @Column({ name: 'hosts_skipped', type: 'int', default: 0 })
  hostsSkipped!: number;

  @Column({ type: 'json', default: '[]' })
  candidates!: Candidate[];
}

/** A discovery as lists show it. */
export type Discovery = Omit<DiscoveryRow, 'candidates' | 'attempt'> & {
  /** The number of candidates. */
  readonly hostsAnswered: number;
};
