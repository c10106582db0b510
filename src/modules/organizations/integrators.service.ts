import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { EventDefault, NewIntegrator } from './data/integrators.repository';
import { IntegratorsRepository } from './data/integrators.repository';

@Injectable()
export class IntegratorsService {
  constructor(
    private readonly integrators: IntegratorsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async create(integrator: NewIntegrator): Promise<number> {
    const id = await this.integrators.save(integrator);
    this.unitOfWork.note({ resourceId: String(id), organizationId: null, metadata: { name: integrator.name } });
    return id;
  }

  /** Returns the previous values. */
  changeEventDefault(id: number, change: EventDefault): Promise<EventDefault | undefined> {
    return this.integrators.changeEventDefault(id, change);
  }

  eventDefaultFor(organizationId: number): Promise<EventDefault | undefined> {
    return this.integrators.eventDefaultFor(organizationId);
  }
}
