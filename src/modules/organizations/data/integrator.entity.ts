import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A partner that creates organizations and acts as owner in each of them. */
@Entity({ name: 'integrators' })
export class Integrator {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'machine_events', type: 'boolean', default: false })
  machineEvents!: boolean;

  @Column({ name: 'organizations_limit', type: 'int', nullable: true })
  organizationsLimit!: number | null;

  @Column({ name: 'default_event_duration', type: 'int', nullable: true })
  defaultEventDuration!: number | null;

  @Column({ name: 'default_event_unit', type: 'text', nullable: true })
  defaultEventUnit!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
