import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { Integrator } from './integrator.entity';

export type NewIntegrator = Pick<Integrator, 'name' | 'machineEvents' | 'organizationsLimit'>;
export type EventDefault = Pick<Integrator, 'defaultEventDuration' | 'defaultEventUnit'>;

@Injectable()
export class IntegratorsRepository {
  constructor(private readonly database: Database) {}

  async save(integrator: NewIntegrator): Promise<number> {
    const repository = await this.database.repository(Integrator);
    const { identifiers } = await repository.insert(integrator);
    return (identifiers[0] as { id: number }).id;
  }

  async changeEventDefault(id: number, change: EventDefault): Promise<EventDefault | undefined> {
    const before = await this.database.row<EventDefault>(sql`
      SELECT default_event_duration AS "defaultEventDuration", default_event_unit AS "defaultEventUnit"
      FROM integrators WHERE id = ${id} FOR UPDATE`);
    const repository = await this.database.repository(Integrator);
    await repository.update({ id }, change);
    return before;
  }

  /** The default of the organization's integrator; undefined without an integrator. */
  eventDefaultFor(organizationId: number): Promise<EventDefault | undefined> {
    return this.database.row<EventDefault>(sql`
      SELECT i.default_event_duration AS "defaultEventDuration", i.default_event_unit AS "defaultEventUnit"
      FROM organizations o JOIN integrators i ON i.id = o.integrator_id WHERE o.id = ${organizationId}`);
  }
}
