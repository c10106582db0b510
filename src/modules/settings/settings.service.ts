import { Injectable } from '@nestjs/common';
import { forbidden } from '../../kernel/domain-error';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import { IntegratorsService, OrganizationsService } from '../organizations';
import { type EventDuration, defaultEventDuration, requireDuration, eventDurationOf } from './domain/event-duration';

@Injectable()
export class SettingsService {
  constructor(
    private readonly integrators: IntegratorsService,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Applies to new machine events of the caller's organizations. Existing events keep their end. */
  async changeDefaultEventDuration(caller: Caller, wanted: EventDuration): Promise<void> {
    const organizationId = (await this.organizations.onlyOne(caller.scope))?.id ?? null;
    this.unitOfWork.note({ resourceId: 'default-event-duration', organizationId });
    const { integrator } = caller;
    if (integrator === null || !integrator.machineEvents) {
      throw forbidden('Only integrators with machine events in their subscription may call this operation.');
    }
    const { duration, unit } = requireDuration(wanted);
    const before = await this.integrators.changeEventDefault(integrator.id, {
      defaultEventDuration: duration,
      defaultEventUnit: unit,
    });
    this.unitOfWork.note({ metadata: { from: eventDurationOf(before), to: { duration, unit } } });
  }

  /** The duration of a machine event of this organization without an end date. */
  async eventDurationFor(organizationId: number): Promise<EventDuration> {
    return eventDurationOf(await this.integrators.eventDefaultFor(organizationId)) ?? defaultEventDuration;
  }
}
