import { Column, Entity } from 'typeorm';
import { NamedWorkRow } from '../../../platform/database/work-row';
import type { ObservationCause, ObservationStatus } from '../domain/observation-status';

@Entity({ name: 'observations' })
export class ObservationRow extends NamedWorkRow {
  @Column({ name: 'asset_id', type: 'int' })
  assetId!: number;

  @Column({ type: 'text' })
  cause!: ObservationCause;

  @Column({ type: 'text', default: 'PENDING' })
  status!: ObservationStatus;

  /** Why it ended in ERROR. */
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  /** What a finished observation could not do: a host that stopped answering, or more than may be stored. */
  @Column({ type: 'text', nullable: true })
  note!: string | null;

  /** Until when it may send something; null for as long as it takes. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  until!: Date | null;

  /** To each host; null for the usual pace. */
  @Column({ name: 'requests_per_second', type: 'double precision', nullable: true })
  requestsPerSecond!: number | null;

  /** The attempt of the work that runs it. */
  @Column({ type: 'int', default: 0 })
  attempt!: number;

  @Column({ type: 'int', default: 0 })
  hosts!: number;

  @Column({ name: 'open_ports', type: 'int', default: 0 })
  openPorts!: number;

  @Column({ type: 'int', default: 0 })
  changes!: number;

  /** Hosts and ports beyond the limits of the organization. */
  @Column({ name: 'not_stored', type: 'int', default: 0 })
  notStored!: number;
}

export type Observation = Omit<ObservationRow, 'attempt'>;
