import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { BeaconsService } from '../beacons';
import { EventsService } from '../events';
import { OrganizationsService } from '../organizations';

/** Where a file is imported to: an event or an organization. */
export type ImportTarget = { readonly eventSlug: string } | { readonly organizationId: number };

/** Finds the organization, the event and the network of a file. It does not find those of another organization. */
@Injectable()
export class ImportPlaces {
  constructor(
    private readonly events: EventsService,
    private readonly organizations: OrganizationsService,
    private readonly beacons: BeaconsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async find(
    { scope }: Caller,
    target: ImportTarget,
    beaconId: number | null,
  ): Promise<{ organizationId: number; eventId: number | null }> {
    const place = 'eventSlug' in target ? await this.ofEvent(scope, target.eventSlug) : await this.of(scope, target);
    if (beaconId !== null) await this.beacons.get(scope, place.organizationId, beaconId);
    return place;
  }

  private async ofEvent(scope: Caller['scope'], slug: string) {
    const { id: eventId, organizationId } = await this.events.get(scope, slug);
    this.unitOfWork.note({ metadata: { event: slug } });
    return { organizationId, eventId };
  }

  private async of(scope: Caller['scope'], { organizationId }: { readonly organizationId: number }) {
    const { id } = await this.organizations.get(scope, organizationId);
    return { organizationId: id, eventId: null };
  }
}
