import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { OrganizationsService } from '../../organizations';
import type { FindingPreferences } from '../data/finding-preferences.entity';
import { FindingPreferencesRepository } from './data/finding-preferences.repository';

/** How each user wants to see the findings of an organization. */
@Injectable()
export class FindingPreferencesService {
  constructor(
    private readonly preferences: FindingPreferencesRepository,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async get(caller: Caller, organizationId: number): Promise<Pick<FindingPreferences, 'columns' | 'isCompact'>> {
    const { id } = await this.organizations.get(caller.scope, organizationId);
    const found = await this.preferences.find({ organizationId: id, userId: caller.facts.userId });
    return found ?? { columns: null, isCompact: false };
  }

  async change(
    caller: Caller,
    organizationId: number,
    preferences: Pick<FindingPreferences, 'columns' | 'isCompact'>,
  ): Promise<void> {
    const { id } = await this.organizations.lockForShare(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id, metadata: { ...preferences } });
    await this.preferences.save({ organizationId: id, userId: caller.facts.userId }, preferences);
  }

  /** Notes that the user looks at the organization. Returns when the visit before this one ended; null for the first one. */
  async visit(caller: Caller, organizationId: number): Promise<Date | null> {
    const { id } = await this.organizations.get(caller.scope, organizationId);
    return this.preferences.visit({ organizationId: id, userId: caller.facts.userId });
  }
}
