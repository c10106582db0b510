import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../kernel/durations';
import { Clock } from '../../kernel/clock';
import type { Caller } from '../../platform/api/caller';
import { everything, Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Claim } from '../../platform/work/claim';
import { Work } from '../../platform/work/work';
import { EventsService } from '../events';
import type { LockedFinding } from '../findings';
import { OrganizationsService } from '../organizations';
import type { Retest } from './data/retest.entity';
import { RetestsRepository } from './data/retests.repository';

export const SECOND_LOOK_KIND = 'retest.second_look';

export const MAX_SECOND_LOOK_HOURS = 168;

const scope = everything('a retest plans its second look for its organization');

/** `fixed` is looked at once more after some hours, when blocks, canaries and rollbacks have ended. */
@Injectable()
export class SecondLooks {
  constructor(
    private readonly retests: RetestsRepository,
    private readonly organizations: OrganizationsService,
    private readonly events: EventsService,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** After how many hours; null for never. */
  async hoursOf(organizationScope: Scope, organizationId: number): Promise<number | null> {
    return (await this.organizations.get(organizationScope, organizationId)).secondLookHours;
  }

  async changeHours(caller: Caller, organizationId: number, hours: number | null): Promise<void> {
    const { id, secondLookHours } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id, resourceId: 'second-look' });
    caller.requireRole('admin', id);
    await this.unitOfWork.checkCondition();
    this.unitOfWork.note({ metadata: { from: secondLookHours, to: hours } });
    await this.organizations.saveSecondLookHoursOfLocked(id, hours);
  }

  /** Plans the next look at a retest that a worker has just ended, if its organization and event want one. */
  async plan({ mergedInto }: Pick<LockedFinding, 'mergedInto'>, retest: Retest, claim: Claim): Promise<void> {
    const { id, uuid, organizationId } = retest;
    const hours = await this.hoursOf(scope, organizationId);
    if (mergedInto !== null || hours === null || !(await this.isWantedBy(claim.eventId))) return;
    const runAt = new Date(this.clock.now().getTime() + hours * HOUR_MS);
    await this.retests.planSecondLook(id, runAt);
    const { assetId, eventId } = claim;
    const place = { organizationId, assetId: assetId ?? undefined, eventId: eventId ?? undefined };
    await this.work.enqueue({ kind: SECOND_LOOK_KIND, reference: uuid, ...place, runAt });
  }

  private async isWantedBy(eventId: number | null): Promise<boolean> {
    return eventId === null || this.events.wantsSecondLooks(scope, eventId);
  }
}
